/**
 * `npm run soak` runs the service with 32 clients while its process is killed and its D1, KV, objects and webhook
 * receiver fail. It exits with 0 only if nothing was lost or duplicated. `--minutes N` sets the duration, by default 3;
 * `--quick` takes 12 seconds with 8 clients. With `--place own`, the store has a database of its own, which has the faults
 * of D1 as well. `--dead-endpoints` runs dead-endpoints.ts instead.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildBundle, freePort } from '../bench/host.ts'
import { rotateToken, runClient } from './clients.ts'
import { soakDeadEndpoints } from './dead-endpoints.ts'
import { verifyEvents, verifyReaders } from './events.ts'
import { newMemory } from './memory.ts'
import { followEvents } from './reader.ts'
import { NO_FAULTS, startReceiver } from './receiver.ts'
import { PLACES } from '../src/db/places.ts'
import { createStore, CRONS, enableEndpoint, triggerCron, undelivered, waitForDeliveries } from './store.ts'
import { openDatabase, verifyReplays, verifyStorage } from './verify.ts'
import type { FaultRates } from './worker.ts'

/** When the time is over, everything must end and all keys must be replayed within this time, or the soak fails. */
const GRACE_MS = 5 * 60_000
/** The jobs run more often than in production, because the soak is short. */
const CRON_MS = { minutely: 5000, hourly: 30_000 }
const FAULT_RATES: FaultRates = {
  D1_BEFORE: 0.05,
  D1_AFTER: 0.05,
  D1_HANGS: 0.002,
  D1_UNAVAILABLE: 0.005,
  KV_THROWS: 0.2,
  KV_LOSES: 0.2,
  KV_DELAYS: 0.2,
  WAKE_THROWS: 0.1,
  WAKE_LOSES: 0.1,
}
const RECEIVER_FAULTS = { REJECTS: 0.1, HANGS: 0.001, CUTS: 0.05 }

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '3' },
    quick: { type: 'boolean', default: false },
    'dead-endpoints': { type: 'boolean', default: false },
    busy: { type: 'boolean', default: false },
    place: { type: 'string', default: 'shared' },
  },
})
if (values['dead-endpoints']) {
  const problems = await soakDeadEndpoints({ isBusy: values.busy })
  console.log(`problems: ${problems.length}`)
  for (const line of problems) console.log(`  ${line}`)
  process.exit(problems.length === 0 ? 0 : 1)
}
const minutes = values.quick ? 0.2 : Number(values.minutes)
const clientCount = values.quick ? 8 : 32
const duration = minutes * 60_000
if (!(duration > 0)) throw new Error('--minutes must be a number above 0')
const place = PLACES.find((name) => name === values.place)
if (place === undefined) throw new Error(`--place must be ${PLACES.join(' or ')}`)

const module = buildBundle('soak', 'soak/worker.ts', { hasObjects: true })
const persistTo = mkdtempSync(join(tmpdir(), 'registrar-soak-'))
const port = await freePort()
const origin = `http://127.0.0.1:${port}`
let kills = 0

let server = await start({}, 'first')
process.on('exit', () => kill(server))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
const memory = newMemory()
const receiver = await startReceiver()
const store = await createStore({ origin, store: 'soak', place, clients: clientCount }, receiver, memory)
receiver.faults = RECEIVER_FAULTS
await restart(FAULT_RATES)

const started = Date.now()
const isOver = () => Date.now() - started > duration
setTimeout(() => {
  console.log(`The soak did not end within ${GRACE_MS / 1000} s after its time was over`)
  process.exit(1)
}, duration + GRACE_MS)
const timers = [
  setInterval(() => console.log(progressLine()), 5000),
  setInterval(() => void triggerCron(origin, CRONS.minutely), CRON_MS.minutely),
  setInterval(() => void triggerCron(origin, CRONS.hourly), CRON_MS.hourly),
]
const reader = followEvents(store, memory)
const clients = [
  rotateToken(store, memory, isOver),
  ...[...memory.accesses.keys()].map((id) => runClient(store, memory, id, isOver)),
]
while (!isOver()) {
  await new Promise((resolve) => setTimeout(resolve, Math.min(2000 + Math.random() * 10_000, duration / 3)))
  if (!isOver()) await restart(FAULT_RATES)
}
await Promise.all(clients)
for (const timer of timers) clearInterval(timer)
console.log(progressLine())

receiver.faults = NO_FAULTS
await restart({})
await enableEndpoint(store)
await reader.finish()
const late = undelivered(store, reader.events, receiver.deliveries).length
console.log(
  `replaying ${memory.keys.size + memory.erased.size} keys, delivering the last ${late} of ${reader.events.length} events`,
)
const [replays] = await Promise.all([verifyReplays(store, memory), waitForDeliveries(store, reader.events, receiver)])
kill(server)
const db = openDatabase(persistTo)
const problems = [
  ...memory.problems,
  ...receiver.problems,
  ...replays,
  ...verifyStorage(db, memory),
  ...verifyEvents(db, memory),
  ...verifyReaders(db, store, reader.events, receiver),
]
db.close()
console.log(finalReport())
for (const line of problems.slice(0, 20)) console.log(`  ${line}`)
if (problems.length === 0) rmSync(persistTo, { recursive: true, force: true })
else console.log(`The storage is kept in ${persistTo}`)
const hasRun = memory.created.size > 0 && kills > 0 && receiver.deliveries.size > 0
process.exit(problems.length === 0 && hasRun ? 0 : 1)

/** The server has its own process group, or workerd would survive the kill. An omitted rate is 0. */
function start(rates: Partial<FaultRates>, order = 'again'): Promise<ChildProcess> {
  const args = [module, persistTo, String(port), JSON.stringify(rates), order]
  const child = fork(join(import.meta.dirname, 'server.ts'), args, { detached: true })
  return new Promise((resolve, reject) => {
    child.once('message', () => resolve(child))
    child.once('exit', (code) => reject(new Error(`the server exited with ${code} before it was ready`)))
  })
}

function kill({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL')
}

async function restart(rates: Partial<FaultRates>): Promise<void> {
  const exited = new Promise((resolve) => server.once('exit', resolve))
  kill(server)
  await exited
  kills++
  server = await start(rates)
}

function progressLine(): string {
  const { requests, cut, failed, updated } = memory.tally
  const seconds = Math.round((Date.now() - started) / 1000)
  return (
    `${String(seconds).padStart(4)} s  killed ${kills} times  ${requests} requests (${cut} cut, ${failed} × 503)  ` +
    `${memory.created.size} users  ${memory.erased.size} erased  ${memory.keys.size} keys  ${updated} updates  ${reader.events.length} events read, ` +
    `${accepted().length} delivered  ${memory.problems.length + receiver.problems.length} problems`
  )
}

/** Returns for each delivered event how often it was delivered. */
function accepted(): number[] {
  return [...receiver.deliveries.values()].map((delivery) => delivery.accepted).filter((times) => times > 0)
}

function finalReport(): string {
  const { tally } = memory
  const { attempts, rejected, hung, cut } = receiver.tally
  const again = accepted().filter((times) => times > 1).length
  return `
${clientCount} clients, ${minutes} minutes, killed ${kills} times; ${tally.requests} requests, of which ${tally.cut} were cut and ${tally.failed} got 503
D1 failed before ${percent(FAULT_RATES.D1_BEFORE)} and after ${percent(FAULT_RATES.D1_AFTER)} of the commits and never responded to ${percent(FAULT_RATES.D1_HANGS)}, KV threw, lost and delayed ${percent(FAULT_RATES.KV_THROWS)} each,
wake-ups of objects threw and were lost in ${percent(FAULT_RATES.WAKE_THROWS)} each, the receiver rejected ${rejected}, cut ${cut} and hung on ${hung} of ${attempts} attempts
users acknowledged      ${memory.created.size}, ${tally.batched} of them in batches
users erased            ${memory.erased.size}
counted with If-Match   ${memory.counter.acknowledged}, ${tally.conflicts} conflicts
secrets rotated         ${tally.rotated} times
keys acknowledged       ${memory.keys.size}, replayed meanwhile ${tally.replayed}
updates acknowledged    ${tally.updated} on ${memory.acknowledged.size} accesses
responses with a later state  ${memory.laterStates.length}
events read             ${reader.events.length}
events delivered        ${accepted().length}, ${again} of them more than once
problems                ${problems.length}`
}

function percent(rate: number): string {
  return `${Number((rate * 100).toFixed(1))} %`
}
