/**
 * `npm run soak`: the service under 32 clients while its process is killed, its D1, KV and queue fail and so does the
 * receiver of its webhooks. Ends with exit code 0 only when nothing was lost or doubled. `--minutes N`, 3 when left out;
 * `--quick` 12 seconds with 8 clients.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildBundle, freePort } from '../bench/host.ts'
import { rotateToken, runClient } from './clients.ts'
import { verifyEvents, verifyFollowers } from './events.ts'
import { newMemory } from './memory.ts'
import { followEvents } from './reader.ts'
import { NO_FAULTS, startReceiver } from './receiver.ts'
import { CRONS, enable, makeStore, settle, trigger, undelivered } from './store.ts'
import { openDatabase, verifyReplays, verifyStorage } from './verify.ts'
import type { FaultRates } from './worker.ts'

/** To finish what is under way and to ask all keys again; what takes longer hangs, and has failed. */
const GRACE_MS = 5 * 60_000
/** A minute's cron comes more often, as the run is short. */
const CRON_MS = { minutely: 5000, hourly: 30_000 }
const STORM: FaultRates = {
  D1_BEFORE: 0.05,
  D1_AFTER: 0.05,
  D1_HANGS: 0.002,
  D1_UNAVAILABLE: 0.005,
  KV_THROWS: 0.2,
  KV_LOSES: 0.2,
  KV_DELAYS: 0.2,
  QUEUE_THROWS: 0.1,
  QUEUE_LOSES: 0.1,
  QUEUE_DOUBLES: 0.1,
}
const RECEIVER_FAULTS = { REFUSES: 0.1, HANGS: 0.001, CUTS: 0.05 }

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '3' }, quick: { type: 'boolean', default: false } },
})
const minutes = values.quick ? 0.2 : Number(values.minutes)
const clientCount = values.quick ? 8 : 32
const duration = minutes * 60_000
if (!(duration > 0)) throw new Error('--minutes takes a number above 0')

const module = buildBundle('soak', 'soak/worker.ts')
const persistTo = mkdtempSync(join(tmpdir(), 'registrar-soak-'))
const port = await freePort()
const origin = `http://127.0.0.1:${port}`
let kills = 0

let server = await start({}, 'first')
process.on('exit', () => kill(server))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
const memory = newMemory()
const receiver = await startReceiver()
const store = await makeStore({ origin, store: 'soak', clients: clientCount }, receiver, memory)
receiver.faults = RECEIVER_FAULTS
await restart(STORM)

const started = Date.now()
const isOver = () => Date.now() - started > duration
setTimeout(() => {
  console.log(`no end ${GRACE_MS / 1000} s after the time was over`)
  process.exit(1)
}, duration + GRACE_MS)
const timers = [
  setInterval(() => console.log(progressLine()), 5000),
  setInterval(() => void trigger(origin, CRONS.minutely), CRON_MS.minutely),
  setInterval(() => void trigger(origin, CRONS.hourly), CRON_MS.hourly),
]
const reader = followEvents(store, memory)
const clients = [
  rotateToken(store, memory, isOver),
  ...[...memory.accesses.keys()].map((id) => runClient(store, memory, id, isOver)),
]
while (!isOver()) {
  await new Promise((resolve) => setTimeout(resolve, Math.min(2000 + Math.random() * 10_000, duration / 3)))
  if (!isOver()) await restart(STORM)
}
await Promise.all(clients)
for (const timer of timers) clearInterval(timer)
console.log(progressLine())

receiver.faults = NO_FAULTS
await restart({})
await enable(store)
await reader.finish()
const late = undelivered(store, reader.events, receiver.deliveries).length
console.log(
  `asking ${memory.keys.size + memory.erased.size} keys again, delivering the last ${late} of ${reader.events.length} events`,
)
const [replays] = await Promise.all([verifyReplays(store, memory), settle(store, reader.events, receiver)])
kill(server)
const db = openDatabase(persistTo)
const wrong = [
  ...memory.wrong,
  ...receiver.wrong,
  ...replays,
  ...verifyStorage(db, memory),
  ...verifyEvents(db, memory),
  ...verifyFollowers(db, store, reader.events, receiver),
]
db.close()
console.log(finalTally())
for (const line of wrong.slice(0, 20)) console.log(`  ${line}`)
if (wrong.length === 0) rmSync(persistTo, { recursive: true, force: true })
else console.log(`The storage is kept in ${persistTo}`)
const hasHappened = memory.created.size > 0 && kills > 0 && receiver.deliveries.size > 0
process.exit(wrong.length === 0 && hasHappened ? 0 : 1)

/** In a process group of its own: workerd dies with it. A rate that is left out is none. */
function start(rates: Partial<FaultRates>, order = 'again'): Promise<ChildProcess> {
  const args = [module, persistTo, String(port), JSON.stringify(rates), order]
  const child = fork(join(import.meta.dirname, 'server.ts'), args, { detached: true })
  return new Promise((resolve, reject) => {
    child.once('message', () => resolve(child))
    child.once('exit', (code) => reject(new Error(`the server ended with ${code} before it was ready`)))
  })
}

function kill({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL')
}

async function restart(rates: Partial<FaultRates>): Promise<void> {
  const ended = new Promise((resolve) => server.once('exit', resolve))
  kill(server)
  await ended
  kills++
  server = await start(rates)
}

function progressLine(): string {
  const { requests, cut, failed, updated } = memory.tally
  const seconds = Math.round((Date.now() - started) / 1000)
  return (
    `${String(seconds).padStart(4)} s  killed ${kills} times  ${requests} requests (${cut} cut, ${failed} × 503)  ` +
    `${memory.created.size} users  ${memory.erased.size} erased  ${memory.keys.size} keys  ${updated} updates  ${reader.events.length} events read, ` +
    `${accepted().length} delivered  ${memory.wrong.length + receiver.wrong.length} wrong`
  )
}

/** How often each event was delivered that was. */
function accepted(): number[] {
  return [...receiver.deliveries.values()].map((delivery) => delivery.accepted).filter((times) => times > 0)
}

function finalTally(): string {
  const { tally } = memory
  const { attempts, refused, hung, cut } = receiver.tally
  const again = accepted().filter((times) => times > 1).length
  return `
${clientCount} clients, ${minutes} minutes, ${kills} times killed; ${tally.requests} requests, of them ${tally.cut} cut and ${tally.failed} answered 503
D1 failed before ${percent(STORM.D1_BEFORE)} and after ${percent(STORM.D1_AFTER)} of the commits and never answered ${percent(STORM.D1_HANGS)}, KV threw, lost and delayed ${percent(STORM.KV_THROWS)} each,
the queue threw, lost and doubled ${percent(STORM.QUEUE_THROWS)} each, the receiver refused ${refused}, cut ${cut} and held ${hung} of ${attempts} attempts
users acknowledged      ${memory.created.size}, of them ${tally.batched} in batches
users erased            ${memory.erased.size}
counted under If-Match  ${memory.counter.acknowledged}, outrun ${tally.outrun} times
secrets rotated         ${tally.rotated} times
keys acknowledged       ${memory.keys.size}, replayed under way ${tally.replayed}
updates acknowledged    ${tally.updated} on ${memory.acknowledged.size} accesses
events read             ${reader.events.length}
events delivered        ${accepted().length}, of them ${again} more than once
lost, doubled, changed  ${wrong.length}`
}

function percent(rate: number): string {
  return `${Number((rate * 100).toFixed(1))} %`
}
