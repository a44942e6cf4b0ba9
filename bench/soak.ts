/**
 * `npm run soak`: the service under 32 clients while its process is killed and its D1 and KV fail. Ends with exit
 * code 0 only when nothing was lost or doubled. `--minutes N`, 3 when left out.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ADMIN_TOKEN, buildBundle, freePort } from './host.ts'
import { caller } from './operations.ts'
import { type Memory, runClient } from './soak-clients.ts'
import { verifyReplays, verifyStorage } from './soak-verify.ts'
import type { FaultRates } from './soak-worker.ts'

const CLIENTS = 32
/** To finish what is under way and to ask all keys again; what takes longer hangs, and has failed. */
const GRACE_MS = 5 * 60_000
const STORE = 'soak'
const CALM: FaultRates = { D1_BEFORE: 0, D1_AFTER: 0, D1_OVERLOADED: 0, KV_THROWS: 0, KV_LOSES: 0, KV_DELAYS: 0 }
const STORM: FaultRates = {
  D1_BEFORE: 0.05,
  D1_AFTER: 0.05,
  D1_OVERLOADED: 0.002,
  KV_THROWS: 0.2,
  KV_LOSES: 0.2,
  KV_DELAYS: 0.2,
}

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '3' } } })
const duration = Number(values.minutes) * 60_000
if (!(duration > 0)) throw new Error('--minutes takes a number above 0')

const module = buildBundle('soak', 'bench/soak-worker.ts')
const persistTo = mkdtempSync(join(tmpdir(), 'registrar-soak-'))
const port = await freePort()
const origin = `http://127.0.0.1:${port}`
let kills = 0

let server = await start(CALM, 'first')
process.on('exit', () => kill(server))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
const memory: Memory = {
  created: new Map(),
  keys: new Map(),
  accesses: new Map(),
  wrong: [],
  tally: { requests: 0, cut: 0, failed: 0, replayed: 0, updated: 0 },
}
const token = await seed()
await restart(STORM)

const started = Date.now()
const isOver = () => Date.now() - started > duration
setTimeout(() => {
  console.log(`no end ${GRACE_MS / 1000} s after the time was over`)
  process.exit(1)
}, duration + GRACE_MS)
const report = setInterval(() => console.log(progressLine()), 5000)
const clients = [...memory.accesses.keys()].map((id) => runClient({ origin, store: STORE, token }, memory, id, isOver))
while (!isOver()) {
  await new Promise((resolve) => setTimeout(resolve, Math.min(2000 + Math.random() * 10_000, duration / 3)))
  if (!isOver()) await restart(STORM)
}
await Promise.all(clients)
clearInterval(report)
console.log(progressLine())

await restart(CALM)
console.log(`asking ${memory.keys.size} keys again`)
const replays = await verifyReplays({ origin, store: STORE, token }, memory)
kill(server)
const stored = verifyStorage(persistTo, memory)
const wrong = [...memory.wrong, ...replays, ...stored]
const { tally } = memory
console.log(`
${CLIENTS} clients, ${values.minutes} minutes, ${kills} times killed; ${tally.requests} requests, of them ${tally.cut} cut and ${tally.failed} answered 503
D1 failed before ${STORM.D1_BEFORE * 100} % and after ${STORM.D1_AFTER * 100} % of the commits, KV threw, lost and delayed ${STORM.KV_THROWS * 100} % each
users acknowledged      ${memory.created.size}
keys acknowledged       ${memory.keys.size}, replayed under way ${tally.replayed}
updates acknowledged    ${tally.updated} on ${memory.accesses.size} accesses
lost, doubled, changed  ${wrong.length}`)
for (const line of wrong.slice(0, 20)) console.log(`  ${line}`)
if (wrong.length === 0) rmSync(persistTo, { recursive: true, force: true })
else console.log(`The storage is kept in ${persistTo}`)
process.exit(wrong.length === 0 && memory.created.size > 0 && kills > 0 ? 0 : 1)

/** In a process group of its own: workerd dies with it. */
function start(rates: FaultRates, order = 'again'): Promise<ChildProcess> {
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

async function restart(rates: FaultRates): Promise<void> {
  const ended = new Promise((resolve) => server.once('exit', resolve))
  kill(server)
  await ended
  kills++
  server = await start(rates)
}

/** A store with its token, and an access for each client. */
async function seed(): Promise<string> {
  const call = caller(origin)
  const path = `/admin/stores/${STORE}`
  await call('POST', '/admin/stores', ADMIN_TOKEN, { id: STORE, name: 'Soak', language: 'EN' })
  await call('PUT', `${path}/custom_fields/field1`, ADMIN_TOKEN, {})
  const created = await call('POST', `${path}/tokens`, ADMIN_TOKEN, { name: 'Soak' })
  const product = await call('POST', `${path}/products`, ADMIN_TOKEN, { name: 'P', slug: 'p', type: 'course' })
  for (let i = 0; i < CLIENTS; i++) {
    const user = { name: 'A', last_name: 'B', email: `access-${i}@example.com` }
    const { id: user_id } = await call('POST', `/v1/stores/${STORE}/users`, String(created['token']), user)
    const grant = { user_id, product_id: product['id'] }
    const { id } = await call('POST', `${path}/product_accesses`, ADMIN_TOKEN, grant)
    memory.accesses.set(String(id), [{ status: 'with_access', access_due_date: null }])
  }
  return String(created['token'])
}

function progressLine(): string {
  const { requests, cut, failed, updated } = memory.tally
  const seconds = Math.round((Date.now() - started) / 1000)
  return (
    `${String(seconds).padStart(4)} s  killed ${kills} times  ${requests} requests (${cut} cut, ${failed} × 503)  ` +
    `${memory.created.size} users  ${memory.keys.size} keys  ${updated} updates  ${memory.wrong.length} wrong`
  )
}
