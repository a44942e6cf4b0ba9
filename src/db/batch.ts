/** The one way to D1: several statements, by name, in one round trip and one transaction. */
import { sql } from 'drizzle-orm'
import { D1, OWN_EVENT } from '../limits.ts'
import { failureOf, Unavailable } from './failures.ts'
import { idempotency_keys } from './schema.ts'
import { type Params, statement, type Step } from './statement.ts'

export interface Db {
  d1: D1Database
  /** What a request cost, for its log line. */
  cost: { roundTrips: number; rowsRead: number; rowsWritten: number }
  /** How large the database was after the newest batch, in bytes. */
  size: number
  /** Webhook endpoints that are to be told of what this request has changed. */
  endpointsToWake: Set<number>
}

export function openDb(d1: D1Database): Db {
  return { d1, cost: { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }, size: 0, endpointsToWake: new Set() }
}

export type Steps = Record<string, Step<unknown> | undefined>

type Answers<S extends Steps> = { [Name in keyof S]: NonNullable<NonNullable<S[Name]>['rows']> }

/**
 * Why a batch may be sent again when nobody knows whether it was committed. Of one that finds its own event, the values
 * of the first step name the request: `request_id` and `now`.
 */
type RetryReason = 'it only reads' | 'it finds its own event' | 'done twice is done once'

/**
 * Sends the steps in the order in which they are written, all or nothing, and answers the rows of each under its
 * name. A step that is undefined is left out. Without a reason for it, nothing is sent twice.
 * Throws `Unavailable` when D1 cannot answer in time.
 */
export async function batch<S extends Steps>(
  db: Db,
  steps: S,
  { retry }: { retry?: RetryReason } = {},
): Promise<Answers<S>> {
  const toSend = Object.entries(steps).flatMap(([name, step]) => (step === undefined ? [] : [{ name, step }]))
  const leavesMark = retry === 'it finds its own event'
  const deadline = startDeadline()
  try {
    for (let attempt = 0; ; attempt++) {
      try {
        const results = await Promise.race([send(db, toSend, attempt), deadline.passed])
        const answers = Object.fromEntries(Object.keys(steps).map((name): [string, unknown[]] => [name, []]))
        for (const [index, { name }] of toSend.entries()) answers[name] = results[index]?.results ?? []
        // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- D1 sends untyped rows; the statement knows its columns
        return answers as Answers<S>
      } catch (error) {
        const failure = failureOf(error)
        if (failure === undefined) throw error
        if (failure !== 'd1_connection_lost' || retry === undefined || attempt === D1.retries) {
          throw new Unavailable(failure, error)
        }
        await Promise.race([pause(Math.random() * D1.retryBaseMs * 2 ** attempt), deadline.passed])
        const [first] = toSend
        if (attempt === 0 && leavesMark && first) toSend.push(markOf(first.step))
      }
    }
  } finally {
    deadline.clear()
  }
}

/** The marks of requests whose batch was sent again: rows beside the claims of idempotency keys, deleted as these are. */
export const ATTEMPT_MARK = { store: 0, caller_id: 0, operation: 'attempt' } as const

/**
 * What was sent over a lost connection may still arrive. So each later attempt leaves a mark with its number: an
 * earlier one that comes after it finds that, and does nothing (decisions.ts).
 */
const markAttempt = statement((p: Params<{ request_id: string; now: number }>, orm) => {
  const { store, caller_id, operation, key, record_id } = idempotency_keys
  return orm
    .insert(idempotency_keys)
    .values({ ...ATTEMPT_MARK, key: p.request_id, fingerprint: '', record_id: p.attempt, created_at: p.now })
    .onConflictDoUpdate({
      target: [store, caller_id, operation, key],
      set: { record_id: sql`max(${record_id}, excluded.record_id)` },
    })
})

function markOf({ values }: Step<unknown>) {
  const step = markAttempt({ request_id: Reflect.get(values, 'request_id'), now: Reflect.get(values, 'now') })
  return { name: 'mark', step }
}

async function send(db: Db, toSend: { step: Step<unknown> }[], attempt: number): Promise<D1Result[]> {
  const own = { look: attempt === 0 ? OWN_EVENT.lookBack : OWN_EVENT.lookBackAgain, attempt }
  const statements = toSend.map(({ step: { compile, values } }) => {
    const { text, params } = compile(db.d1, values)
    const valueOf = (name: string): unknown => Reflect.get(name in own ? own : values, name)
    return db.d1.prepare(text).bind(...params.map((param) => ('name' in param ? valueOf(param.name) : param.constant)))
  })
  db.cost.roundTrips++
  const results = await db.d1.batch(statements)
  for (const { meta } of results) {
    db.cost.rowsRead += meta.rows_read
    db.cost.rowsWritten += meta.rows_written
    db.size = meta.size_after
  }
  return results
}

/** One deadline for all attempts of a batch: D1 has been seen to stall for 25 s while its queries took under 1 ms. */
function startDeadline() {
  const { promise: passed, reject } = Promise.withResolvers<never>()
  // Where the batch has ended by itself nobody waits for this any more.
  passed.catch(() => {})
  const timer = setTimeout(() => reject(new Unavailable('d1_no_answer')), D1.deadlineMs)
  return { passed, clear: () => clearTimeout(timer) }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
