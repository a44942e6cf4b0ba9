/** One run: a world, a service, its clients, and what is wrong in the end. The same seed is the same run. */
import { createHash } from 'node:crypto'
import { recordAfterwards } from './afterwards.ts'
import { checkEvents } from './check-events.ts'
import { checkEndpoint, checkLeases, missingEvents } from './check-webhooks.ts'
import { checkErasures, checkHistories, checkIds, checkRecords, checkReplays, checkSecrecy } from './checks.ts'
import { enable } from './client-endpoints.ts'
import { recordRevocations } from './client-operators.ts'
import type { Client, Quarantine, Store } from './client.ts'
import { runClient } from './clients.ts'
import * as contract from './contract.ts'
import { type Evidence, gather, readAll, type StoreEvidence } from './evidence.ts'
import { follow } from './followers.ts'
import { HOLIDAY_STEP_MS, passMinutes } from './crons.ts'
import { enter } from './globals.ts'
import { describe, History } from './history.ts'
import { loadCopies, Service } from './instances.ts'
import { type Delivery, simulateReceivers } from './receiver.ts'
import { makeQuarantine, newStore, renew, setUp } from './set-up.ts'
import { readMigrations } from './source.ts'
import { Database } from './sqlite.ts'
import { type Mishap, World } from './world.ts'

const CLIENTS = 8
/** Of each client. */
const STEPS = 10
const FOLLOWERS = [{}, { rests: true }, { type: 'product_access.updated' }]
const MINUTE_MS = 60_000
/** How long everything is given to be delivered once nothing goes wrong any more. */
const PATIENCE_MINUTES = 100

export interface Run {
  seed: number
  /** One sentence each. */
  violations: string[]
  mishaps: Mishap[]
  /** The names of what the clients did: what may be left out. */
  steps: string[]
  requests: number
  /** Of the Worker: requests, messages of the queue and crons. */
  invocations: number
  /** What happened, line by line. */
  story: string[]
  /** Of everything that was asked, answered and delivered: the same seed has the same one. */
  digest: string
}

const database = new Database()
database.exec(readMigrations())
const copies = await loadCopies()

export async function simulate(seed: number, without: ReadonlySet<string> = new Set()): Promise<Run> {
  database.clear()
  const world = new World({ seed, without: without })
  const service = new Service(world, copies, database)
  const history = new History(world, service)
  const deliveries: Delivery[] = []
  enter(world, simulateReceivers(world, deliveries))
  const violations: string[] = []
  try {
    const life = live({ world, service, history, deliveries, without }).then((wrong) => violations.push(...wrong))
    await world.runUntil(life)
  } catch (error) {
    violations.push(`the run broke off: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  } finally {
    enter(undefined)
  }
  const { told } = history
  const lines = [
    // What followers and checks read is said where it went wrong alone.
    ...told
      .filter(({ name, status = 0 }) => name.startsWith('client') || status === 0 || status >= 400)
      .map((each) => ({ at: each.at, text: describe(each) })),
    ...world.mishaps.map(({ at, id, what }) => ({ at, text: `  ✗ ${id} ${what}` })),
    ...deliveries.map(({ at, url, id, status }) => ({ at, text: `  → ${url} ${id} ${status}` })),
  ].toSorted((a, b) => a.at - b.at)
  const story = lines.map(({ at, text }) => `${new Date(at).toISOString().slice(11, 23)} ${text}`)
  const digest = createHash('sha256')
  for (const { name, text, at } of told) digest.update(`${name} ${at} ${text}`)
  for (const line of story) digest.update(line)
  return {
    seed,
    violations: [...history.violations, ...world.defects, ...violations],
    mishaps: world.mishaps,
    steps: [...new Set(told.map(({ name }) => /^client \d+\.\d+/.exec(name)?.[0]))].filter(
      (name) => name !== undefined,
    ),
    requests: told.length,
    invocations: service.invocations,
    story,
    digest: digest.digest('hex').slice(0, 16),
  }
}

interface Life {
  world: World
  service: Service
  history: History
  deliveries: Delivery[]
  without: ReadonlySet<string>
}

/** Answers what is wrong in the end. */
async function live(life: Life): Promise<string[]> {
  const { world, history, deliveries } = life
  const quarantine: Quarantine = { id: 'quarantine', tokens: [], former: [], revocations: [] }
  await makeQuarantine(history, quarantine.id)
  const [red, blue] = [newStore('red'), newStore('blue')]
  const stores = [red, blue]
  const client = (name: string, i: number): Client => {
    const [store, other] = i % 2 === 0 ? [red, blue] : [blue, red]
    return { name, store, other, quarantine, world, history }
  }
  for (const [i, store] of stores.entries()) await setUp(client(`set up ${store.id}`, i))
  const time = { isOver: false, isDone: false }
  const minutes = act(world, 'clock', () => passMinutes(world, life.service, () => time.isDone))
  const followers = stores.map((_, i) =>
    Promise.all(
      FOLLOWERS.map((kind, n) =>
        act(world, `follower ${i}.${n}`, () => follow(client(`follower ${i}.${n}`, i), kind, () => time.isOver)),
      ),
    ),
  )
  const clients = Array.from({ length: CLIENTS }, (_, i) => client(`client ${i}`, i))
  const hasHoliday = world.random.stream('holiday').chance(0.15)
  await storm(life, clients, { from: 0, to: hasHoliday ? STEPS / 2 : STEPS })
  if (hasHoliday) {
    await settle(life, stores)
    await rest(world)
    quarantine.former.push(...quarantine.tokens.splice(0))
    for (const [i, store] of stores.entries()) await renew(client(`after the holiday ${store.id}`, i), store)
    await storm(life, clients, { from: STEPS / 2, to: STEPS })
  }
  const settled = await settle(life, stores)
  time.isOver = true
  const read = await Promise.all(followers)
  const wrong: string[] = []
  recordRevocations({ quarantine, history })
  const evidence: Evidence = { world, history, stores, deliveries, tables: database.dump() }
  for (const [i, store] of stores.entries()) {
    recordAfterwards(store, history)
    // Copied before the events are read: a cron may insert and deliver an event after the feed was read.
    const delivered = [...deliveries]
    const found = await gather(history, store, read[i] ?? [])
    const known = { ...evidence, deliveries: delivered }
    wrong.push(...checkStore(known, found, settled).map((text) => `${store.id}: ${text}`))
  }
  time.isDone = true
  await minutes
  return [...checkHistories(history), ...checkReplays(history), ...checkSecrecy(evidence), ...wrong]
}

function checkStore(evidence: Evidence, found: StoreEvidence, settled: number): string[] {
  const { world, history, deliveries } = evidence
  const { store, events } = found
  const all = [...store.endpoints, ...store.formerEndpoints]
  // What the cron tells since then is still under way.
  const old = events.filter(({ timestamp }) => Date.parse(String(timestamp)) < settled)
  const lost = store.endpoints.flatMap((each) => missingEvents(each, old, deliveries).map(({ id }) => [id, each.url]))
  return [
    ...checkRecords(found),
    ...checkIds(history, found),
    ...checkErasures(evidence, found),
    // The last run of the cron that nothing went wrong with.
    ...checkEvents(found, history, world.now - 2 * MINUTE_MS),
    ...all.flatMap((endpoint) => checkEndpoint(store.id, endpoint, events, deliveries)),
    // A lease ends by the clocks of those who make it and who find it.
    ...(world.mishaps.some(({ what }) => what === 'D1: the clock jumps')
      ? []
      : all.flatMap((endpoint) => checkLeases(endpoint, deliveries))),
    ...lost.map(([id, url]) => `event ${String(id)} was not delivered to ${String(url)}`),
  ]
}

function act<T>(world: World, name: string, task: () => Promise<T>): Promise<T> {
  world.actor = world.newActor(name)
  return task()
}

/** The clients do these of their steps while everything goes wrong, and then nothing does any more. */
async function storm({ world, without }: Life, clients: Client[], steps: { from: number; to: number }): Promise<void> {
  world.isCalm = false
  await Promise.all(
    clients.map((each) => act(world, `${each.name} from ${steps.from}`, () => runClient(each, { ...steps, without }))),
  )
  world.isCalm = true
  world.isExporting = false
  // Batches that are still on their way have arrived by then.
  await world.sleep(2 * MINUTE_MS)
}

/** Eight days in which nobody does anything: claims end, events are deleted. */
async function rest(world: World): Promise<void> {
  world.isHoliday = true
  const end = world.now + 8 * 24 * 60 * MINUTE_MS
  // Just before the clock's next step, so that the crons go on at once.
  await world.sleep(end - (end % HOLIDAY_STEP_MS) - 1 - world.now)
  world.isHoliday = false
}

/** Enables every endpoint, waits until every event is delivered, or long enough, and answers when that was. */
async function settle({ world, history, deliveries }: Life, stores: Store[]): Promise<number> {
  for (const store of stores) {
    for (const each of store.endpoints) await enable({ store, history }, `enable ${each.url} at ${world.now}`, each)
  }
  for (let waited = 0; waited < PATIENCE_MINUTES; waited = waited * 2 + 1) {
    let isSettled = true
    const now = world.now
    for (const store of stores) {
      const events = await readAll(history, `settle at ${world.now}`, contract.listEvents, store.id)
      isSettled &&= store.endpoints.every((endpoint) => missingEvents(endpoint, events, deliveries).length === 0)
    }
    if (isSettled) return now
    await world.sleep((waited + 1) * MINUTE_MS)
  }
  return world.now
}
