/** What batches of users and of accesses share: the body, and the answer of each item. */
import type { Context } from 'hono'
import * as z from 'zod/mini'
import type { AppEnv } from '../context.ts'
import type { ItemOutcome } from '../domain/change/batch-events.ts'
import { type ApiError, ERRORS } from '../wire/errors.ts'
import { errorFields } from './error-body.ts'
import { problemOf } from './validate.ts'
import { isObject, valueAt } from '../json.ts'
import { BATCH } from '../limits.ts'
import { lazy } from '../lazy.ts'
import { oneOf, optional, trueOrFalse } from '../wire/fields.ts'
import { describeFact } from './domain-errors.ts'

type Item = Record<string, unknown>

function isListOfItems(value: unknown): value is Item[] {
  return Array.isArray(value) && value.length >= 1 && value.length <= BATCH.items && value.every(isObject)
}

export const batchItems = lazy(() =>
  z
    .custom<Item[]>(isListOfItems, `must be a list of 1 to ${BATCH.items} objects`)
    .check(z.meta({ type: 'array', minItems: 1, maxItems: BATCH.items, items: { type: 'object' } })),
)

/** The body of a batch; an item is judged by itself, and answered by itself. */
export const batchBody = lazy(() =>
  z.strictObject({
    items: batchItems(),
    dry_run: optional(trueOrFalse()),
    on_existing: optional(oneOf(['fail', 'skip', 'update'])),
  }),
)

interface Batch<Value> {
  items: Item[]
  isDryRun: boolean
  /** What a single create would take. */
  schema: z.ZodMiniObject & z.ZodMiniType<Value>
  /** Makes the items that the schema takes; an item that it refuses is undefined. */
  make: (values: (Value | undefined)[]) => Promise<(ItemOutcome | undefined)[]>
}

/** Answers 200 with what a single create would have answered to each item. A dry run shows no ids. */
export async function answerBatch<Value>(c: Context<AppEnv>, batch: Batch<Value>): Promise<Response> {
  const { items, isDryRun, schema, make } = batch
  const judged = items.map((item) => judge(schema, item))
  const outcomes = await make(judged.map(({ value }) => value))
  const results = items.map(async (item, index) => {
    const { status, number, fact } = outcomes[index] ?? { status: 'refused' }
    const error =
      judged[index]?.problem ?? (fact && (await describeFact(fact, { needs: '' }, (path) => valueAt(item, path))))
    const successful = status === 'created' ? 201 : 200
    return toResult({ index, successful, number: isDryRun ? undefined : number, error })
  })
  return c.json(toBatch(isDryRun, await Promise.all(results)))
}

interface Result {
  index: number
  /** Unless there is an error. */
  successful: number
  number: number | undefined
  error: ApiError | undefined
}

function toResult({ index, successful, number, error }: Result) {
  return {
    index,
    status: error ? ERRORS[error.code].status : successful,
    id: number === undefined ? undefined : String(number),
    error: error && errorFields(error),
  }
}

export function toBatch(isDryRun: boolean, results: ReturnType<typeof toResult>[]) {
  return { dry_run: isDryRun, results }
}

function judge<Value>(schema: Batch<Value>['schema'], item: Item): { value?: Value; problem?: ApiError } {
  const result = schema.safeParse(item)
  return result.success ? { value: result.data } : { problem: problemOf(schema, item, { issues: result.error.issues }) }
}
