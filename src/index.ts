import { app } from './app.ts'
import type { Bindings } from './context.ts'

export default { fetch: app.fetch } satisfies ExportedHandler<Bindings>
