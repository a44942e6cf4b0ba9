/** The service in a process of its own, which is killed and started again on the same disk. */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildBundle } from '../bench/host.ts'
import type { Send } from '../simulation/clients/client-world.ts'
import { HOOKS } from '../simulation/contract.ts'
import { pause } from '../../src/lib/pause.ts'
import { type FaultRates, RESENT } from './fault-rates.ts'
import type { Start } from './server.ts'

/** Each batch of the service has a deadline, so every request gets a response earlier than this. */
const TIMEOUT_MS = 90_000
const RECONNECT_MS = 50

export class Service {
  readonly persistTo = mkdtempSync(join(tmpdir(), 'registrar-soak-'))
  readonly #module = buildBundle('soak', 'tools/soak/worker.ts', { hasObjects: true })
  readonly #port: number
  readonly #hooks: string
  #process: ChildProcess | undefined
  /** It has loaded everything and waits, because loading takes longer than the start of workerd. */
  #next: ChildProcess
  kills = 0

  /** `hooks` is where the receivers of webhooks really are. */
  constructor({ port, hooks }: { port: number; hooks: string }) {
    this.#port = port
    this.#hooks = hooks
    this.#next = this.#fork()
  }

  /** An omitted rate is 0. */
  async start(rates: Partial<FaultRates> = {}): Promise<void> {
    const child = this.#next
    const ready = new Promise((resolve, reject) => {
      child.once('message', resolve)
      child.once('exit', (code) => reject(new Error(`the service exited with ${code} before it was ready`)))
    })
    child.send({ rates, isFirst: this.kills === 0 } satisfies Start)
    await ready
    this.#process = child
    this.#next = this.#fork()
  }

  /** It has a process group of its own, or workerd would survive the kill. */
  #fork(): ChildProcess {
    return fork(join(import.meta.dirname, 'server.ts'), [this.#module, this.persistTo, String(this.#port)], {
      detached: true,
    })
  }

  /** Kills the process in the middle of its work. */
  async kill(): Promise<void> {
    const child = this.#process
    if (child === undefined) return
    this.#process = undefined
    const exited = new Promise((resolve) => child.once('exit', resolve))
    killGroup(child)
    this.kills++
    await exited
  }

  /** For the end of the soak. */
  stop(): void {
    for (const child of [this.#process, this.#next]) if (child) killGroup(child)
  }

  async restart(rates?: Partial<FaultRates>): Promise<void> {
    await this.kill()
    await this.start(rates)
  }

  /** Waits while the connection is refused, because the service did not get such a request. */
  readonly send: Send = async (_, { method, path, token, body, headers }) => {
    const text = body === undefined ? undefined : JSON.stringify(body).replaceAll(HOOKS, this.#hooks)
    const type = text === undefined ? undefined : { 'Content-Type': 'application/json' }
    for (;;) {
      try {
        const response = await fetch(`http://127.0.0.1:${this.#port}${path}`, {
          method,
          headers: { Authorization: `Bearer ${token}`, ...type, ...headers },
          ...(text === undefined ? {} : { body: text }),
          signal: AbortSignal.timeout(TIMEOUT_MS),
        })
        const wasResent = response.headers.has(RESENT)
        const received = (await response.text()).replaceAll(this.#hooks, HOOKS)
        return { status: response.status, headers: response.headers, text: received, wasResent }
      } catch (error) {
        if (!isRefused(error)) return undefined
        await pause(RECONNECT_MS)
      }
    }
  }

  /** Runs a cron. Returns false if it failed: the next run does its work. */
  async runCron(cron: string): Promise<boolean> {
    const path = `/__scheduled?cron=${encodeURIComponent(cron)}`
    const response = await this.send('cron', { method: 'GET', path, token: '' })
    return response?.status === 204
  }
}

function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL')
}

function isRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED'
}
