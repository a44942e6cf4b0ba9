/**
 * Runs the service with a D1, a KV and objects that fail at the rates in its bindings. Only `npm run soak` uses this
 * entry point.
 */
import type { Bindings } from '../../src/bindings.ts'
import service, * as classes from '../../src/index.ts'
import { type FaultRates, RESENT } from './fault-rates.ts'
import { RETRYABLE, UNAVAILABLE } from '../../test/support/d1-errors.ts'
import {
  type Fault,
  faultyD1,
  faultyKv,
  faultyObjects,
  type KvFate,
  objectsLike,
  type WakeFate,
} from '../../test/support/faults.ts'

type SoakEnv = Bindings & Partial<FaultRates>

export { StoreDatabase } from '../../src/index.ts'

/** The objects have the same faults as the Worker. */
export class WebhookEndpoint extends classes.WebhookEndpoint {
  constructor(ctx: DurableObjectState, env: SoakEnv) {
    super(ctx, unreliable(env))
  }
}

export class BulkChanges extends classes.BulkChanges {
  constructor(ctx: DurableObjectState, env: SoakEnv) {
    super(ctx, unreliable(env))
  }
}

interface Invocation {
  hasResent: boolean
}

// oxlint-disable-next-line import/no-default-export -- a Worker's entry point
export default {
  async fetch(request, env, ctx) {
    const invocation: Invocation = { hasResent: false }
    const response = await service.fetch(request, unreliable(env, invocation), ctx)
    if (!invocation.hasResent) return response
    const marked = new Response(response.body, response)
    marked.headers.set(RESENT, 'true')
    return marked
  },
  async scheduled(controller, env) {
    await service.scheduled(controller, unreliable(env))
    // The alarm of a store rings a minute after a change, which is long for a soak.
    const { results } = await env.DB.prepare('select number from directory where completed_at is not null').all()
    await Promise.all(results.map(({ number }) => env.STORES.getByName(String(number)).wake()))
  },
} satisfies ExportedHandler<SoakEnv>

/** Each invocation gets new wrappers, because a wrapper records every call and would fill the memory. */
function unreliable(env: SoakEnv, invocation?: Invocation): Bindings {
  const { DB } = faultyD1(env.DB, () => {
    const fault = faultOf(env)
    if (invocation && fault?.when === 'after') invocation.hasResent = true
    return fault
  })
  return {
    ...env,
    DB,
    STORES: objectsLike(DB, env.STORES),
    REPLAYS: faultyKv(env.REPLAYS, () => kvFateOf(env)).REPLAYS,
    ...faultyObjects(env, () => wakeFateOf(env)).bindings,
  }
}

function faultOf(rates: Partial<FaultRates>): Fault {
  const message = oneOf(RETRYABLE)
  if (chance(rates.D1_UNAVAILABLE)) return { when: 'before', message: oneOf(UNAVAILABLE)[0] }
  if (chance(rates.D1_BEFORE)) return { when: 'before', message }
  if (chance(rates.D1_AFTER)) return { when: 'after', message }
  if (chance(rates.D1_HANGS)) {
    return chance(0.5) ? { when: 'hangs' } : { when: 'after', message, meanwhile: () => new Promise(() => {}) }
  }
  return undefined
}

async function kvFateOf(rates: Partial<FaultRates>): Promise<KvFate> {
  if (chance(rates.KV_DELAYS)) await new Promise((resolve) => setTimeout(resolve, Math.random() * 500))
  if (chance(rates.KV_THROWS)) return 'fails'
  return chance(rates.KV_LOSES) ? 'loses' : 'works'
}

function wakeFateOf(rates: Partial<FaultRates>): WakeFate {
  if (chance(rates.WAKE_THROWS)) return 'refused'
  return chance(rates.WAKE_LOSES) ? 'lost' : 'sent'
}

function chance(rate = 0): boolean {
  return Math.random() < rate
}

function oneOf<const Values extends readonly unknown[]>(values: Values): Values[number] {
  return values[Math.floor(Math.random() * values.length)]
}
