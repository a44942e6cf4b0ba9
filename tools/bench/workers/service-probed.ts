import { app } from '../../../src/app.ts'
import type { Bindings } from '../../../src/bindings.ts'
import { probe } from './probe.ts'

// oxlint-disable-next-line import/no-default-export -- a Worker's entry point
export default probe<Bindings>((request, env, ctx) => app.fetch(request, env, ctx))
