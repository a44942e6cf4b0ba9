/**
 * These wrappers of the real D1, KV and objects count, record and fail, and never replace them. The tests, the soak and
 * the bench share them; each decides which calls fail.
 */
import type { BoundStatement, DatabaseName } from '../../src/db/database.ts'
import { RETRYABLE } from './d1-errors.ts'

/** A wrapper records at most this many calls: without a limit, a long soak would run out of memory. */
const MAX_NOTED = 10_000

function note<T>(list: T[], ...items: T[]): void {
  if (list.length < MAX_NOTED) list.push(...items)
}

export interface SentStatement {
  sql: string
  params: unknown[]
}

/**
 * `before` fails before the round trip is applied, `after` fails after it, and `hangs` never responds. `after` is the
 * hard case, because the Worker cannot know that it was applied. `meanwhile` runs between the commit and the loss of
 * the response. `late` fails as well, but the round trip is applied when the test calls `arrive`.
 */
export type Fault =
  | { when: 'before' | 'after'; message: string; meanwhile?: () => Promise<unknown> }
  | { when: 'late'; message: string }
  | { when: 'hangs' }
  | undefined

const [LOST] = RETRYABLE

/** The first `times` round trips are lost, before or after they are applied. */
export function loses(when: 'before' | 'after', times = Infinity): (trip: number) => Fault {
  return (trip) => (trip < times ? { when, message: LOST } : undefined)
}

/** The first round trip is applied, then `meanwhile` runs, and then the response is lost. */
export function losesAnswer(meanwhile: () => Promise<unknown> = async () => {}): (trip: number) => Fault {
  return (trip) => (trip === 0 ? { when: 'after', message: LOST, meanwhile } : undefined)
}

/** The connection of the first round trip is lost, and the round trip is applied later. */
export function losesConnection(trip: number): Fault {
  return trip === 0 ? { when: 'late', message: LOST } : undefined
}

export interface FaultyD1 {
  DB: D1Database
  roundTrips: () => number
  /** These are the numbers that D1 reports and bills. */
  rowsRead: () => number
  rowsWritten: () => number
  statements: () => SentStatement[]
  /** What follows responses: it records that a token was used. None of the numbers above include it. */
  later: () => { trips: number; written: number }
  /** Applies the round trips that are late. */
  arrive: () => Promise<void>
}

/**
 * Returns the fault of the n-th round trip, counted from 0, which goes to this database with these statements; the round
 * trip waits for it. The number of one that follows a response is infinite.
 */
type Faults = (trip: number, database: DatabaseName, statements: SentStatement[]) => Fault | Promise<Fault>

export function faultyD1(d1: D1Database, fault: Faults = () => undefined): FaultyD1 {
  let roundTrips = 0
  let rowsRead = 0
  let rowsWritten = 0
  const sent: SentStatement[] = []
  const later = { trips: 0, written: 0 }
  const underWay: (() => Promise<unknown>)[] = []
  /** D1's `batch` accepts only its own statements, so each wrapper must be replaced by its original. */
  const prepared = new WeakMap<D1PreparedStatement, SentStatement & { original: D1PreparedStatement }>()

  async function pass<T>(
    statements: SentStatement[],
    send: () => Promise<T>,
    database: DatabaseName = 'd1',
  ): Promise<T> {
    note(sent, ...statements)
    const isLater = statements.some(({ sql }) => sql.startsWith('update access_tokens set last_used_at'))
    if (isLater) later.trips++
    const planned = await fault(isLater ? Infinity : roundTrips++, database, statements)
    if (planned?.when === 'hangs') return new Promise(() => {})
    if (planned?.when === 'late') underWay.push(send)
    if (planned?.when === 'before' || planned?.when === 'late') throw new Error(planned.message)
    const result = await send()
    for (const { read, written } of costsIn(result)) {
      if (isLater) {
        later.written += written
        continue
      }
      rowsRead += read
      rowsWritten += written
    }
    await planned?.meanwhile?.()
    if (planned) throw new Error(planned.message)
    return result
  }

  function sentBy(statement: D1PreparedStatement): SentStatement {
    return prepared.get(statement) ?? { sql: '', params: [] }
  }

  function wrapStatement(original: D1PreparedStatement, sql: string, params: unknown[]): D1PreparedStatement {
    const wrapped: D1PreparedStatement = intercept(original, {
      bind: (...values: unknown[]) => wrapStatement(original.bind(...values), sql, values),
      ...Object.fromEntries(
        (['run', 'all', 'first', 'raw'] as const).map((method) => [
          method,
          (...values: unknown[]) => pass([{ sql, params }], () => Reflect.apply(original[method], original, values)),
        ]),
      ),
    })
    prepared.set(wrapped, { original, sql, params })
    return wrapped
  }

  const DB = intercept(d1, {
    prepare: (sql: string) => wrapStatement(d1.prepare(sql), sql, []),
    batch: (statements: D1PreparedStatement[]) =>
      pass(statements.map(sentBy), () =>
        d1.batch(statements.map((statement) => prepared.get(statement)?.original ?? statement)),
      ),
  })
  const wrapObjects = (stores: Env['STORES']): Env['STORES'] =>
    intercept(stores, {
      getByName(name: string, options: DurableObjectNamespaceGetDurableObjectOptions) {
        const stub = stores.getByName(name, options)
        const batch = (statements: BoundStatement[]) =>
          pass(
            statements.map(({ text, values }) => ({ sql: text, params: [...values] })),
            () => stub.batch(statements),
            'object',
          )
        return { batch, wake: () => stub.wake() }
      },
    })
  objectsOf.set(DB, wrapObjects)
  return {
    DB,
    roundTrips: () => roundTrips,
    rowsRead: () => rowsRead,
    rowsWritten: () => rowsWritten,
    statements: () => sent,
    later: () => later,
    arrive: async () => {
      for (const send of underWay.splice(0)) await send()
    },
  }
}

/** What a batch or a statement cost; `first` and `raw` do not say it. An object returns one sum for its batch. */
function costsIn(answer: any): { read: number; written: number }[] {
  if (answer?.rowsRead !== undefined) return [{ read: answer.rowsRead, written: answer.rowsWritten }]
  return (Array.isArray(answer) ? answer : [answer])
    .filter((result) => result?.meta !== undefined)
    .map(({ meta }) => ({ read: meta.rows_read, written: meta.rows_written }))
}

const objectsOf = new WeakMap<D1Database, (stores: Env['STORES']) => Env['STORES']>()

/** The objects of stores with the faults of this database. They count as its round trips. */
export function objectsLike(d1: D1Database | undefined, stores: Env['STORES']): Env['STORES'] {
  const wrap = d1 === undefined ? undefined : objectsOf.get(d1)
  return wrap === undefined ? stores : wrap(stores)
}

/** An operation of KV fails, loses (it finds or stores nothing), or hangs (it never responds). */
export type KvFate = 'works' | 'fails' | 'loses' | 'hangs'

export interface FaultyKv {
  REPLAYS: KVNamespace
  reads: () => number
  writes: () => number
  keys: () => string[]
}

/** `fate` returns what happens to the next read or write; the call waits for it. */
export function faultyKv(
  kv: KVNamespace,
  fate: (operation: 'read' | 'write') => KvFate | Promise<KvFate> = () => 'works',
): FaultyKv {
  let reads = 0
  let writes = 0
  const keys: string[] = []

  async function pass(operation: 'read' | 'write', act: () => unknown, nothing: unknown): Promise<unknown> {
    const planned = await fate(operation)
    if (planned === 'fails')
      throw new Error(`KV ${operation === 'read' ? 'GET' : 'PUT'} failed: 500 Internal Server Error`)
    if (planned === 'hangs') return new Promise(() => {})
    return planned === 'loses' ? nothing : act()
  }

  const read = (method: 'get' | 'getWithMetadata' | 'list', nothing: unknown) => {
    return (...values: unknown[]) => {
      reads++
      return pass('read', () => Reflect.apply(kv[method], kv, values), nothing)
    }
  }
  const write = (method: 'put' | 'delete') => {
    return (...values: unknown[]) => {
      writes++
      note(keys, String(values[0]))
      return pass('write', () => Reflect.apply(kv[method], kv, values), undefined)
    }
  }
  const REPLAYS = intercept(kv, {
    get: read('get', null),
    getWithMetadata: read('getWithMetadata', { value: null, metadata: null, cacheStatus: null }),
    list: read('list', { keys: [], list_complete: true, cacheStatus: null }),
    put: write('put'),
    delete: write('delete'),
  })
  return { REPLAYS, reads: () => reads, writes: () => writes, keys: () => keys }
}

export type WakeFate = 'sent' | 'lost' | 'refused'

type Objects = Pick<Env, 'WEBHOOK_ENDPOINTS' | 'BULK_CHANGES'>

export interface FaultyObjects {
  /** The bindings of the objects. Only their wake-ups can get lost. */
  bindings: Objects
  /** The ids of the endpoints and the numbers of the stores that were woken, or tried to be woken, in this order. */
  endpoints: () => number[]
  stores: () => number[]
}

/** `fate(n)` returns what happens to the n-th wake-up, counted from 0. */
export function faultyObjects(
  { WEBHOOK_ENDPOINTS, BULK_CHANGES }: Objects,
  fate: (call: number) => WakeFate = () => 'sent',
): FaultyObjects {
  let calls = 0
  const endpoints: number[] = []
  const stores: number[] = []
  const wake = async (woken: number[], id: number, send: () => Promise<void>) => {
    note(woken, id)
    const planned = fate(calls++)
    if (planned === 'refused') throw new Error('Network connection lost.')
    if (planned === 'sent') await send()
  }
  type Endpoint = ReturnType<Env['WEBHOOK_ENDPOINTS']['getByName']>
  const endpointOf = (name: string) => {
    const stub = WEBHOOK_ENDPOINTS.getByName(name)
    return {
      wake: (id: number) => wake(endpoints, id, () => stub.wake(id)),
      sendNow: (...values: Parameters<Endpoint['sendNow']>) => stub.sendNow(...values),
      recover: (...values: Parameters<Endpoint['recover']>) => stub.recover(...values),
      redelivered: (...values: Parameters<Endpoint['redelivered']>) => stub.redelivered(...values),
      page: (...values: Parameters<Endpoint['page']>) => stub.page(...values),
    }
  }
  const storeOf = (name: string) => {
    const stub = BULK_CHANGES.getByName(name)
    return { wake: (store: number) => wake(stores, store, () => stub.wake(store)) }
  }
  return {
    bindings: {
      WEBHOOK_ENDPOINTS: intercept(WEBHOOK_ENDPOINTS, { getByName: endpointOf }),
      BULK_CHANGES: intercept(BULK_CHANGES, { getByName: storeOf }),
    },
    endpoints: () => endpoints,
    stores: () => stores,
  }
}

/** Returns the target with these methods replaced. */
function intercept<T extends object>(target: T, methods: Record<string, unknown>): T {
  return new Proxy(target, {
    get(_, property) {
      if (typeof property === 'string' && Object.hasOwn(methods, property)) return methods[property]
      const value = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
