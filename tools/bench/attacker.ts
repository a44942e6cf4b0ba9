/** The thread that attacks for tools/bench/fairness.ts. It reports how many responses had each status. */
import { parentPort, workerData } from 'node:worker_threads'
import { Client } from 'undici'
import { ATTACKS, type Attack, type Attacker } from './attacks.ts'

export interface AttackData {
  id: string
  origin: string
  attacker: Attacker
  milliseconds: number
}

const { id, origin, attacker, milliseconds }: AttackData = workerData
const attack = ATTACKS.find((known) => known.id === id)
if (!attack) throw new Error(`There is no attack ${id}`)

tell('ready')
const statuses = new Map<number, number>()
const end = performance.now() + milliseconds
await Promise.all(Array.from({ length: attack.connections }, (_, i) => send(attack, i)))
tell(statuses)

function tell(message: unknown): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- this is a port of a thread, not a window
  parentPort?.postMessage(message)
}

/** Sends one request of the attack after another. A response that is not complete at the end is not waited for. */
async function send(sent: Attack, first: number): Promise<void> {
  const client = new Client(origin)
  for (let i = first; performance.now() < end; i += sent.connections) {
    const token = attacker.tokens[i % attacker.tokens.length] ?? ''
    const { headers, ...request } = sent.next(attacker, i)
    const response = await beforeEnd(
      client.request({ ...request, headers: { ...headers, authorization: `Bearer ${token}` } }),
    )
    if (!response) break
    await beforeEnd(response.body.dump({ limit: Number.MAX_SAFE_INTEGER }))
    statuses.set(response.statusCode, (statuses.get(response.statusCode) ?? 0) + 1)
  }
  await client.destroy()
}

/** Returns undefined if the attack ends first. */
async function beforeEnd<T>(promise: Promise<T>): Promise<T | undefined> {
  const timeout = new Promise<undefined>((resolve) => {
    setTimeout(() => resolve(undefined), Math.max(0, end - performance.now()))
  })
  return Promise.race([promise.catch(() => undefined), timeout])
}
