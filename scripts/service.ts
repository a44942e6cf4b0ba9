/** Starts `npm run dev` for the scripts that test the running service. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { STATE, tokenFile } from './demo.ts'

export interface Service {
  origin: string
  /** The token of the demo store. */
  token: string
  /** Everything that the service has printed. */
  output: () => string
  /** Stops it as Ctrl-C does, and resolves to the exit code. */
  stop: () => Promise<number | null>
  /** Kills it and all its child processes, as a power cut does. */
  kill: () => Promise<unknown>
}

/** With `EDGE=1`, every service runs behind a proxy that does what Cloudflare's edge does (edge/edge.ts). */
const EDGE = process.env['EDGE'] === '1' ? ['--edge'] : []

/**
 * Resolves when the demo store is ready. Throws if the service ends before. `cwd` is the folder of the project, and
 * `options` are further options of `wrangler dev`.
 */
export async function startService(port: number, cwd = '.', options: string[] = []): Promise<Service> {
  const all = options.includes('--edge') ? options : [...EDGE, ...options]
  const child = spawn(process.execPath, ['scripts/dev.ts', '--port', String(port), ...all], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = new Promise<number | null>((end) => {
    child.on('exit', end)
  })
  await new Promise<void>((start, reject) => {
    const collect = (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('Ctrl-C stops')) start()
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    void ended.then((code) => reject(new Error(`npm run dev ended with ${code}:\n${output}`)))
  })
  const given = options.indexOf('--persist-to')
  const state = (given === -1 ? undefined : options[given + 1]) ?? STATE
  return {
    origin: `http://localhost:${port}`,
    token: readFileSync(resolve(cwd, tokenFile(state)), 'utf8'),
    output: () => output,
    stop: () => {
      child.kill('SIGINT')
      return ended
    },
    kill: () => {
      for (const pid of child.pid === undefined ? [] : treeOf(child.pid)) process.kill(pid, 'SIGKILL')
      return ended
    },
  }
}

/** The process and all its descendants. */
function treeOf(root: number): number[] {
  const tree = [root]
  const processes = existsSync('/proc/self/stat') ? processesOfLinux() : processesOfPs()
  for (const pid of tree) tree.push(...processes.filter(({ parent }) => parent === pid).map((child) => child.pid))
  return tree
}

interface Process {
  pid: number
  parent: number
}

function processesOfLinux(): Process[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const [, pid, parent] = /^(\d+) .*\) \S (\d+)/s.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? []
      return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent) }]
    } catch {
      // This entry is not a process, or the process has ended meanwhile.
      return []
    }
  })
}

function processesOfPs(): Process[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  return [...stdout.matchAll(/(\d+)\s+(\d+)/g)].map(([, pid, parent]) => ({ pid: Number(pid), parent: Number(parent) }))
}
