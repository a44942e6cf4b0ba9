import floor, { type FloorEnv } from './floor.ts'
import { probe } from './probe.ts'

// oxlint-disable-next-line import/no-default-export -- a Worker's entry point
export default probe<FloorEnv>((request, env, ctx) => floor.fetch(request, env, ctx))
