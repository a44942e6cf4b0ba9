/**
 * Runs the service and counts what its objects do: trips to D1, statements, and requests to other hosts. Only `npm run soak --
 * --dead-endpoints` uses this entry point. `/__counts` returns the counts, and `/__scheduled?cron=…` replaces the cron
 * triggers, which Miniflare does not run.
 */
import type { Bindings } from '../src/app-env.ts'
import service, * as classes from '../src/index.ts'

export interface Counts {
  trips: number
  statements: number
  attempts: number
}

/** All objects of a Worker run in one isolate here. */
const counts: Counts = { trips: 0, statements: 0, attempts: 0 }

const { fetch } = globalThis
globalThis.fetch = (...request: Parameters<typeof fetch>) => {
  counts.attempts++
  return fetch(...request)
}

export { BulkChanges, StoreDatabase } from '../src/index.ts'

export class WebhookEndpoint extends classes.WebhookEndpoint {
  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, { ...env, DB: counting(env.DB) })
  }
}

// oxlint-disable-next-line import/no-default-export -- a Worker's entry point
export default {
  async fetch(request, env, ctx) {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/__counts') return Response.json(counts)
    if (pathname !== '/__scheduled') return service.fetch(request, env, ctx)
    const cron = searchParams.get('cron') ?? ''
    await service.scheduled({ cron, scheduledTime: Date.now(), noRetry: () => {} }, env)
    return new Response(null, { status: 204 })
  },
  scheduled: (controller, env) => service.scheduled(controller, env),
} satisfies ExportedHandler<Bindings>

function counting(target: D1Database): D1Database {
  const batch = (statements: D1PreparedStatement[]) => {
    counts.trips++
    counts.statements += statements.length
    return target.batch(statements)
  }
  return Object.assign(Object.create(target), { prepare: (text: string) => target.prepare(text), batch })
}
