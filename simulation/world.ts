/**
 * The world of one run: a virtual clock, the list of scheduled events, and the faults. Everything that takes time (a
 * round trip to D1, the way of a response, a timer) is an event at a virtual time that is drawn from the seed. Between
 * two events, the Worker's code runs until all of it waits for another event. So the seed alone decides every order.
 */
import { Random } from './random.ts'

/** An isolate. Its memory is one copy of the Worker's modules (instances.ts), and its clock may be wrong. */
export interface Instance {
  name: string
  copy: number
  isAlive: boolean
  skewMs: number
  /** Called when the instance dies, so that clients do not wait for a response that will not come. */
  onDeath: Set<() => void>
}

/** Something that acts and has its own random stream: a client, a request on an instance, the network. */
export interface Actor {
  name: string
  random: Random
  instance?: Instance
  /** The number of its actions in which a fault was possible. It is part of the fault's id. */
  steps: number
}

export interface Event {
  at: number
  order: number
  actor: Actor
  run: () => void
}

export interface Fault {
  id: string
  at: number
  what: string
}

interface WorldOptions {
  seed: number
  /** The ids and kinds of faults that do not run. */
  without: ReadonlySet<string>
}

const START = Date.UTC(2026, 10, 21, 9, 30)
/** Several times the number of events of any run. A run with more has an endless loop. */
const MAX_EVENTS = 60_000
/** The real `setImmediate`, taken before globals.ts replaces what the Worker sees. */
const whenIdle = setImmediate
/**
 * Node's own function that drains the microtasks. `setImmediate` would need a turn of the real event loop each time,
 * which is slower.
 */
// oxlint-disable-next-line eslint/no-underscore-dangle -- its only name
const runMicrotasks = () => process._tickCallback()

declare global {
  namespace NodeJS {
    interface Process {
      _tickCallback: () => void
    }
  }
}

export class World {
  now = START
  /** While this is true, no faults occur. */
  isFaultFree = true
  isExporting = false
  /** While this is true, days pass without clients, and the crons run seldom. */
  isHoliday = false
  readonly random: Random
  readonly network: Actor
  readonly faults: Fault[] = []
  readonly logs: string[] = []
  /** Violations that are found during the run: things that no fault excuses. */
  readonly defects: string[] = []
  actor: Actor
  readonly #without: ReadonlySet<string>
  /**
   * How often faults occur in this run. With many faults in every run, rare combinations of few would never be tried.
   */
  readonly #intensity: number
  readonly #events: Event[] = []
  #order = 0

  constructor({ seed, without }: WorldOptions) {
    this.random = new Random(seed)
    this.#without = without
    this.#intensity = this.random.stream('intensity').pick([0.2, 1, 1, 3])
    this.actor = this.network = this.newActor('network')
  }

  newActor(name: string, instance?: Instance): Actor {
    return { name, random: this.random.stream(name), steps: 0, ...(instance && { instance }) }
  }

  /** The time on the clock of the current instance, in whole milliseconds. */
  clock(): number {
    return Math.floor(this.now + (this.actor.instance?.skewMs ?? 0))
  }

  /** Schedules an event for an actor. It does not run if the actor's instance has died by then. */
  schedule(ms: number, run: () => void, actor = this.actor): Event {
    const event = { at: this.now + Math.max(0, ms), order: this.#order++, actor, run }
    let place = this.#events.length
    while (place > 0 && (this.#events[place - 1]?.at ?? 0) > event.at) place--
    this.#events.splice(place, 0, event)
    return event
  }

  cancel(event: Event): void {
    const place = this.#events.indexOf(event)
    if (place !== -1) this.#events.splice(place, 1)
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.schedule(ms, resolve))
  }

  /** The time of one way of a round trip: usually short, and sometimes long enough for others to overtake it. */
  latency({ random } = this.actor): number {
    return random.chance(0.1) ? random.between(20, 400) : random.between(0.5, 12)
  }

  /**
   * Decides whether a fault occurs in the actor's next action, and which. The chances are those of a run with intensity
   * 1. Each decision has its own stream, so that all other faults stay the same when one is removed.
   */
  fault<K extends string>(what: string, chances: Readonly<Record<K, number>>, actor = this.actor): K | undefined {
    const id = `${actor.name}#${actor.steps++}`
    if (this.isFaultFree) return undefined
    const random = this.random.stream(id)
    let draw = random.next() / this.#intensity
    let kind: K | undefined
    for (const each in chances) {
      if ((draw -= chances[each]) >= 0) continue
      kind = each
      break
    }
    if (kind === undefined || this.#without.has(id) || this.#without.has(kind)) return undefined
    this.faults.push({ id, at: this.now, what: `${what}: ${kind}` })
    return kind
  }

  kill(instance: Instance): void {
    if (!instance.isAlive) return
    instance.isAlive = false
    for (const notify of instance.onDeath) notify()
  }

  /** Runs the scheduled events in order until the task is done. */
  runUntil(task: Promise<unknown>): Promise<void> {
    const end: { isReached: boolean; failure?: unknown } = { isReached: false }
    task.then(
      () => (end.isReached = true),
      (failure: unknown) => Object.assign(end, { isReached: true, failure }),
    )
    return new Promise((resolve, reject) => {
      whenIdle(() => {
        try {
          this.#run(end)
        } catch (error) {
          reject(error)
          return
        }
        if (end.failure === undefined) resolve()
        else reject(end.failure)
      })
    })
  }

  /** This must not be called from a microtask: microtasks cannot be drained from within one. */
  #run(end: { isReached: boolean }): void {
    runMicrotasks()
    for (let count = 0; !end.isReached; count++) {
      const event = this.#events.shift()
      if (event === undefined) throw new Error('no event is scheduled, and the run is not over')
      if (count === MAX_EVENTS) throw new Error(`the run is not over after ${MAX_EVENTS} events`)
      this.now = event.at
      this.actor = event.actor
      if (event.actor.instance?.isAlive === false) continue
      event.run()
      // All microtasks of this event run now. Nothing else waits in the real event loop.
      runMicrotasks()
    }
  }
}
