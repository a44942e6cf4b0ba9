import floor, { type FloorEnv } from './floor.ts'
import { probe } from './probe.ts'

export default probe<FloorEnv>((request, env, ctx) => floor.fetch(request, env, ctx))
