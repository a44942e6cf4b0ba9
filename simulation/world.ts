/**
 * One run's world: a clock that nobody waits for, a list of what happens next, and the mishaps. Everything that would
 * take time (a trip to D1, an answer's way back, a timer) is an event at a virtual time drawn from the seed; between
 * two events the Worker's code runs until all of it waits for another one. So the seed alone decides every order.
 */
import { Random } from './random.ts'

/** An isolate: its memory is one copy of the Worker's modules (instances.ts), its clock may be wrong. */
export interface Instance {
  name: string
  copy: number
  isAlive: boolean
  skewMs: number
  /** Called when it dies: whoever waits for an answer learns that there will be none. */
  onDeath: Set<() => void>
}

/** Whoever does something: one client, one request on its way through an instance, the network. */
export interface Actor {
  name: string
  random: Random
  instance?: Instance
  /** How many things it has done that could have gone wrong. */
  steps: number
}

export interface Event {
  at: number
  order: number
  actor: Actor
  happen: () => void
}

export interface Mishap {
  id: string
  at: number
  what: string
}

interface WorldOptions {
  seed: number
  /** Mishaps that are left out, by their ids and by their kinds. */
  without: ReadonlySet<string>
}

const START = Date.UTC(2026, 10, 21, 9, 30)
/** Several times what any run takes: whoever goes on that long goes round in a circle. */
const MAX_EVENTS = 60_000
/** The real one, taken before globals.ts replaces what the Worker sees. */
const whenIdle = setImmediate
/** Node's own way to drain them: `setImmediate` does so too, but goes round the real event loop each time. */
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
  /** While true nothing goes wrong. */
  isCalm = true
  isExporting = false
  /** While true the clients do nothing for days, and the crons come seldom. */
  isHoliday = false
  readonly random: Random
  readonly network: Actor
  readonly mishaps: Mishap[] = []
  readonly logs: string[] = []
  /** What must not happen whatever goes wrong, noticed on the way. */
  readonly defects: string[] = []
  actor: Actor
  readonly #without: ReadonlySet<string>
  /** How much goes wrong in this run: little things hide behind a storm. */
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

  /** What a clock on the wall of the running instance shows, in whole milliseconds. */
  clock(): number {
    return Math.floor(this.now + (this.actor.instance?.skewMs ?? 0))
  }

  /** Later, in the name of an actor; never, when its instance has died by then. */
  later(ms: number, happen: () => void, actor = this.actor): Event {
    const event = { at: this.now + Math.max(0, ms), order: this.#order++, actor, happen }
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
    return new Promise((resolve) => void this.later(ms, resolve))
  }

  /** The time that a trip takes: short as a rule, and now and then long enough for others to overtake. */
  latency({ random } = this.actor): number {
    return random.chance(0.1) ? random.between(20, 400) : random.between(0.5, 12)
  }

  /**
   * What goes wrong with the next thing that the actor does: nothing, as a rule. Each chance is of the mishap in a run
   * of intensity 1, and drawn from a stream of its own, so that leaving one out leaves all others as they were.
   */
  mishap<K extends string>(what: string, chances: Readonly<Record<K, number>>, actor = this.actor): K | undefined {
    const id = `${actor.name}#${actor.steps++}`
    if (this.isCalm) return undefined
    const random = this.random.stream(id)
    let dice = random.next() / this.#intensity
    let kind: K | undefined
    for (const each in chances) {
      if ((dice -= chances[each]) >= 0) continue
      kind = each
      break
    }
    if (kind === undefined || this.#without.has(id) || this.#without.has(kind)) return undefined
    this.mishaps.push({ id, at: this.now, what: `${what}: ${kind}` })
    return kind
  }

  kill(instance: Instance): void {
    if (!instance.isAlive) return
    instance.isAlive = false
    for (const learn of instance.onDeath) learn()
  }

  /** Lets things happen, one after the other, until the task is done. */
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

  /** From no microtask, for within one none of the others would be run. */
  #run(end: { isReached: boolean }): void {
    runMicrotasks()
    for (let count = 0; !end.isReached; count++) {
      const event = this.#events.shift()
      if (event === undefined) throw new Error('nothing is left to happen, and the run is not over')
      if (count === MAX_EVENTS) throw new Error(`the run is not over after ${MAX_EVENTS} events`)
      this.now = event.at
      this.actor = event.actor
      if (event.actor.instance?.isAlive === false) continue
      event.happen()
      // Those of this event, all of them: nothing else is waiting in the real event loop.
      runMicrotasks()
    }
  }
}
