/**
 * Finds the wrangler that runs this process as its build command. WRANGLER_COMMAND alone is not enough: it is "dev"
 * in a test harness too, and it does not contain the options.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/** A shell is between this process and wrangler, unless it has replaced itself. */
const LEVELS = 2

/** The arguments of wrangler, `dev` among them. Undefined if another program runs the build, such as a test. */
export function readCommand(): string[] | undefined {
  let pid = process.ppid
  for (let level = 0; level < LEVELS && pid > 0; level++) {
    const { parent, argv } = readProcess(pid)
    const cli = argv.findIndex((arg) => arg.endsWith('/wrangler-dist/cli.js'))
    if (cli !== -1) return argv.slice(cli + 1)
    pid = parent
  }
  return undefined
}

function readProcess(pid: number): { parent: number; argv: string[] } {
  if (existsSync('/proc/self/stat')) {
    const [, parent] = /^\d+ .*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return { parent: Number(parent), argv: readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1) }
  }
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], { encoding: 'utf8' })
  const [parent, ...argv] = stdout.trim().split(/\s+/)
  return { parent: Number(parent), argv }
}
