/**
 * Bindings that count, note and fail: wrappers around the real D1, KV and queue, never replacements. Tests, the soak
 * and the bench share them: each says itself what becomes of a call.
 */
import { RETRYABLE } from './d1-errors.ts'

/** How much each wrapper remembers: more than a test needs, and no more however long a soak lasts. */
const MAX_NOTED = 10_000

function note<T>(list: T[], ...items: T[]): void {
  if (list.length < MAX_NOTED) list.push(...items)
}

export interface SentStatement {
  sql: string
  params: unknown[]
}

/**
 * What becomes of a round trip: `before` fails before it took effect, `after` once it has, `hangs` never answers.
 * What fails after it took effect is the hard case: the caller cannot know. `meanwhile` is what others do between the
 * commit and the loss of its answer. `late` fails, too, and is under way: it takes effect once the test says so.
 */
export type Fault =
  | { when: 'before' | 'after'; message: string; meanwhile?: () => Promise<unknown> }
  | { when: 'late'; message: string }
  | { when: 'hangs' }
  | undefined

const [LOST] = RETRYABLE

/** The first `times` trips are lost, before or after they took effect. */
export function loses(when: 'before' | 'after', times = Infinity): (trip: number) => Fault {
  return (trip) => (trip < times ? { when, message: LOST } : undefined)
}

/** The first trip takes effect, others do something, and then its answer is lost. */
export function losesAnswer(meanwhile: () => Promise<unknown> = async () => {}): (trip: number) => Fault {
  return (trip) => (trip === 0 ? { when: 'after', message: LOST, meanwhile } : undefined)
}

/** The connection of the first trip is lost, and the trip goes on without it. */
export function losesConnection(trip: number): Fault {
  return trip === 0 ? { when: 'late', message: LOST } : undefined
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
  /** What is late arrives. */
  arrive: () => Promise<void>
}

/** `fault(n)` says what happens to the n-th round trip, counted from 0; a trip waits until it has said so. */
export function faultyD1(d1: D1Database, fault: (trip: number) => Fault | Promise<Fault> = () => undefined): FaultyD1 {
  let roundTrips = 0
  let rowsRead = 0
  let rowsWritten = 0
  const sent: SentStatement[] = []
  const underWay: (() => Promise<unknown>)[] = []
  /** What each wrapped statement stands for: D1's batch takes its own statements alone. */
  const prepared = new WeakMap<D1PreparedStatement, SentStatement & { original: D1PreparedStatement }>()

  async function pass<T>(statements: D1PreparedStatement[], send: () => Promise<T>): Promise<T> {
    for (const statement of statements) {
      const { sql = '', params = [] } = prepared.get(statement) ?? {}
      note(sent, { sql, params })
    }
    const planned = await fault(roundTrips++)
    if (planned?.when === 'hangs') return new Promise(() => {})
    if (planned?.when === 'late') underWay.push(send)
    if (planned?.when === 'before' || planned?.when === 'late') throw new Error(planned.message)
    const result = await send()
    for (const { meta } of resultsIn(result)) {
      rowsRead += meta.rows_read
      rowsWritten += meta.rows_written
    }
    await planned?.meanwhile?.()
    if (planned) throw new Error(planned.message)
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

  const DB = intercept(d1, {
    prepare: (sql: string) => wrapStatement(d1.prepare(sql), sql, []),
    batch: (statements: D1PreparedStatement[]) =>
      pass(statements, () => d1.batch(statements.map((statement) => prepared.get(statement)?.original ?? statement))),
  })
  return {
    DB,
    roundTrips: () => roundTrips,
    rowsRead: () => rowsRead,
    rowsWritten: () => rowsWritten,
    statements: () => sent,
    arrive: async () => {
      for (const send of underWay.splice(0)) await send()
    },
  }
}

/** What a batch or a single statement answers, `first` and `raw` aside, which tell no cost. */
function resultsIn(answer: unknown): D1Result[] {
  return (Array.isArray(answer) ? answer : [answer]).filter((result) => result?.meta !== undefined)
}

/** What becomes of a read or write of KV: it throws, it finds or keeps nothing, it never answers. */
export type KvFate = 'works' | 'fails' | 'loses' | 'hangs'

export interface FaultyKv {
  REPLAYS: KVNamespace
  reads: () => number
  writes: () => number
  /** The keys that the Worker has written. */
  keys: () => string[]
}

/** `fate` says what becomes of the next read or write; the call waits until it has said so. */
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

/** What becomes of the messages that are sent at once. */
export type QueueFate = 'sent' | 'lost' | 'refused' | 'doubled'

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
export function faultyQueue(queue: Queue, fate: (call: number) => QueueFate = () => 'sent'): FaultyQueue {
  let calls = 0
  const sent: SentMessage[] = []
  const methods = (['send', 'sendBatch'] as const).map((method): [string, unknown] => [
    method,
    async (...values: unknown[]) => {
      const [first, options]: any[] = values
      const messages = method === 'send' ? [{ body: first }] : [...first]
      note(sent, ...messages.map(({ body }) => ({ body, delaySeconds: options?.delaySeconds ?? 0 })))
      const planned = fate(calls++)
      if (planned === 'refused') throw new Error('Queue sendBatch failed: Too Many Requests')
      for (let copies = { lost: 0, sent: 1, doubled: 2 }[planned]; copies > 0; copies--) {
        await Reflect.apply(queue[method], queue, values)
      }
    },
  ])
  return { WEBHOOKS: intercept(queue, Object.fromEntries(methods)), messages: () => sent }
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
