/**
 * A Worker with its D1 and KV under watch: each D1 round trip can be made to take longer (D1_DELAY_MS), everything
 * is counted, and GET /__probe answers the counts since the last time. For the bench's own entry points alone.
 */
import { faultyD1, faultyKv } from '../../test/support/faults.ts'

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
  D1_DELAY_MS?: number
}

type Fetch<Env> = (
  request: Request<unknown, IncomingRequestCfProperties>,
  env: Env,
  ctx: ExecutionContext,
) => Response | Promise<Response>

type Watched = Omit<ReturnType<typeof faultyD1> & ReturnType<typeof faultyKv>, 'DB' | 'REPLAYS'>

const MAX_WATCHED = 1000

export function probe<Env extends ProbedEnv>(fetch: Fetch<Env>): { fetch: Fetch<Env> } {
  let watched: Watched[] = []
  return {
    fetch(request, env, ctx) {
      if (new URL(request.url).pathname === '/__probe') {
        const answer = Response.json(countsOf(watched))
        watched = []
        return answer
      }
      const delayMs = env.D1_DELAY_MS ?? 0
      const { DB, ...d1 } = faultyD1(env.DB, () => (delayMs > 0 ? pause(delayMs) : undefined))
      const { REPLAYS, ...kv } = faultyKv(env.REPLAYS)
      // A wrapper keeps all that went through it, and of a load nobody asks for the counts.
      if (watched.length < MAX_WATCHED) watched.push({ ...d1, ...kv })
      return fetch(request, { ...env, DB, REPLAYS }, ctx)
    },
  }
}

function pause(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms))
}

function countsOf(watched: Watched[]): Counts {
  const sum = (of: (one: Watched) => number) => watched.reduce((total, one) => total + of(one), 0)
  return {
    roundTrips: sum((one) => one.roundTrips()),
    rowsRead: sum((one) => one.rowsRead()),
    rowsWritten: sum((one) => one.rowsWritten()),
    kvReads: sum((one) => one.reads()),
    kvWrites: sum((one) => one.writes()),
  }
}
