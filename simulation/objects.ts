/**
 * The namespace of the objects in which stores have their own databases. An object is the Worker's class on a database
 * that outlives it: it dies like an instance, and the next call or its alarm starts it again. It is a single one, but
 * what it waits for may overlap: the platform would let fewer events in.
 */
import { Alarm, createStorage, type Storage } from './object-storage.ts'
import { D1_CHANCES, roundTrip } from './round-trip.ts'
import { Database } from './sqlite.ts'
import type { Instance, World } from './world.ts'

/** The Worker's class, as far as the platform calls it. */
export interface StoreObject {
  batch: (statements: unknown) => Promise<unknown>
  wake: () => Promise<void>
  alarm: () => Promise<void>
}

export type StoreClass = new (ctx: { storage: Storage }, env: object) => StoreObject

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
  classes: readonly StoreClass[]
  /** A new environment of the Worker. */
  env: () => object
}

export class Objects {
  readonly #objects = new Map<string, SimulatedObject>()
  readonly #world: World
  readonly #options: Options

  constructor(world: World, options: Options) {
    this.#world = world
    this.#options = options
  }

  /** The database of each object that has one. */
  databases(): Database[] {
    return this.#used().map(({ database }) => database)
  }

  /** The objects that have a store and no alarm: nothing would wake them but a change. */
  withoutAlarm(): string[] {
    return this.#used()
      .filter(({ alarm }) => alarm.at === null)
      .map(({ name }) => name)
  }

  #used(): SimulatedObject[] {
    return [...this.#objects.values()].filter(({ isUsed }) => isUsed)
  }

  #object(name: string): SimulatedObject {
    const known = this.#objects.get(name) ?? new SimulatedObject(this.#world, name, this.#options)
    this.#objects.set(name, known)
    return known
  }

  /** A stub that has thrown stays broken. */
  getByName(name: string) {
    let failure: { error: unknown } | undefined
    const call = async (method: string, run: (object: StoreObject) => Promise<unknown>) => {
      if (failure) throw failure.error
      try {
        return await this.#send(name, method, run)
      } catch (error) {
        failure = { error }
        throw error
      }
    }
    return {
      batch: (statements: unknown) => {
        const sent = copy(statements)
        return call('batch', (object) => object.batch(sent))
      },
      wake: () => call('wake', (object) => object.wake()),
    }
  }

  #send(name: string, method: string, run: (object: StoreObject) => Promise<unknown>): Promise<unknown> {
    const world = this.#world
    const { actor } = world
    const label = `${actor.name}#${actor.steps} in object ${name} ${method}`
    return roundTrip(world, {
      what: 'object',
      chances: OBJECT_CHANCES,
      fail: (failure, random) => newError(random.pick<(typeof ERRORS)[typeof failure][number]>(ERRORS[failure])),
      arrive: () => {
        if (world.areObjectsDown) throw newError(ERRORS.overloaded[0])
        const object = this.#object(name)
        return object.call(label, run).catch((error: unknown) => {
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
  object: StoreObject
}

class SimulatedObject {
  readonly name: string
  readonly database = new Database()
  readonly alarm: Alarm
  readonly #world: World
  readonly #options: Options
  #running: Running | undefined
  #started = 0
  #alarms = 0
  /** How often the alarm has failed since its last success. */
  #failures = 0
  /** In how many more runs of the alarm the object dies. */
  #deaths = 0

  constructor(world: World, name: string, options: Options) {
    this.name = name
    this.#world = world
    this.#options = options
    this.alarm = new Alarm(world, () => this.#ring())
  }

  /** True if it has tables, and so a store. */
  get isUsed(): boolean {
    return this.database.has('stores')
  }

  #start(): Running {
    if (this.#running?.instance.isAlive) return this.#running
    const world = this.#world
    const { classes, env } = this.#options
    const name = `object ${this.name}.${++this.#started}`
    const random = world.random.stream(name)
    const copy = random.below(classes.length)
    const [StoreDatabase] = classes.slice(copy)
    if (!StoreDatabase) throw new Error('the copy has no class of objects')
    const skewMs = random.between(-2000, 2000)
    const instance: Instance = { name, copy, isAlive: true, skewMs, onDeath: new Set() }
    if (this.#started > 1) world.count('an object restarted')
    return (this.#running = {
      instance,
      object: new StoreDatabase({ storage: createStorage(world, this, instance) }, env()),
    })
  }

  /** Runs a method of the object as an actor of this name, and throws if the object dies before its end. */
  call(name: string, run: (object: StoreObject) => Promise<unknown>, diesAt?: number): Promise<unknown> {
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
        const result = await run(object)
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
    const name = `object ${this.name} alarm ${++this.#alarms}`
    const actor = world.newActor(name)
    const fault = world.fault('alarm', ALARM_CHANCES, actor)
    if (fault === 'is late') return this.alarm.schedule(world.now + actor.random.between(1000, 120_000))
    if (fault === 'the object dies in it') this.#deaths = 1
    if (fault === 'the object dies in it every time') this.#deaths = 1 + MAX_ALARM_RETRIES
    const diesAt = this.#deaths > 0 ? 1 + actor.random.below(ALARM_STEPS) : undefined
    if (this.#deaths > 0) this.#deaths--
    if (this.#running?.instance.isAlive !== true) world.count('an alarm rang after a restart')
    this.alarm.at = null
    world.crons.push({ at: world.now, name })
    const wasFaultFree = world.isFaultFree && !world.isExporting && diesAt === undefined
    this.call(name, (object) => object.alarm(), diesAt).then(
      () => (this.#failures = 0),
      (error: unknown) => {
        if (wasFaultFree && world.isFaultFree) world.defects.push(`${name}: the alarm threw ${String(error)}`)
        this.#runAgain()
      },
    )
  }

  #runAgain(): void {
    const world = this.#world
    world.count('an alarm failed')
    // The object has set another one.
    if (this.alarm.at !== null) return
    if (++this.#failures <= MAX_ALARM_RETRIES) {
      this.alarm.schedule(world.now + ALARM_RETRY_MS * 2 ** (this.#failures - 1))
      return
    }
    this.#failures = 0
    world.defects.push(`object ${this.name}: the platform has given up the alarm, and no other is set`)
  }
}
