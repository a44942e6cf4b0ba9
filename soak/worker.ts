/**
 * The service on a D1, a KV and a queue that fail, at the rates of its bindings. Only `npm run soak` includes this
 * entry point. What failed after it took effect is the hard case: the caller cannot know.
 * `/__scheduled?cron=…` stands for the cron triggers, which Miniflare does not run.
 */
import type { Bindings } from '../src/context.ts'
import service from '../src/index.ts'
import type { WakeUp } from '../src/webhooks/queue.ts'

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
  /** The queue refuses messages, takes them and loses them, or hands them out twice. */
  QUEUE_THROWS: number
  QUEUE_LOSES: number
  QUEUE_DOUBLES: number
}

let faulty: Bindings | undefined

function unreliable(env: Bindings & Partial<FaultRates>): Bindings {
  faulty ??= {
    ...env,
    DB: faultyD1(env.DB, env),
    REPLAYS: faultyKv(env.REPLAYS, env),
    WEBHOOKS: faultyQueue(env.WEBHOOKS, env),
  }
  return faulty
}

// oxlint-disable-next-line import/no-default-export -- a Worker's entry point
export default {
  async fetch(request, env, ctx) {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname !== '/__scheduled') return service.fetch(request, unreliable(env), ctx)
    const cron = searchParams.get('cron') ?? ''
    await service.scheduled({ cron, scheduledTime: Date.now(), noRetry: () => {} }, unreliable(env))
    return new Response(null, { status: 204 })
  },
  queue: (batch, env, ctx) => service.queue(batch, unreliable(env), ctx),
} satisfies ExportedHandler<Bindings & Partial<FaultRates>, WakeUp>

const chance = (rate = 0) => Math.random() < rate

function faultyD1<S extends D1Database | D1DatabaseSession>(d1: S, rates: Partial<FaultRates>): S {
  return replace(d1, {
    async batch(statements: D1PreparedStatement[]) {
      if (chance(rates.D1_OVERLOADED)) throw new Error('D1_ERROR: D1 DB is overloaded. Requests queued for too long.')
      if (chance(rates.D1_BEFORE)) throw new Error('D1_ERROR: Network connection lost.')
      const results = await d1.batch(statements)
      if (chance(rates.D1_AFTER)) throw new Error('D1_ERROR: Network connection lost.')
      return results
    },
    ...('withSession' in d1 && {
      withSession: (constraint?: D1SessionConstraint) => faultyD1(d1.withSession(constraint), rates),
    }),
  })
}

function faultyKv(kv: KVNamespace, rates: Partial<FaultRates>): KVNamespace {
  async function suffer(): Promise<void> {
    if (chance(rates.KV_DELAYS)) await new Promise((resolve) => setTimeout(resolve, Math.random() * 500))
    if (chance(rates.KV_THROWS)) throw new Error('KV GET failed: 500 Internal Server Error')
  }
  return replace(kv, {
    async put(...put: Parameters<KVNamespace['put']>) {
      await suffer()
      if (!chance(rates.KV_LOSES)) await kv.put(...put)
    },
    async getWithMetadata(key: string) {
      await suffer()
      return chance(rates.KV_LOSES) ? { value: null, metadata: null, cacheStatus: null } : kv.getWithMetadata(key)
    },
  })
}

function faultyQueue<Q extends Queue>(queue: Q, rates: Partial<FaultRates>): Q {
  return replace(queue, {
    async sendBatch(...sent: Parameters<Queue['sendBatch']>) {
      if (chance(rates.QUEUE_THROWS)) throw new Error('Queue sendBatch failed: Internal Server Error')
      if (chance(rates.QUEUE_LOSES)) return
      if (chance(rates.QUEUE_DOUBLES)) await queue.sendBatch(...sent)
      await queue.sendBatch(...sent)
    },
  })
}

/** The binding with these methods instead of its own. */
function replace<T extends object>(binding: T, methods: Record<string, unknown>): T {
  return new Proxy(binding, {
    get(target, property) {
      if (typeof property === 'string' && Object.hasOwn(methods, property)) return methods[property]
      const value = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
