/**
 * Wraps a Worker to count its calls of D1 and KV. GET /__probe returns the counts since the last such request. Only entry
 * points of the bench may use it.
 */
import { faultyD1, faultyKv } from '../../../test/support/faults.ts'

export interface Counts {
  roundTrips: number
  rowsRead: number
  rowsWritten: number
  kvReads: number
  kvWrites: number
}

interface ProbedEnv {
  DB: D1Database
  REPLAYS: KVNamespace
}

type Fetch<Env> = (
  request: Request<unknown, IncomingRequestCfProperties>,
  env: Env,
  ctx: ExecutionContext,
) => Response | Promise<Response>

type Counters = Omit<ReturnType<typeof faultyD1> & ReturnType<typeof faultyKv>, 'DB' | 'REPLAYS'>

const MAX_COUNTED = 1000

export function probe<Env extends ProbedEnv>(fetch: Fetch<Env>): { fetch: Fetch<Env> } {
  let counters: Counters[] = []
  return {
    fetch(request, env, ctx) {
      if (new URL(request.url).pathname === '/__probe') {
        const response = Response.json(countsOf(counters))
        counters = []
        return response
      }
      const { DB, ...d1 } = faultyD1(env.DB)
      const { REPLAYS, ...kv } = faultyKv(env.REPLAYS)
      // A wrapper records every call, and a load never requests the counts: without a limit, memory would fill up.
      if (counters.length < MAX_COUNTED) counters.push({ ...d1, ...kv })
      return fetch(request, { ...env, DB, REPLAYS }, ctx)
    },
  }
}

function countsOf(counters: Counters[]): Counts {
  const sum = (of: (one: Counters) => number) => counters.reduce((total, one) => total + of(one), 0)
  return {
    roundTrips: sum((one) => one.roundTrips()),
    rowsRead: sum((one) => one.rowsRead()),
    rowsWritten: sum((one) => one.rowsWritten()),
    kvReads: sum((one) => one.reads()),
    kvWrites: sum((one) => one.writes()),
  }
}
