import { app } from './app.ts'
import type { Bindings } from './app-env.ts'
import { runCron } from './jobs/crons.ts'

export { BulkChanges } from './objects/bulk-changes.ts'
export { StoreDatabase } from './objects/store-database.ts'
export { WebhookEndpoint } from './objects/webhook-endpoint.ts'

export default {
  fetch: app.fetch,
  scheduled: runCron,
} satisfies ExportedHandler<Bindings>
