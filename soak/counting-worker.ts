/**
 * Runs the service and counts what it sends: messages of the queue, statements of D1 and requests to other hosts. Only
 * `npm run soak -- --dead-endpoints` uses this entry point. `/__counts` returns the counts, and `/__scheduled?cron=…`
 * replaces the cron triggers, which Miniflare does not run.
 */
import type { Bindings } from '../src/context.ts'
import type { WakeUp } from '../src/domain/webhooks/notify.ts'
import service from '../src/index.ts'

export interface Counts {
  messages: number
  statements: number
  attempts: number
}

const counts: Counts = { messages: 0, statements: 0, attempts: 0 }

const { fetch } = globalThis
globalThis.fetch = (...request: Parameters<typeof fetch>) => {
  counts.attempts++
  return fetch(...request)
}

// oxlint-disable-next-line import/no-default-export -- a Worker's entry point
export default {
  async fetch(request, env, ctx) {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/__counts') return Response.json(counts)
    if (pathname !== '/__scheduled') return service.fetch(request, counting(env), ctx)
    const cron = searchParams.get('cron') ?? ''
    await service.scheduled({ cron, scheduledTime: Date.now(), noRetry: () => {} }, counting(env))
    return new Response(null, { status: 204 })
  },
  queue: (batch, env, ctx) => service.queue(batch, counting(env), ctx),
} satisfies ExportedHandler<Bindings, WakeUp>

function counting(env: Bindings): Bindings {
  return {
    ...env,
    DB: intercept(env.DB, 'batch', (statements: unknown[]) => (counts.statements += statements.length)),
    WEBHOOKS: intercept(env.WEBHOOKS, 'sendBatch', (messages: unknown[]) => (counts.messages += messages.length)),
  }
}

/** The target, with `note` called with the first argument of this method. */
function intercept<T extends object>(target: T, method: string, note: (list: unknown[]) => void): T {
  return new Proxy(target, {
    get(_, property) {
      const value: unknown = Reflect.get(target, property)
      if (typeof value !== 'function') return value
      return (...values: unknown[]) => {
        const [first] = values
        if (property === method && Array.isArray(first)) note(first)
        return Reflect.apply(value, target, values)
      }
    },
  })
}
