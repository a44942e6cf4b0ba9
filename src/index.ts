import { app } from './app.ts'
import type { Bindings } from './context.ts'
import { consume, type Message } from './jobs/consume.ts'
import { runCron } from './jobs/crons.ts'

export { StoreDatabase } from './store-object.ts'

export default {
  fetch: app.fetch,
  scheduled: runCron,
  queue: consume,
} satisfies ExportedHandler<Bindings, Message>
