/**
 * Runs the service with a D1, a KV and objects that fail at the rates in its bindings. Only `npm run soak` uses this
 * entry point. `/__scheduled?cron=…` replaces the cron triggers, which Miniflare does not run.
 */
import type { Bindings } from '../src/app-env.ts'
import { numbersOf } from '../src/db/places.ts'
import service, * as classes from '../src/index.ts'
import { RETRYABLE, UNAVAILABLE } from '../test/support/d1-errors.ts'
import {
  type Fault,
  faultyD1,
  faultyKv,
  faultyObjects,
  type KvFate,
  objectsLike,
  type WakeFate,
} from '../test/support/faults.ts'

export interface FaultRates {
  /** D1 fails before the batch is committed, and with D1_AFTER after it, when the service cannot know that it was. */
  D1_BEFORE: number
  D1_AFTER: number
  /** D1 does not respond, in half of the cases although the batch is committed. */
  D1_HANGS: number
  /** D1 reports that it is overloaded, full or exporting. */
  D1_UNAVAILABLE: number
  KV_THROWS: number
  /** KV loses writes and does not find existing values. */
  KV_LOSES: number
  /** KV takes up to 500 ms, which is twice the time limit of a read. */
  KV_DELAYS: number
  /** A wake-up of an object fails, or is lost. */
  WAKE_THROWS: number
  WAKE_LOSES: number
}

type SoakEnv = Bindings & Partial<FaultRates>

export { StoreDatabase } from '../src/index.ts'

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

// oxlint-disable-next-line import/no-default-export -- a Worker's entry point
export default {
  async fetch(request, env, ctx) {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname !== '/__scheduled') return service.fetch(request, unreliable(env), ctx)
    const cron = searchParams.get('cron') ?? ''
    await service.scheduled({ cron, scheduledTime: Date.now(), noRetry: () => {} }, unreliable(env))
    // The alarm of a store rings a minute after a change, which is long for a soak.
    await env.STORES.getByName(String(numbersOf(null).first)).wake()
    return new Response(null, { status: 204 })
  },
} satisfies ExportedHandler<SoakEnv>

/** Each invocation gets new wrappers, because a wrapper records every call and would fill the memory. */
function unreliable(env: SoakEnv): Bindings {
  const { DB } = faultyD1(env.DB, () => faultOf(env))
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
