/**
 * `node scripts/run.js FILE [arguments]`: installs the packages that are missing, and runs FILE under the Node that they bring.
 * With all packages, npm has put that Node first on the path, so FILE runs in this process. After an installation this process
 * is still the machine's own Node, so it starts the other one.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { folderProblem, installPackages, missingPackages, nodePath, nodeProblem, ROOT } from './packages.js'

const [file = '', ...rest] = process.argv.slice(2)
const path = join(ROOT, file)
stopFor(folderProblem())

if (missingPackages().length === 0) {
  stopFor(nodeProblem())
  process.argv.splice(1, 2, path)
  await import(pathToFileURL(path).href)
} else {
  try {
    await installPackages()
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exit(1)
  }
  stopFor(nodeProblem())
  runUnderInstalledNode()
}

function stopFor(problem) {
  if (problem === undefined) return
  console.error(problem)
  process.exit(1)
}

function runUnderInstalledNode() {
  const child = spawn(nodePath(), [path, ...rest], { stdio: 'inherit' })
  const parent = process.ppid
  // A Ctrl-C reaches the child from the terminal. What reaches only this process is passed on.
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  // If npm was killed, nobody can stop the child any more.
  setInterval(() => process.ppid === parent || child.kill('SIGTERM'), 500).unref()
  child.on('close', (code) => process.exit(code ?? 1))
}
