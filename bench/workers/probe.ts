/**
 * A Worker with its D1 and KV under watch: each D1 round trip can be made to take longer (D1_DELAY_MS), everything
 * is counted, and GET /__probe answers the counts since the last time. For the bench's own entry points alone.
 */
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

export function probe<Env extends ProbedEnv>(fetch: Fetch<Env>): { fetch: Fetch<Env> } {
  let counts = newCounts()
  /** One wrapper for the instance's life, as there is one binding. */
  let probed: Env | undefined
  return {
    fetch(request, env, ctx) {
      if (new URL(request.url).pathname === '/__probe') {
        const answer = Response.json(counts)
        counts = newCounts()
        return answer
      }
      probed ??= {
        ...env,
        DB: watchD1(env.DB, env.D1_DELAY_MS ?? 0, () => counts),
        REPLAYS: watchKv(env.REPLAYS, () => counts),
      }
      return fetch(request, probed, ctx)
    },
  }
}

function newCounts(): Counts {
  return { roundTrips: 0, rowsRead: 0, rowsWritten: 0, kvReads: 0, kvWrites: 0 }
}

function watchKv(kv: KVNamespace, counts: () => Counts): KVNamespace {
  return new Proxy(kv, {
    get(target, property) {
      if (property === 'get' || property === 'getWithMetadata') counts().kvReads++
      if (property === 'put') counts().kvWrites++
      const value = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** The statements behind the wrapped ones: a batch takes no others. */
const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>()

function watchD1<S extends D1Database | D1DatabaseSession>(d1: S, delayMs: number, counts: () => Counts): S {
  async function pass<T>(send: () => Promise<T>): Promise<T> {
    counts().roundTrips++
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
    const result = await send()
    for (const item of Array.isArray(result) ? result : [result]) {
      counts().rowsRead += item?.meta?.rows_read ?? 0
      counts().rowsWritten += item?.meta?.rows_written ?? 0
    }
    return result
  }
  function watchStatement(statement: D1PreparedStatement): D1PreparedStatement {
    const watched = new Proxy(statement, {
      get(target, property) {
        if (property === 'bind') return (...values: unknown[]) => watchStatement(target.bind(...values))
        const value = Reflect.get(target, property)
        if (typeof value !== 'function') return value
        return (...values: unknown[]) => pass(() => value.apply(target, values))
      },
    })
    originals.set(watched, statement)
    return watched
  }
  return new Proxy(d1, {
    get(target, property) {
      if (property === 'prepare') return (sql: string) => watchStatement(target.prepare(sql))
      if (property === 'batch') {
        return (statements: D1PreparedStatement[]) =>
          pass(() => target.batch(statements.map((statement) => originals.get(statement) ?? statement)))
      }
      if (property === 'withSession' && 'withSession' in target) {
        return (constraint?: D1SessionConstraint) => watchD1(target.withSession(constraint), delayMs, counts)
      }
      const value = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
