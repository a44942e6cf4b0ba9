/**
 * The service on a D1 and a KV that fail, at the rates of its bindings. Only `npm run soak` includes this entry
 * point. What failed after it took effect is the hard case: the caller cannot know.
 */
import { app } from '../src/app.ts'
import type { Bindings } from '../src/context.ts'

export interface FaultRates {
  /** D1 fails before, and after, the batch is committed. */
  D1_BEFORE: number
  D1_AFTER: number
  /** D1 says that it is overloaded. */
  D1_OVERLOADED: number
  KV_THROWS: number
  /** KV forgets what it was told, and does not find what it has. */
  KV_LOSES: number
  /** KV takes up to twice the time that a read is given. */
  KV_DELAYS: number
}

let faulty: Bindings | undefined

// oxlint-disable-next-line import/no-default-export -- a Worker's entry point
export default {
  fetch(request, env, ctx) {
    faulty ??= { ...env, DB: faultyD1(env.DB, env), REPLAYS: faultyKv(env.REPLAYS, env) }
    return app.fetch(request, faulty, ctx)
  },
} satisfies ExportedHandler<Bindings & FaultRates>

const chance = (rate: number) => Math.random() < rate

function faultyD1<S extends D1Database | D1DatabaseSession>(d1: S, rates: FaultRates): S {
  return new Proxy(d1, {
    get(target, property) {
      if (property === 'batch') {
        return async (statements: D1PreparedStatement[]) => {
          if (chance(rates.D1_OVERLOADED))
            throw new Error('D1_ERROR: D1 DB is overloaded. Requests queued for too long.')
          if (chance(rates.D1_BEFORE)) throw new Error('D1_ERROR: Network connection lost.')
          const results = await target.batch(statements)
          if (chance(rates.D1_AFTER)) throw new Error('D1_ERROR: Network connection lost.')
          return results
        }
      }
      if (property === 'withSession' && 'withSession' in target) {
        return (constraint?: D1SessionConstraint) => faultyD1(target.withSession(constraint), rates)
      }
      const value = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

function faultyKv(kv: KVNamespace, rates: FaultRates): KVNamespace {
  async function suffer(): Promise<void> {
    if (chance(rates.KV_DELAYS)) await new Promise((resolve) => setTimeout(resolve, Math.random() * 500))
    if (chance(rates.KV_THROWS)) throw new Error('KV GET failed: 500 Internal Server Error')
  }
  return new Proxy(kv, {
    get(target, property) {
      if (property === 'put') {
        return async (...put: Parameters<KVNamespace['put']>) => {
          await suffer()
          if (!chance(rates.KV_LOSES)) await target.put(...put)
        }
      }
      if (property === 'getWithMetadata') {
        return async (key: string) => {
          await suffer()
          return chance(rates.KV_LOSES)
            ? { value: null, metadata: null, cacheStatus: null }
            : target.getWithMetadata(key)
        }
      }
      const value = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
