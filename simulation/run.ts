/** One run: a world, a service, its clients, and what is wrong in the end. The same seed is the same run. */
import { createHash } from 'node:crypto'
import { checkHistories, checkSecrecy, checkStore, type Evidence, isDelivered, readAll } from './checks.ts'
import { grant, recordErasures } from './client-accesses.ts'
import { type Client, enableEndpoint, follow, runClient, type Store } from './clients.ts'
import { CONFIG, readMigrations } from './config.ts'
import * as contract from './contract.ts'
import { enter } from './globals.ts'
import { describe, History } from './history.ts'
import { forgetCallers, loadCopies, Service } from './instances.ts'
import { type Delivery, simulateReceivers } from './receiver.ts'
import { Database } from './sqlite.ts'
import { type Mishap, World } from './world.ts'

const CLIENTS = 8
const STEPS = 10
const MINUTE_MS = 60_000
/** How long everything is given to be delivered once nothing goes wrong any more. */
const PATIENCE_MINUTES = 600

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
  await forgetCallers()
  const world = new World({ seed, without: new Set([...without, ...contract.KNOWN_TO_FAIL]) })
  const service = new Service(world, copies, database)
  const history = new History(world, service)
  const deliveries: Delivery[] = []
  enter(world, simulateReceivers(world, deliveries))
  const violations: string[] = []
  try {
    await world.runUntil(live(world, service, history, deliveries, without, violations))
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

async function live(
  world: World,
  service: Service,
  history: History,
  deliveries: Delivery[],
  without: ReadonlySet<string>,
  violations: string[],
): Promise<void> {
  const stores = [await setUp(world, history, 'red'), await setUp(world, history, 'blue')]
  const [red, blue] = stores
  if (!red || !blue) throw new Error('no stores')
  const client = (name: string, i: number): Client => ({
    name,
    store: i % 2 === 0 ? red : blue,
    other: i % 2 === 0 ? blue : red,
    world,
    history,
  })
  let isOver = false
  let isDone = false
  const act = <T>(name: string, task: () => Promise<T>): Promise<T> => {
    world.actor = world.newActor(name)
    return task()
  }
  const minutes = act('clock', () => passMinutes(world, service, () => isDone))
  const followers = stores.map((store, i) =>
    act(`follower ${i}`, () => follow({ ...client(`follower ${i}`, i), store }, () => isOver)),
  )

  world.isCalm = false
  const clients = Array.from({ length: CLIENTS }, (_, i) =>
    act(`client ${i}`, () => runClient(client(`client ${i}`, i), STEPS, without)),
  )
  await Promise.all(clients)
  world.isCalm = true
  world.isExporting = false
  // Batches that are still on their way have arrived by then.
  await world.sleep(2 * MINUTE_MS)
  isOver = true
  for (const store of stores) await enableEndpoint({ store, history }, `end enable ${store.id}`)
  const read = await Promise.all(followers)
  await settle(world, history, stores, deliveries)
  isDone = true
  await minutes

  const followed = new Map(stores.map((store, i) => [store.id, [read[i] ?? []]]))
  const evidence: Evidence = { world, history, stores, deliveries, followed }
  for (const store of stores) recordErasures(store, history)
  violations.push(...checkHistories(history))
  for (const store of stores) violations.push(...(await checkStore(evidence, store)))
  violations.push(...checkSecrecy(evidence))
}

/** A store as a client finds it: tokens, products, an endpoint, and a first user with an access. */
async function setUp(world: World, history: History, id: string): Promise<Store> {
  const store: Store = {
    id,
    tokens: [],
    products: [],
    endpoint: '',
    users: new Set(),
    accesses: [],
    owners: new Map(),
    erasures: [],
    keys: [],
  }
  let serial = 0
  const make = async (ask: contract.Ask) => {
    const told = await history.ask(`set up ${id} ${serial++}`, ask)
    if (told.status !== 201) throw new Error(`set up failed: ${describe(told)} ${told.text}`)
    return told.json
  }
  await make(contract.createStore(id))
  store.endpoint = String((await make(contract.createEndpoint(id, `https://hooks.example.com/${id}`)))['id'])
  for (let i = 0; i < 2; i++) store.tokens.push(String((await make(contract.createToken(id)))['token']))
  for (let i = 0; i < 3; i++) store.products.push(String((await make(contract.createProduct(id, `p${i}`)))['id']))
  const text = contract.personal(id, 'first')
  const email = `${contract.PERSONAL}${id}~first@example.com`
  const first = { name: text, last_name: text, email, external_id: text }
  const user = await make(contract.createUser(id, store.tokens[0] ?? '', first))
  store.users.add(String(user['id']))
  await grant(
    { name: id, store, other: store, world, history },
    `set up ${id} grant`,
    world.random.stream(`set up ${id}`),
  )
  return store
}

/** Each minute its crons, and now and then an export of the database. */
async function passMinutes(world: World, service: Service, isDone: () => boolean): Promise<void> {
  const running: Promise<void>[] = []
  while (!isDone()) {
    await world.sleep(MINUTE_MS - (world.now % MINUTE_MS))
    const minute = Math.floor(world.now / MINUTE_MS)
    for (const cron of CONFIG.crons.filter((each) => isDue(each, minute % 60))) {
      const name = `cron ${cron} at ${minute}`
      const mishap = world.mishap(name, { 'does not run': 0.1, 'runs twice at once': 0.15, 'is late': 0.1 })
      if (mishap === 'does not run') continue
      if (mishap === 'is late') await world.sleep(world.random.stream(name).between(1000, 50_000))
      running.push(service.cron(name, cron, world.now))
      if (mishap === 'runs twice at once') running.push(service.cron(`${name} again`, cron, world.now))
    }
    if (world.mishap('database', { 'is being exported': 0.03 })) {
      world.isExporting = true
      world.later(
        world.random.stream(`export ${minute}`).between(2000, 30_000),
        () => (world.isExporting = false),
        world.network,
      )
    }
  }
  await Promise.all(running)
}

function isDue(cron: string, minute: number): boolean {
  const [field = '*'] = cron.split(' ')
  return field === '*' || (field.startsWith('*/') ? minute % Number(field.slice(2)) === 0 : Number(field) === minute)
}

/** Waits until every event is delivered, or long enough. */
async function settle(world: World, history: History, stores: Store[], deliveries: Delivery[]): Promise<void> {
  for (let waited = 0; waited < PATIENCE_MINUTES; waited = waited * 2 + 1) {
    let isSettled = true
    for (const store of stores) {
      const events = await readAll(history, `settle ${waited}`, contract.listEvents, store.id)
      const own = events.filter(({ type }) => /^(user|product_access)\./.test(String(type)))
      isSettled &&= own.every((event) => isDelivered(event, deliveries))
    }
    if (isSettled) return
    await world.sleep((waited + 1) * MINUTE_MS)
  }
}
