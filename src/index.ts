import { app } from './app.ts'
import type { Bindings } from './context.ts'
import type { WakeUp } from './domain/webhooks/notify.ts'
import { deliver } from './jobs/deliver.ts'
import { hourly } from './jobs/hourly.ts'
import { minutely } from './jobs/minutely.ts'

export default {
  fetch: app.fetch,
  // Of the two in wrangler.toml, the hourly one names its minute.
  scheduled: ({ cron, scheduledTime }, env) => (cron.startsWith('*') ? minutely : hourly)(env, scheduledTime),
  queue: deliver,
} satisfies ExportedHandler<Bindings, WakeUp>
