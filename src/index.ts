import { app } from './app.ts'
import type { Bindings } from './context.ts'
import { createDb } from './db/client.ts'
import { purgeClaims } from './domain/idempotency-keys.ts'

export default {
  fetch: app.fetch,

  async scheduled(controller, env) {
    const purged = await purgeClaims(createDb(env.DB), controller.scheduledTime)
    console.log(JSON.stringify({ cron: controller.cron, purged_claims: purged }))
  },
} satisfies ExportedHandler<Bindings>
