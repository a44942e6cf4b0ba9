/** Bindings that count, note and fail: wrappers around the real D1 and KV, never replacements. */

export interface SentStatement {
  sql: string
  params: unknown[]
}

export interface FaultyD1 {
  DB: D1Database
  /** How often the Worker has sent something. */
  roundTrips: () => number
  /** What D1 says that it read and wrote, and bills. */
  rowsRead: () => number
  rowsWritten: () => number
  /** What the Worker has sent, in order. */
  statements: () => SentStatement[]
}

export type Fault = { message: string; when: 'before' | 'after' } | undefined

/** Messages that D1 documents as worth a retry, and those that ask for less load. */
export const RETRYABLE = [
  'D1_ERROR: Network connection lost.',
  'D1_ERROR: D1 DB storage caused object to be reset.',
  'D1_ERROR: D1 DB reset because its code was updated.',
  'D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.',
  'D1_ERROR: The client disconnected.',
]
export const OVERLOADED = [
  'D1_ERROR: D1 DB is overloaded. Requests queued for too long.',
  'D1_ERROR: D1 DB is overloaded. Too many requests queued.',
  'D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.',
  'D1_ERROR: D1 DB exceeded its memory limit and was reset.',
  'D1_ERROR: D1 DB exceeded its CPU time limit and was reset.',
]

/** `fault(n)` says what happens to the n-th round trip, counted from 0: fail before or after it took effect, or not. */
export function faultyD1(d1: D1Database, fault: (roundTrip: number) => Fault = () => undefined): FaultyD1 {
  let roundTrips = 0
  let rowsRead = 0
  let rowsWritten = 0
  const sent: SentStatement[] = []
  /** What each wrapped statement stands for: D1's batch takes its own statements alone. */
  const prepared = new WeakMap<D1PreparedStatement, SentStatement & { original: D1PreparedStatement }>()

  async function pass<T>(statements: D1PreparedStatement[], send: () => Promise<T>): Promise<T> {
    for (const statement of statements) {
      const { sql = '', params = [] } = prepared.get(statement) ?? {}
      sent.push({ sql, params })
    }
    const planned = fault(roundTrips++)
    if (planned?.when === 'before') throw new Error(planned.message)
    const result = await send()
    for (const { meta } of Array.isArray(result) ? result : []) {
      rowsRead += meta.rows_read
      rowsWritten += meta.rows_written
    }
    if (planned?.when === 'after') throw new Error(planned.message)
    return result
  }

  function wrapStatement(original: D1PreparedStatement, sql: string, params: unknown[]): D1PreparedStatement {
    const wrapped: D1PreparedStatement = intercept(original, {
      bind: (...values: unknown[]) => wrapStatement(original.bind(...values), sql, values),
      ...Object.fromEntries(
        (['run', 'all', 'first', 'raw'] as const).map((method) => [
          method,
          (...values: unknown[]) => pass([wrapped], () => Reflect.apply(original[method], original, values)),
        ]),
      ),
    })
    prepared.set(wrapped, { original, sql, params })
    return wrapped
  }

  function wrap<S extends D1Database | D1DatabaseSession>(target: S): S {
    return intercept(target, {
      prepare: (sql: string) => wrapStatement(target.prepare(sql), sql, []),
      batch: (statements: D1PreparedStatement[]) =>
        pass(statements, () =>
          target.batch(statements.map((statement) => prepared.get(statement)?.original ?? statement)),
        ),
      ...('withSession' in target && {
        withSession: (constraint?: D1SessionConstraint) => wrap(target.withSession(constraint)),
      }),
    })
  }

  return {
    DB: wrap(d1),
    roundTrips: () => roundTrips,
    rowsRead: () => rowsRead,
    rowsWritten: () => rowsWritten,
    statements: () => sent,
  }
}

/** A D1 whose read replica has nothing yet: sessions that need not reach the primary find no row. */
export function laggingReplica(d1: D1Database): D1Database {
  return intercept(d1, {
    withSession: (constraint?: D1SessionConstraint) => {
      const session = d1.withSession(constraint)
      if (constraint === 'first-primary') return session
      return intercept(session, {
        batch: async (statements: D1PreparedStatement[]) => {
          const results = await session.batch(statements)
          for (const result of results) result.results = []
          return results
        },
      })
    },
  })
}

export interface FaultyKv {
  REPLAYS: KVNamespace
  reads: () => number
  writes: () => number
  /** The keys that the Worker has written. */
  keys: () => string[]
}

/** `read` and `write` say what happens instead of every read and write. */
export function faultyKv(
  kv: KVNamespace,
  faults: { read?: () => Promise<never>; write?: () => Promise<never> } = {},
): FaultyKv {
  let reads = 0
  const keys: string[] = []
  const read =
    (method: 'get' | 'getWithMetadata' | 'list') =>
    (...values: unknown[]) => {
      reads++
      return faults.read?.() ?? Reflect.apply(kv[method], kv, values)
    }
  const write =
    (method: 'put' | 'delete') =>
    (...values: unknown[]) => {
      keys.push(String(values[0]))
      return faults.write?.() ?? Reflect.apply(kv[method], kv, values)
    }
  const REPLAYS = intercept(kv, {
    get: read('get'),
    getWithMetadata: read('getWithMetadata'),
    list: read('list'),
    put: write('put'),
    delete: write('delete'),
  })
  return { REPLAYS, reads: () => reads, writes: () => keys.length, keys: () => keys }
}

/** The target with these methods instead of its own. */
function intercept<T extends object>(target: T, methods: Record<string, unknown>): T {
  return new Proxy(target, {
    get(_, property) {
      if (typeof property === 'string' && Object.hasOwn(methods, property)) return methods[property]
      const value = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** What becomes of the messages that are sent at once. */
export type Fate = 'sent' | 'lost' | 'refused'

export interface SentMessage {
  body: any
  delaySeconds: number
}

export interface FaultyQueue {
  WEBHOOKS: Queue
  /** What the Worker has sent or tried to send, in order. */
  messages: () => SentMessage[]
}

/** `fate(n)` says what becomes of the n-th call, counted from 0. */
export function faultyQueue(queue: Queue, fate: (call: number) => Fate = () => 'sent'): FaultyQueue {
  let calls = 0
  const sent: SentMessage[] = []
  const methods = (['send', 'sendBatch'] as const).map((method): [string, unknown] => [
    method,
    async (...values: unknown[]) => {
      const [first, options]: any[] = values
      const messages = method === 'send' ? [{ body: first }] : [...first]
      sent.push(...messages.map(({ body }) => ({ body, delaySeconds: options?.delaySeconds ?? 0 })))
      const planned = fate(calls++)
      if (planned === 'refused') throw new Error('Queue sendBatch failed: Too Many Requests')
      if (planned === 'sent') await Reflect.apply(queue[method], queue, values)
    },
  ])
  return { WEBHOOKS: intercept(queue, Object.fromEntries(methods)), messages: () => sent }
}
