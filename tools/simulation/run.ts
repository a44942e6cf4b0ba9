/**
 * One run: a world, a service, its clients, and the violations that the checks find. The same seed gives the same run.
 */
import { createHash } from 'node:crypto'
import { checkHistories } from './checks/explain.ts'
import { missingEvents } from './checks/webhooks.ts'
import { checkStore } from './checks/store.ts'
import { restore } from './exam/recovery.ts'
import { checkResponses } from './checks/responses.ts'
import { checkCreations } from './checks/creations.ts'
import { checkPlaces } from './checks/places.ts'
import { checkRows } from './checks/rows.ts'
import { checkSecrecy } from './checks/checks.ts'
import { examine } from './exam/examine.ts'
import { type Course, runBulkChanges, setUpCourse } from './clients/bulk.ts'
import { enable } from './clients/endpoints.ts'
import type { Client, Quarantine, Store } from './clients/client.ts'
import { runClient } from './clients/clients.ts'
import * as contract from './contract.ts'
import { contentOf, type SimulatedEvidence, readAll, readEvidence } from './checks/evidence.ts'
import { follow } from './clients/followers.ts'
import { HOLIDAY_STEP_MS, passMinutes } from './world/crons.ts'
import { connect } from './world/connection.ts'
import { setWorld } from './world/globals.ts'
import { describe, History } from './clients/history.ts'
import { type Copy, loadCopies, Service } from './world/instances.ts'
import { type Delivery, simulateReceivers } from './world/receiver.ts'
import { choosePlaces, type Switch } from './world/places.ts'
import { createQuarantine, newStore, renew, setUp } from './set-up.ts'
import { readMigrations } from './world/source.ts'
import { Database } from './world/sqlite.ts'
import { type Fault, World } from './world/world.ts'

const CLIENTS = 8
/** The number of steps of each client. */
const STEPS = 10
const FOLLOWERS = [{}, { pausesInHoliday: true }, { type: 'product_access.updated' }]
const MINUTE_MS = 60_000
/** After the last fault, every event must be delivered within this time. */
const PATIENCE_MINUTES = 100

export interface Run {
  seed: number
  /** Each is one sentence. */
  violations: string[]
  faults: Fault[]
  /** The names of the clients' steps. Shrinking removes some of them. */
  steps: string[]
  requests: number
  /** Invocations of the Worker: by requests and crons. */
  invocations: number
  /** What happened, line by line. */
  story: string[]
  /** How often each interesting state was reached (states.ts). */
  counts: Map<string, number>
  /** A hash of all requests, responses, faults and deliveries. The same seed gives the same digest. */
  digest: string
}

const database = new Database()
database.exec(readMigrations())
let loaded: readonly Copy[] | undefined

export interface Variant {
  place?: Switch
}

interface Options extends Variant {
  /** The ids and kinds of faults, and the names of steps, that do not run. */
  without?: ReadonlySet<string>
}

export async function simulate(seed: number, { without = new Set(), place = 'both' }: Options = {}): Promise<Run> {
  loaded ??= await loadCopies()
  database.clear()
  const world = new World({ seed, without })
  const service = new Service(world, loaded, database)
  const history = new History(world, connect(world, service))
  const deliveries: Delivery[] = []
  setWorld(world, simulateReceivers(world, deliveries))
  const violations: string[] = []
  // Without a listener, the process would end, and its seed would be lost.
  const onRejection = (reason: unknown) =>
    void violations.push(
      `nobody handles a rejection: ${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}`,
    )
  process.on('unhandledRejection', onRejection)
  try {
    const parts = runAndCheck({ seed, place, world, service, history, deliveries, without }).then((found) =>
      violations.push(...found),
    )
    await world.runUntil(parts)
  } catch (error) {
    violations.push(`the run was aborted: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  } finally {
    setWorld(undefined)
    process.off('unhandledRejection', onRejection)
  }
  const { exchanges } = history
  const lines = [
    // Successful reads of followers and checks would make the story too long to read.
    ...exchanges
      .filter(({ name, status = 0 }) => name.startsWith('client') || status === 0 || status >= 400)
      .map((each) => ({ at: each.at, text: describe(each) })),
    ...world.crons.map(({ at, name }) => ({ at, text: `  ⏰ ${name}` })),
    ...world.faults.map(({ at, id, what }) => ({ at, text: `  ✗ ${id} ${what}` })),
    ...deliveries.map(({ at, url, id, status }) => ({ at, text: `  → ${url} ${id} ${status}` })),
  ].toSorted((a, b) => a.at - b.at)
  const story = lines.map(({ at, text }) => `${new Date(at).toISOString().slice(11, 23)} ${text}`)
  const digest = createHash('sha256')
  for (const { name, text, at } of exchanges) digest.update(`${name} ${at} ${text}`)
  for (const line of story) digest.update(line)
  return {
    seed,
    violations: [...history.violations, ...world.defects, ...violations],
    faults: world.faults,
    steps: [...new Set(exchanges.map(({ name }) => /^client \d+\.\d+/.exec(name)?.[0]))].filter(
      (name) => name !== undefined,
    ),
    requests: exchanges.length,
    invocations: service.invocations,
    story,
    counts: world.counts,
    digest: digest.digest('hex').slice(0, 16),
  }
}

interface RunParts {
  seed: number
  place: Switch
  world: World
  service: Service
  history: History
  deliveries: Delivery[]
  without: ReadonlySet<string>
}

/** Runs the whole simulation and returns the violations that are found at its end. */
async function runAndCheck(parts: RunParts): Promise<string[]> {
  const { world, history, deliveries } = parts
  const places = choosePlaces(world.random.stream('places'), parts.place)
  const quarantine: Quarantine = { id: 'quarantine', place: places.quarantine, tokens: [] }
  await createQuarantine(history, quarantine)
  const [red, blue] = [newStore('red', places.competing[0]), newStore('blue', places.competing[1])]
  const stores = [red, blue]
  const examined = newStore('green', places.examined)
  const client = (name: string, i: number): Client & { world: World } => {
    const [store, other] = i % 2 === 0 ? [red, blue] : [blue, red]
    return { name, store, other, examined, quarantine, world, history }
  }
  for (const [i, store] of stores.entries()) await setUp(client(`set up ${store.id}`, i))
  // The clients of courses are numbered after the others.
  const courses: Course[] = []
  for (const i of stores.keys()) courses.push(await setUpCourse(client(`client ${CLIENTS + i}`, i)))
  const time = { isOver: false, isDone: false }
  const minutes = runAs(world, 'clock', () => passMinutes(world, parts.service, () => time.isDone))
  const followers = stores.map((_, i) =>
    Promise.all(
      FOLLOWERS.map((kind, n) =>
        runAs(world, `follower ${i}.${n}`, () => follow(client(`follower ${i}.${n}`, i), kind, () => time.isOver)),
      ),
    ),
  )
  const clients = Array.from({ length: CLIENTS }, (_, i) => client(`client ${i}`, i))
  const hasHoliday = world.random.stream('holiday').chance(0.15)
  await runWithFaults(parts, { clients, courses }, { from: 0, to: hasHoliday ? STEPS / 2 : STEPS })
  if (hasHoliday) {
    await waitForDeliveries(parts, stores)
    await passHoliday(world)
    quarantine.tokens = []
    for (const [i, store] of stores.entries()) await renew(client(`after the holiday ${store.id}`, i), store)
    await runWithFaults(parts, { clients, courses }, { from: STEPS / 2, to: STEPS })
  }
  await waitForDeliveries(parts, stores)
  const { exam, followed } = await runAs(world, 'exam', () => examine(client('exam', 0), parts.seed))
  const settled = await waitForDeliveries(parts, [...stores, examined])
  time.isOver = true
  const read = [...(await Promise.all(followers)), [followed]]
  const storeViolations: string[] = []
  const evidence: SimulatedEvidence = {
    world,
    history,
    stores: [...stores, examined],
    deliveries,
    ...contentOf(database, {
      own: [...parts.service.objects.StoreDatabase.databases().values()],
      endpoints: parts.service.objects.WebhookEndpoint.databases(),
    }),
  }
  for (const [i, store] of [...stores, examined].entries()) {
    // The copy is made before the events are read. A cron may insert and deliver an event after the feed was read.
    const delivered = [...deliveries]
    const found = await readEvidence(history, store, read[i] ?? [])
    const known = { ...evidence, deliveries: delivered }
    storeViolations.push(...checkStore(known, found, settled).map((text) => `${store.id}: ${text}`))
  }
  storeViolations.push(...(await runAs(world, 'creations', () => checkCreations(history, evidence))))
  time.isDone = true
  await minutes
  // Before the restore, which takes back what these histories contain.
  const unexplained = checkHistories([red, blue, quarantine], history)
  if (parts.seed % 6 === 4 && examined.place.place === 'shared')
    await runAs(world, 'restore', () => restore(exam, database, world.random.stream('restore')))
  return [
    ...unexplained,
    ...checkResponses(history),
    ...checkRows(evidence),
    ...checkPlaces({ ...evidence, stored: parts.service.stored }),
    ...['StoreDatabase' as const, 'WebhookEndpoint' as const].flatMap((name) =>
      parts.service.objects[name].withoutAlarm().map((label) => `${label} has no alarm`),
    ),
    ...checkSecrecy(evidence),
    ...storeViolations,
  ]
}

function runAs<T>(world: World, name: string, task: () => Promise<T>): Promise<T> {
  world.actor = world.newActor(name)
  return task()
}

/** The clients execute these steps while faults occur. Afterwards no faults occur any more. */
async function runWithFaults(
  { world, history, without }: RunParts,
  { clients, courses }: { clients: Client[]; courses: Course[] },
  steps: { from: number; to: number },
): Promise<void> {
  world.isFaultFree = false
  const script = { ...steps, without }
  const runs = [
    ...clients.map((client) => ({ client, run: () => runClient(client, script) })),
    ...courses.map((course) => ({ client: course.client, run: () => runBulkChanges(course, script) })),
  ]
  await Promise.all(runs.map(({ client, run }) => runAs(world, `${client.name} from ${steps.from}`, run)))
  world.isFaultFree = true
  world.isExporting = false
  world.areObjectsDown = false
  // By then, batches that are late have arrived.
  await world.sleep(2 * MINUTE_MS)
  // Nobody follows these events, and they may be deleted before the end of the run.
  await readAll(history, `until step ${steps.to}`, contract.listEvents, 'quarantine')
}

/** Passes eight days without clients, in which claims expire and events are deleted. */
async function passHoliday(world: World): Promise<void> {
  world.isHoliday = true
  const end = world.now + 8 * 24 * 60 * MINUTE_MS
  // The holiday ends just before the next step of the crons, so that they continue every minute at once.
  await world.sleep(end - (end % HOLIDAY_STEP_MS) - 1 - world.now)
  world.isHoliday = false
}

/** Enables every endpoint, waits until every event is delivered or the patience ends, and returns the time. */
async function waitForDeliveries({ world, history, deliveries }: RunParts, stores: Store[]): Promise<number> {
  for (const store of stores) {
    for (const each of store.endpoints) await enable({ store, history }, `enable ${each.url} at ${world.now}`, each)
  }
  for (let waited = 0; waited < PATIENCE_MINUTES; waited = waited * 2 + 1) {
    let isSettled = true
    const now = world.now
    for (const store of stores) {
      const events = await readAll(history, `settle at ${world.now}`, contract.listEvents, store.id)
      isSettled &&= store.endpoints.every((endpoint) => missingEvents(endpoint, events, deliveries).length === 0)
      const bulkChanges = await readAll(
        history,
        `settle bulk changes at ${world.now}`,
        contract.listBulkChanges,
        store.id,
      )
      isSettled &&= bulkChanges.every(({ finished_at }) => finished_at !== null)
    }
    if (isSettled) return now
    await world.sleep((waited + 1) * MINUTE_MS)
  }
  return world.now
}
