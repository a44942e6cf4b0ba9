/** A D1 that counts and fails: a wrapper around the real binding, never a replacement. */

export interface FaultyD1 {
  DB: D1Database
  /** How often the Worker has sent something. */
  roundTrips: () => number
}

export type Fault = { message: string; when: 'before' | 'after' } | undefined

/** `fault(n)` says what happens to the n-th round trip, counted from 0: fail before or after it took effect, or not. */
export function faultyD1(d1: D1Database, fault: (roundTrip: number) => Fault = () => undefined): FaultyD1 {
  let roundTrips = 0
  async function pass<T>(send: () => Promise<T>): Promise<T> {
    const planned = fault(roundTrips++)
    if (planned?.when === 'before') throw new Error(planned.message)
    const result = await send()
    if (planned?.when === 'after') throw new Error(planned.message)
    return result
  }
  function wrap<S extends D1Database | D1DatabaseSession>(target: S): S {
    return new Proxy(target, {
      get(_, property) {
        if (property === 'batch') {
          return (statements: D1PreparedStatement[]) => pass(() => target.batch(statements))
        }
        if (property === 'withSession' && 'withSession' in target) {
          return (constraint?: D1SessionConstraint) => wrap(target.withSession(constraint))
        }
        const value = Reflect.get(target, property)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }
  return { DB: wrap(d1), roundTrips: () => roundTrips }
}
