import { app } from './app.ts'
import type { Bindings } from './context.ts'
import { consume, type Message } from './jobs/consume.ts'
import { hourly } from './jobs/hourly.ts'
import { minutely } from './jobs/minutely.ts'

export default {
  fetch: app.fetch,
  // wrangler.toml has two crons. Only the hourly one begins with a number, its minute.
  scheduled: ({ cron, scheduledTime }, env) => (cron.startsWith('*') ? minutely : hourly)(env, scheduledTime),
  queue: consume,
} satisfies ExportedHandler<Bindings, Message>
