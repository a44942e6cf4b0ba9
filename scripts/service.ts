/** Starts `npm run dev` for the scripts that test the running service. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { TOKEN_FILE } from './demo.ts'

export interface Service {
  origin: string
  /** Of the demo store. */
  token: string
  /** What it has printed. */
  output: () => string
  /** Ends it as a Ctrl-C does; the exit code. */
  stop: () => Promise<number | null>
}

/** Resolves once the demo store is ready; throws when the service ends before. */
export async function startService(port: number): Promise<Service> {
  const child = spawn(process.execPath, ['scripts/dev.ts', '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = new Promise<number | null>((resolve) => {
    child.on('exit', resolve)
  })
  await new Promise<void>((resolve, reject) => {
    const collect = (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('Ctrl-C stops')) resolve()
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    void ended.then((code) => reject(new Error(`npm run dev ended with ${code}:\n${output}`)))
  })
  return {
    origin: `http://localhost:${port}`,
    token: readFileSync(TOKEN_FILE, 'utf8'),
    output: () => output,
    stop: () => {
      child.kill('SIGINT')
      return ended
    },
  }
}
