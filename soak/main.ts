/**
 * `npm run soak`: the service under 32 clients while its process is killed, its D1, KV and queue fail and so does the
 * receiver of its webhooks. Ends with exit code 0 only when nothing was lost or doubled. `--minutes N`, 3 when left out.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildBundle, freePort } from './host.ts'
import { type Memory, runClient } from './soak-clients.ts'
import { verifyEvents, verifyFollowers } from './soak-events.ts'
import { followEvents } from './soak-reader.ts'
import { NO_FAULTS, startReceiver } from './soak-receiver.ts'
import { HOURLY, makeStore, MINUTELY, settle, trigger } from './soak-store.ts'
import { openDatabase, verifyReplays, verifyStorage } from './soak-verify.ts'
import type { FaultRates } from './soak-worker.ts'

const CLIENTS = 32
/** To finish what is under way and to ask all keys again; what takes longer hangs, and has failed. */
const GRACE_MS = 5 * 60_000
/** A minute's cron comes more often, as the run is short. */
const CRON_MS = { minutely: 5000, hourly: 30_000 }
const STORM: FaultRates = {
  D1_BEFORE: 0.05,
  D1_AFTER: 0.05,
  D1_OVERLOADED: 0.002,
  KV_THROWS: 0.2,
  KV_LOSES: 0.2,
  KV_DELAYS: 0.2,
  QUEUE_THROWS: 0.1,
  QUEUE_LOSES: 0.1,
  QUEUE_DOUBLES: 0.1,
}
const RECEIVER_FAULTS = { REFUSES: 0.1, HANGS: 0.001, CUTS: 0.05 }

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '3' } } })
const duration = Number(values.minutes) * 60_000
if (!(duration > 0)) throw new Error('--minutes takes a number above 0')

const module = buildBundle('soak', 'bench/soak-worker.ts')
const persistTo = mkdtempSync(join(tmpdir(), 'registrar-soak-'))
const port = await freePort()
const origin = `http://127.0.0.1:${port}`
let kills = 0

let server = await start({}, 'first')
process.on('exit', () => kill(server))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
const memory: Memory = {
  created: new Map(),
  keys: new Map(),
  accesses: new Map(),
  acknowledged: new Map(),
  sharedAccess: '',
  wrong: [],
  tally: { requests: 0, cut: 0, failed: 0, replayed: 0, updated: 0 },
}
const receiver = await startReceiver()
const store = await makeStore({ origin, store: 'soak', clients: CLIENTS }, receiver, memory)
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
  setInterval(() => void trigger(origin, MINUTELY), CRON_MS.minutely),
  setInterval(() => void trigger(origin, HOURLY), CRON_MS.hourly),
]
const reader = followEvents(store)
const clients = [...memory.accesses.keys()].map((id) => runClient(store, memory, id, isOver))
while (!isOver()) {
  await new Promise((resolve) => setTimeout(resolve, Math.min(2000 + Math.random() * 10_000, duration / 3)))
  if (!isOver()) await restart(STORM)
}
await Promise.all(clients)
for (const timer of timers) clearInterval(timer)
console.log(progressLine())

receiver.faults = NO_FAULTS
await restart({})
await reader.finish()
const late = reader.events.filter(({ id }) => !receiver.deliveries.get(id)?.accepted).length
console.log(`asking ${memory.keys.size} keys again, delivering the last ${late} of ${reader.events.length} events`)
const [replays] = await Promise.all([verifyReplays(store, memory), settle(store, reader.events, receiver)])
kill(server)
const db = openDatabase(persistTo)
const wrong = [
  ...memory.wrong,
  ...receiver.wrong,
  ...replays,
  ...verifyStorage(db, memory),
  ...verifyEvents(db, memory),
  ...verifyFollowers(db, reader.events, receiver),
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
  const child = fork(join(import.meta.dirname, 'soak-server.ts'), args, { detached: true })
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
    `${memory.created.size} users  ${memory.keys.size} keys  ${updated} updates  ${reader.events.length} events read, ` +
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
${CLIENTS} clients, ${values.minutes} minutes, ${kills} times killed; ${tally.requests} requests, of them ${tally.cut} cut and ${tally.failed} answered 503
D1 failed before ${percent(STORM.D1_BEFORE)} and after ${percent(STORM.D1_AFTER)} of the commits, KV threw, lost and delayed ${percent(STORM.KV_THROWS)} each,
the queue threw, lost and doubled ${percent(STORM.QUEUE_THROWS)} each, the receiver refused ${refused}, cut ${cut} and held ${hung} of ${attempts} attempts
users acknowledged      ${memory.created.size}
keys acknowledged       ${memory.keys.size}, replayed under way ${tally.replayed}
updates acknowledged    ${tally.updated} on ${memory.acknowledged.size} accesses
events read             ${reader.events.length}
events delivered        ${accepted().length}, of them ${again} more than once
lost, doubled, changed  ${wrong.length}`
}

function percent(rate: number): string {
  return `${rate * 100} %`
}
