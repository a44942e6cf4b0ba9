/** Starts the commands as processes, as a user does. */
import { type ChildProcess, spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { freePort } from '../../../scripts/free-port.ts'
import { type FakeService, STORE_TOKEN } from './service.ts'

export interface Exit {
  code: number | null
  stdout: string
  stderr: string
}

interface Options {
  to: FakeService
  token?: string
  /** The time zone of the command. */
  zone?: string
  nodeOptions?: string[]
}

export function start(
  script: 'import' | 'export',
  args: string[],
  { token = STORE_TOKEN, zone, to, nodeOptions = [] }: Options,
): ChildProcess {
  const all = [...nodeOptions, `scripts/${script}.ts`, '--store', 'demo', '--url', to.url, ...args]
  return spawn(process.execPath, all, {
    env: { ...process.env, REGISTRAR_TOKEN: token, ...(zone !== undefined && { TZ: zone }) },
    stdio: 'pipe',
  })
}

export async function waitForExit(child: ChildProcess): Promise<Exit> {
  const { stdout, stderr } = child
  const [out, err, code] = await Promise.all([
    stdout ? text(stdout) : '',
    stderr ? text(stderr) : '',
    new Promise<number | null>((resolve) => {
      child.on('close', resolve)
    }),
  ])
  return { code, stdout: out, stderr: err }
}

export function run(script: 'import' | 'export', args: string[], options: Options): Promise<Exit> {
  const child = start(script, args, options)
  return waitForExit(child)
}

/** An address at which nobody listens. */
export async function unusedAddress(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`
}
