import { app } from './app.ts'
import type { Bindings } from './bindings.ts'
import { runCron } from './modules/crons/run-cron.ts'

export { BulkChanges } from './modules/bulk-changes/object.ts'
export { StoreDatabase } from './modules/store-database/object.ts'
export { WebhookEndpoint } from './modules/webhooks/deliveries/object.ts'

export default {
  fetch: app.fetch,
  scheduled: runCron,
} satisfies ExportedHandler<Bindings>
