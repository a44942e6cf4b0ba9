/**
 * Whether the packages of package-lock.json are installed, and their installation. It is JavaScript, because without the package
 * `node` the machine's own Node runs it, and Node 20 cannot run TypeScript.
 */
import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
/** It holds the id of the process that installs. It is not in node_modules, which `npm ci` removes. */
const LOCK = join(ROOT, 'dist/installing')

/** Vite, which builds the console, takes a path for a URL. It would fail later, with a page of its own state. */
export function folderProblem() {
  if (!/[#?]/.test(ROOT)) return undefined
  return `The path of this folder must have no # and no ?, or the console cannot be built: ${ROOT}`
}

/** The Node that runs TypeScript: that of the package `node`, which its install script brings, or the machine's own. */
export function nodePath() {
  const path = join(ROOT, 'node_modules/.bin/node')
  return existsSync(path) ? path : process.execPath
}

/** npm may be set to run no install scripts. A machine with a newer Node does not need that of the package. */
export function nodeProblem() {
  if (nodePath() !== process.execPath || process.features.typescript) return undefined
  return 'npm has run no install scripts, so Node 24 is missing. Run `npm ci --ignore-scripts=false`.'
}

/** A package counts as missing if npm has installed another version than package-lock.json names. */
export function missingPackages() {
  const wanted = packagesOf('package-lock.json')
  const installed = packagesOf('node_modules/.package-lock.json')
  return Object.entries(wanted)
    .filter(([path, { optional, link }]) => path.startsWith('node_modules/') && !optional && !link)
    .filter(([path, { integrity }]) => installed[path]?.integrity !== integrity)
    .map(([path]) => path)
}

function packagesOf(file) {
  const path = join(ROOT, file)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {}
}

/** Runs `npm ci`, unless another terminal is doing so: then it waits for that one. Rejects if npm fails. */
export async function installPackages() {
  while (missingPackages().length > 0) {
    if (!takeLock()) {
      await sleep(500)
      continue
    }
    try {
      if (missingPackages().length > 0) await runNpm()
    } finally {
      rmSync(LOCK, { force: true })
    }
  }
}

/** A lock whose process has ended was left by an installation that was killed. */
function takeLock() {
  mkdirSync(dirname(LOCK), { recursive: true })
  try {
    const file = openSync(LOCK, 'wx')
    writeSync(file, String(process.pid))
    closeSync(file)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (!isRunning(Number(readLock()))) rmSync(LOCK, { force: true })
    return false
  }
}

function readLock() {
  try {
    // For an instant the file is empty: its process is still writing.
    return readFileSync(LOCK, 'utf8') || process.pid
  } catch {
    return process.pid
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

async function runNpm() {
  const all = Object.values(packagesOf('package-lock.json')).filter(({ optional }) => !optional).length
  console.log(`Installing ${all} packages with \`npm ci\`: about 700 MB, a minute or two …`)
  const start = Date.now()
  const progress = setInterval(() => {
    console.log(`  … still installing after ${Math.round((Date.now() - start) / 1000)} s`)
  }, 20_000)
  const npm = spawn('npm', ['ci'], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] })
  const code = await new Promise((resolve) => npm.on('error', () => resolve(1)).on('close', resolve))
  clearInterval(progress)
  if (code !== 0) throw new Error('The packages could not be installed: see what npm says above.')
  if (missingPackages().length > 0)
    throw new Error('npm ci has not installed all packages. Is package-lock.json complete?')
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
