/** One round trip to a database, D1 or the object of a store: its delays, and what goes wrong on the way. */
import type { Random } from './random.ts'
import type { World } from './world.ts'

export const D1_CHANCES = {
  'the batch is lost': 0.015,
  'the answer is lost': 0.02,
  'the connection is lost, and the batch arrives': 0.006,
  overloaded: 0.004,
  'the batch times out': 0.002,
  'the answer times out': 0.002,
  'is full': 0.002,
  'never answers': 0.002,
  'the batch is late': 0.006,
  'the answer is late': 0.006,
  'the instance dies before': 0.004,
  'the instance dies after the commit': 0.006,
  'the clock jumps': 0.004,
}

type Failure = 'connection_lost' | 'overloaded' | 'timed_out' | 'full'

interface Trip<T> {
  /** The name of the faults. */
  what: string
  chances: typeof D1_CHANCES
  fail: (failure: Failure, random: Random) => Error
  /** Carries out the batch in the database, even if nobody waits for the response any more. */
  arrive: () => T | Promise<T>
}

export function roundTrip<T>(world: World, { what, chances, fail: toError, arrive: carryOut }: Trip<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const { actor } = world
  const { instance } = actor
  actor.waitsFor++
  promise.catch(() => {}).finally(() => actor.waitsFor--)
  const fault = world.fault(what, chances)
  // What the code does until it waits for something is not real if its instance has died.
  if (instance?.isAlive === false) return promise
  const fail = (failure: Failure) =>
    void world.schedule(world.latency(actor), () => reject(toError(failure, actor.random)), actor)
  const kill = () => instance && world.kill(instance)

  function arrive(delay: number, respond: (settle: () => void) => void): typeof promise {
    const run = () => {
      new Promise<T>((done) => done(carryOut())).then(
        (result) => respond(() => resolve(result)),
        (error: unknown) => respond(() => reject(error)),
      )
    }
    world.schedule(delay, run, world.network)
    return promise
  }
  // The report of an object to the directory comes last. In some, changes happen while it is under way.
  const isSlowReport =
    what === 'D1' && /^object .* alarm \d+ inside$/.test(actor.name) && !world.isExact && actor.random.chance(0.5)
  const soon = world.latency(actor) + (isSlowReport ? actor.random.between(500, 4000) : 0)
  const late = () => soon + actor.random.between(3000, 40_000)
  const back = (settle: () => void, delay = world.latency(actor)) =>
    void world.schedule(delay + (world.slowAnswersOf?.test(actor.name) ? world.slowAnswersMs : 0), settle, actor)

  if (fault === 'the batch is lost') fail('connection_lost')
  else if (fault === 'overloaded') fail('overloaded')
  else if (fault === 'the batch times out') fail('timed_out')
  else if (fault === 'is full') fail('full')
  else if (fault === 'the answer is lost') return arrive(soon, () => fail('connection_lost'))
  else if (fault === 'the answer times out') return arrive(soon, () => fail('timed_out'))
  else if (fault === 'never answers') return promise
  else if (fault === 'the connection is lost, and the batch arrives') {
    fail('connection_lost')
    void arrive(soon + actor.random.between(0, 8000), () => {})
  } else if (fault === 'the batch is late') return arrive(late(), back)
  else if (fault === 'the answer is late') return arrive(soon, (settle) => back(settle, late()))
  else if (fault === 'the instance dies before') kill()
  else if (fault === 'the instance dies after the commit') return arrive(soon, kill)
  else {
    if (fault === 'the clock jumps' && instance) world.jumpClock(instance, actor.random.between(-90_000, 90_000))
    return arrive(soon, back)
  }
  return promise
}
