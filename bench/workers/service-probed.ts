import { app } from '../../src/app.ts'
import type { Bindings } from '../../src/context.ts'
import { probe } from './probe.ts'

export default probe<Bindings>((request, env, ctx) => app.fetch(request, env, ctx))
