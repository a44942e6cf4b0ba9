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
  diedAt?: number
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
  /** Its instance dies at this step. */
  diesAt?: number
  /** How many of its events and round trips are under way. */
  waitsFor: number
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

const LOST_ANSWER = 'the answer is lost'
/** No batch of an instance that has died arrives later than this. */
const MAX_LATE_MS = 60_000
export const SLOW_MS = 1000
const START = Date.UTC(2026, 10, 21, 9, 30)
/** Several times the number of events of any run. A run with more has an endless loop. */
const MAX_EVENTS = 100_000
/** So many events wait only if the Worker's code schedules them in a loop in which it never waits itself. */
const MAX_WAITING = 10_000
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

/** No error would end the loop: it would be caught in it. */
function endProcess(): never {
  process.stderr.write('the Worker is in a loop without an end\n')
  process.exit(1)
}

export class World {
  now = START
  readonly bursts = { everyMs: 6000, lengthMs: 30 }
  /** While this is true, no faults occur. */
  isFaultFree = true
  isExporting = false
  /** While this is true, no object of a store responds. */
  areObjectsDown = false
  /** While this is true, days pass without clients, and the crons run seldom. */
  isHoliday = false
  /** While this is true, nothing takes time, and no clock is wrong: the examiner knows each time to the millisecond. */
  isExact = false
  /** While this is true, round trips take time all the same. */
  takesTime = false
  /** While this is true, few requests exceed a rate limit. */
  hasSmallQuotas = false
  /** A fault that occurs in the next action of this kind of one actor, whatever the chances are. */
  forcedFault: { actor: string; what: string; kind: string } | undefined
  /** While this is set, every other batch of an actor with such a name loses its answer, and has to be sent again. */
  losesAnswersOf: RegExp | undefined
  /** While this is set, each response of a database to an actor with such a name takes so much longer. */
  slowAnswersOf: RegExp | undefined
  slowAnswersMs = SLOW_MS
  readonly #lostBefore = new Set<string>()
  /** The requests of which a call of an object arrived and got no answer, so that the service may have sent it again. */
  readonly unanswered = new Set<string>()
  /** How often each receiver has failed since its last success. */
  readonly failures = new Map<string, number>()
  /** Secrets of the service that differ from those at the start. */
  readonly secrets: Record<string, string | undefined> = {}
  /** How each of these receivers responds, whatever the chances are. */
  readonly scripts = new Map<string, { status: number; afterMs?: number; killsSender?: boolean }>()
  /** The attempts to send something to receivers with a script. */
  readonly scripted: { url: string; id: string; at: number; signatures: number }[] = []
  /** How many requests were sent, by URL and event: `https://hooks.example.com/red 7`. */
  readonly sent = new Map<string, number>()
  /** How often each interesting state was reached (states.ts). */
  readonly counts = new Map<string, number>()
  readonly random: Random
  readonly network: Actor
  readonly faults: Fault[] = []
  readonly crons: { at: number; name: string }[] = []
  readonly logs: string[] = []
  /** Violations that are found during the run: things that no fault excuses. */
  readonly defects: string[] = []
  actor: Actor
  /** How often a clock has jumped. */
  jumps = 0
  readonly #jumped = new Set<Instance>()
  readonly #without: ReadonlySet<string>
  /**
   * How often faults occur in this run. With many faults in every run, rare combinations of few would never be tried.
   */
  readonly #intensity: number
  readonly #events: Event[] = []
  /** The requests that have no response yet. */
  readonly #requests = new Set<Actor>()
  #order = 0

  constructor({ seed, without }: WorldOptions) {
    this.random = new Random(seed)
    this.#without = without
    this.#intensity = this.random.stream('intensity').pick([0.2, 1, 1, 3])
    this.actor = this.network = this.newActor('network')
  }

  newActor(name: string, instance?: Instance): Actor {
    return { name, random: this.random.stream(name), steps: 0, waitsFor: 0, ...(instance && { instance }) }
  }

  count(state: string): void {
    this.counts.set(state, (this.counts.get(state) ?? 0) + 1)
  }

  /** The time on the clock of the current instance, in whole milliseconds. */
  clock(): number {
    const skewMs = this.isExact ? 0 : (this.actor.instance?.skewMs ?? 0)
    return Math.floor(this.now + skewMs)
  }

  /** Schedules an event for an actor. It does not run if the actor's instance has died by then. */
  schedule(ms: number, run: () => void, actor = this.actor): Event {
    return this.#scheduleAt(this.now + Math.max(0, ms), run, actor)
  }

  #scheduleAt(at: number, run: () => void, actor: Actor): Event {
    const event = { at, order: this.#order++, actor, run }
    let place = this.#events.length
    while (place > 0 && (this.#events[place - 1]?.at ?? 0) > event.at) place--
    this.#events.splice(place, 0, event)
    actor.waitsFor++
    if (this.#events.length > MAX_WAITING) endProcess()
    return event
  }

  cancel(event: Event): void {
    const place = this.#events.indexOf(event)
    if (place === -1) return
    this.#events.splice(place, 1)
    event.actor.waitsFor--
  }

  /** The request that this actor is has begun. The platform cancels one that waits for nothing of its own. */
  begin(actor: Actor): void {
    this.#requests.add(actor)
  }

  end(actor: Actor): void {
    this.#requests.delete(actor)
  }

  #findCanceled(): void {
    for (const actor of this.#requests) {
      if (actor.waitsFor > 0) continue
      this.#requests.delete(actor)
      if (actor.instance?.isAlive) this.defects.push(`${actor.name} waits for the promise of another request`)
    }
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.schedule(ms, resolve))
  }

  /** Sleeps until exactly this time. A sum of delays could miss it by a rounding error. */
  sleepUntil(at: number): Promise<void> {
    return new Promise((resolve) => void this.#scheduleAt(Math.max(at, this.now), resolve, this.actor))
  }

  /** The time of one way of a round trip: usually short, and sometimes long enough for others to overtake it. */
  latency({ random } = this.actor): number {
    if (this.isExact && !this.takesTime) return 0
    return random.chance(0.1) ? random.between(20, 400) : random.between(0.5, 12)
  }

  /**
   * Decides whether a fault occurs in the actor's next action, and which. The chances are those of a run with intensity
   * 1. Each decision has its own stream, so that all other faults stay the same when one is removed.
   */
  fault<K extends string>(what: string, chances: Readonly<Record<K, number>>, actor = this.actor): K | undefined {
    if (actor.steps === actor.diesAt && actor.instance) this.kill(actor.instance)
    const id = `${actor.name}#${actor.steps++}`
    const forced = this.#takeForced(what, chances, actor)
    if (forced !== undefined) return this.#occurs(id, what, forced)
    if (this.isFaultFree) return undefined
    const random = this.random.stream(id)
    let draw = random.next() / this.#intensity
    let kind: K | undefined
    for (const each in chances) {
      if ((draw -= chances[each]) >= 0) continue
      kind = each
      break
    }
    return kind && this.#occurs(id, what, kind)
  }

  #occurs<K extends string>(id: string, what: string, kind: K): K | undefined {
    if (this.#without.has(id) || this.#without.has(kind)) return undefined
    this.faults.push({ id, at: this.now, what: `${what}: ${kind}` })
    this.count(`fault ${what.replace(/^(cron|the receiver at) .*/, '$1')}: ${kind}`)
    return kind
  }

  #takeForced<K extends string>(what: string, chances: Readonly<Record<K, number>>, actor: Actor): K | undefined {
    const { forcedFault: forced } = this
    const isForced = forced?.what === what && forced.actor === actor.name
    if (isForced) this.forcedFault = undefined
    const wanted = isForced ? forced.kind : LOST_ANSWER in chances && this.#losesAnswer(actor) ? LOST_ANSWER : undefined
    for (const kind in chances) if (kind === wanted) return kind
    if (isForced) throw new Error(`there is no fault ${forced.kind} of ${what}`)
    return undefined
  }

  #losesAnswer({ name }: Actor): boolean {
    if (this.losesAnswersOf?.test(name) !== true || this.#lostBefore.delete(name)) return false
    this.#lostBefore.add(name)
    return true
  }

  jumpClock(instance: Instance, ms: number): void {
    instance.skewMs += ms
    this.jumps++
    this.#jumped.add(instance)
  }

  /** True while times may be wrong: an instance whose clock has jumped lives, or its batches may still arrive. */
  get areClocksUncertain(): boolean {
    return [...this.#jumped].some(({ isAlive, diedAt = this.now }) => isAlive || this.now < diedAt + MAX_LATE_MS)
  }

  kill(instance: Instance): void {
    if (!instance.isAlive) return
    instance.isAlive = false
    instance.diedAt = this.now
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
      event.actor.waitsFor--
      if (event.actor.instance?.isAlive === false) continue
      event.run()
      // All microtasks of this event run now. Nothing else waits in the real event loop.
      runMicrotasks()
      this.#findCanceled()
    }
  }
}
