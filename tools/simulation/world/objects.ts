/**
 * The namespaces of the objects: the databases of stores, the endpoints of webhooks, the bulk changes of stores. An object is
 * the Worker's class on a database that outlives it: it dies like an instance, and the next call or its alarm starts it
 * again. It is a single one, but what it waits for may overlap: the platform would let fewer events in.
 */
import { Alarm, createStorage, type Storage } from './object-storage.ts'
import { D1_CHANCES, roundTrip } from './round-trip.ts'
import { Database } from './sqlite.ts'
import type { Instance, World } from './world.ts'

export const CLASSES = ['StoreDatabase', 'WebhookEndpoint', 'BulkChanges'] as const

export type ClassName = (typeof CLASSES)[number]

/** How names begin, what the faults of calls are called, what the Worker calls, and a table that an object in use has. */
const KINDS = {
  StoreDatabase: { name: 'object', fault: 'object', methods: ['batch', 'wake'], table: 'stores' },
  WebhookEndpoint: {
    name: 'endpoint',
    fault: 'endpoint',
    methods: ['wake', 'sendNow', 'recover', 'redelivered', 'page'],
    table: 'health',
  },
  BulkChanges: { name: 'bulk changes', fault: 'bulk changes', methods: ['wake'], table: 'store' },
} as const

/** The Worker's class, as far as the platform calls it. */
type WorkerObject = Record<string, (...values: unknown[]) => unknown>

interface Context {
  storage: Storage
  waitUntil: (task: Promise<unknown>) => void
}

export type ObjectClass = new (ctx: Context, env: object) => WorkerObject

/** https://developers.cloudflare.com/durable-objects/best-practices/error-handling/ and .../observability/troubleshooting/ */
const ERRORS = {
  connection_lost: [
    ['Network connection lost.', { retryable: true }],
    ['Durable Object reset because its code was updated.', { retryable: true, durableObjectReset: true }],
    ['Cannot resolve Durable Object due to transient issue on remote node.', { retryable: true }],
    ['internal error; reference = 0123456789abcdef', {}],
    ['The object moved.', { retryable: true }],
  ],
  overloaded: [
    ['Durable Object is overloaded. Too many requests queued.', { overloaded: true, retryable: true }],
    ['Durable Object is overloaded. Requests queued for too long.', { overloaded: true, retryable: true }],
    ['Durable Object exceeded its CPU time limit and was reset.', { durableObjectReset: true }],
  ],
  timed_out: [['Durable Object storage operation exceeded timeout which caused object to be reset.', {}]],
  full: [['database or disk is full: SQLITE_FULL', {}]],
} as const

export const OBJECT_CHANCES = D1_CHANCES
export const RESTART_CHANCES = { 'the object has restarted': 0.05 }
export const ALARM_CHANCES = {
  'is late': 0.05,
  'the object dies in it': 0.05,
  'the object dies in it every time': 0.02,
}

/** The platform runs an alarm again after 2 s, 4 s, and so on, and gives it up after so many failures. */
const MAX_ALARM_RETRIES = 6
const ALARM_RETRY_MS = 2000
/** An alarm in which the object dies has at least as many steps. */
const ALARM_STEPS = 12

interface Options {
  /** The class of each copy of the Worker's modules. */
  classes: readonly ObjectClass[]
  /** A new environment of the Worker. */
  env: () => object
}

/** What an endpoint's object may not hold: a URL, a secret, an email. It is sent them only for what it sends at once. */
export const NOT_FOR_ENDPOINTS = /https?:|whsec_|@/

export class Objects {
  readonly #objects = new Map<string, SimulatedObject>()
  readonly #world: World
  readonly #className: ClassName
  readonly #options: Options

  constructor(world: World, className: ClassName, options: Options) {
    this.#world = world
    this.#className = className
    this.#options = options
  }

  /** The database of each object that is in use, by its name. */
  databases(): Map<string, Database> {
    return new Map(this.#used().map(({ name, database }) => [name, database]))
  }

  /** The objects in use that have no alarm: nothing would wake them but a change. */
  withoutAlarm(): string[] {
    return this.#used()
      .filter(({ alarm }) => alarm.at === null)
      .map(({ label }) => label)
  }

  #used(): SimulatedObject[] {
    return [...this.#objects.values()].filter(({ isUsed }) => isUsed)
  }

  #object(name: string): SimulatedObject {
    const known = this.#objects.get(name) ?? new SimulatedObject(this.#world, this.#className, name, this.#options)
    this.#objects.set(name, known)
    return known
  }

  /** A stub that has thrown stays broken. */
  getByName(name: string) {
    let failure: { error: unknown } | undefined
    const call = async (method: string, values: unknown[]) => {
      if (failure) throw failure.error
      try {
        return await this.#send(name, method, values)
      } catch (error) {
        failure = { error }
        throw error
      }
    }
    return Object.fromEntries(
      KINDS[this.#className].methods.map((method) => [
        method,
        (...values: unknown[]) => call(method, values.map(copy)),
      ]),
    )
  }

  #send(name: string, method: string, values: unknown[]): Promise<unknown> {
    const world = this.#world
    const { actor } = world
    const kind = KINDS[this.#className]
    const label = `${actor.name}#${actor.steps} in ${kind.name} ${name} ${method}`
    const mayBeHeld = this.#className === 'WebhookEndpoint' && method !== 'sendNow'
    if (mayBeHeld && NOT_FOR_ENDPOINTS.test(JSON.stringify(values)))
      world.defects.push(`${label} is sent more than numbers, types, times and states: ${JSON.stringify(values)}`)
    return roundTrip(world, {
      what: kind.fault,
      chances: OBJECT_CHANCES,
      fail: (failure, random) => newError(random.pick<(typeof ERRORS)[typeof failure][number]>(ERRORS[failure])),
      arrive: () => {
        if (world.areObjectsDown && this.#className === 'StoreDatabase') throw newError(ERRORS.overloaded[0])
        const object = this.#object(name)
        return object.call(label, method, values).catch((error: unknown) => {
          world.unanswered.add(actor.name)
          throw error
        })
      },
    })
  }
}

/** What a call of an object sends and returns arrives as a copy. `structuredClone` would take ten times as long. */
function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy)
  if (typeof value === 'function') throw new TypeError('a function is sent to an object')
  if (typeof value !== 'object' || value === null) return value
  if (Object.getPrototypeOf(value) !== Object.prototype) throw new TypeError('not a plain object is sent to an object')
  const copied: Record<string, unknown> = { ...value }
  for (const key in copied) if (typeof copied[key] === 'object') copied[key] = copy(copied[key])
  return copied
}

function newError([message, marks]: readonly [string, object]): Error {
  return Object.assign(new Error(message), marks, { remote: true })
}

interface Running {
  instance: Instance
  object: WorkerObject
}

class SimulatedObject {
  readonly name: string
  /** With its class. */
  readonly label: string
  readonly database = new Database()
  readonly alarm: Alarm
  readonly #className: ClassName
  readonly #world: World
  readonly #options: Options
  #running: Running | undefined
  #started = 0
  #alarms = 0
  /** How often the alarm has failed since its last success. */
  #failures = 0
  /** In how many more runs of the alarm the object dies. */
  #deaths = 0

  constructor(world: World, className: ClassName, name: string, options: Options) {
    this.name = name
    this.label = `${KINDS[className].name} ${name}`
    this.#className = className
    this.#world = world
    this.#options = options
    this.alarm = new Alarm(world, () => this.#ring())
  }

  /** True if it has tables. */
  get isUsed(): boolean {
    return this.database.has(KINDS[this.#className].table)
  }

  #start(): Running {
    if (this.#running?.instance.isAlive) return this.#running
    const world = this.#world
    const { classes, env } = this.#options
    const name = `${this.label}.${++this.#started}`
    const random = world.random.stream(name)
    const copy = random.below(classes.length)
    const [Class] = classes.slice(copy)
    if (!Class) throw new Error('the copy has no class of objects')
    const skewMs = random.between(-2000, 2000)
    const instance: Instance = { name, copy, isAlive: true, skewMs, onDeath: new Set() }
    if (this.#started > 1) world.count(`an object of ${this.#className} restarted`)
    const { label, database, alarm } = this
    const holdsStore = this.#className === 'StoreDatabase'
    const storage = createStorage(world, { name: label, database, alarm, holdsStore }, instance)
    const waitUntil = (task: Promise<unknown>) => void task.catch(() => {})
    return (this.#running = { instance, object: new Class({ storage, waitUntil }, env()) })
  }

  /** Runs a method of the object as an actor of this name, and throws if the object dies before its end. */
  call(name: string, method: string, values: unknown[], diesAt?: number): Promise<unknown> {
    const world = this.#world
    const caller = world.newActor(name)
    if (this.#running?.instance.isAlive && world.fault('object restart', RESTART_CHANCES, caller))
      world.kill(this.#running.instance)
    const { instance, object } = this.#start()
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const died = () => {
      if (name.endsWith(' batch')) world.count('an object died in a batch')
      reject(newError(world.random.stream(`${name} death`).pick(ERRORS.connection_lost)))
    }
    instance.onDeath.add(died)
    world.actor = { ...world.newActor(`${name} inside`, instance), ...(diesAt !== undefined && { diesAt }) }
    const settle = async () => {
      try {
        const result = await object[method]?.(...values)
        if (instance.isAlive) resolve(copy(result))
      } catch (error) {
        if (instance.isAlive) reject(error)
      } finally {
        instance.onDeath.delete(died)
      }
    }
    void settle()
    return promise
  }

  /** The alarm is no longer set while it runs. If it fails, it runs again, unless the object has set another one. */
  #ring(): void {
    const world = this.#world
    const name = `${this.label} alarm ${++this.#alarms}`
    const actor = world.newActor(name)
    const fault = world.fault('alarm', ALARM_CHANCES, actor)
    if (fault === 'is late') return this.alarm.schedule(world.now + actor.random.between(1000, 120_000))
    if (fault === 'the object dies in it') this.#deaths = 1
    if (fault === 'the object dies in it every time') this.#deaths = 1 + MAX_ALARM_RETRIES
    const diesAt = this.#deaths > 0 ? 1 + actor.random.below(ALARM_STEPS) : undefined
    if (this.#deaths > 0) this.#deaths--
    if (this.#running?.instance.isAlive !== true) world.count(`an alarm of ${this.#className} rang after a restart`)
    // If it runs again after a failure, nobody has set it.
    const scheduledTime = this.alarm.at ?? world.now
    this.alarm.at = null
    world.crons.push({ at: world.now, name })
    const wasFaultFree = world.isFaultFree && !world.isExporting && diesAt === undefined
    const end = this.call(
      name,
      'alarm',
      [{ scheduledTime, isRetry: this.#failures > 0, retryCount: this.#failures }],
      diesAt,
    )
    const instance = this.#running?.instance
    end.then(
      () => (this.#failures = 0),
      (error: unknown) => {
        // It may have died in an earlier alarm that still runs.
        if (wasFaultFree && world.isFaultFree && instance?.isAlive)
          world.defects.push(`${name}: the alarm threw ${String(error)}`)
        this.#runAgain()
      },
    )
  }

  #runAgain(): void {
    const world = this.#world
    world.count(`an alarm of ${this.#className} failed`)
    // The object has set another one.
    if (this.alarm.at !== null) return
    if (++this.#failures <= MAX_ALARM_RETRIES) {
      this.alarm.schedule(world.now + ALARM_RETRY_MS * 2 ** (this.#failures - 1))
      return
    }
    this.#failures = 0
    world.defects.push(`${this.label}: the platform has given up the alarm, and no other is set`)
  }
}
