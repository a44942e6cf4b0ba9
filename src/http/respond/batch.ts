import type * as z from 'zod/mini'
import type { Context } from '../hono.ts'
import type { ItemOutcome } from '../../change/many-records.ts'
import { digitsAt, parseDigits } from '../../lib/json.ts'
import { lazy } from '../../lib/lazy.ts'
import type { Item } from '../../formats/batches.ts'
import { ERRORS } from '../../error-codes.ts'
import { type ApiError, type Detail, errorFields } from '../errors/api-error.ts'
import { describeDomainError } from '../errors/domain-errors.ts'
import { echoAt } from '../echo.ts'
import { toValidationError } from '../middleware/validate.ts'

/** With its numbers as they were sent. */
interface SentItem {
  parsed: Item
  digits: () => unknown
}

interface Batch<Value> {
  items: Item[]
  isDryRun: boolean
  /** The schema of the single create. */
  schema: z.ZodMiniObject & z.ZodMiniType<Value>
  /** What is wrong with the item at an index, beyond what a schema can check. */
  check?: (index: number) => Detail[]
  /** Processes the valid items. An item that is invalid is undefined, and so is its outcome. */
  process: (values: (Value | undefined)[]) => Promise<(ItemOutcome | undefined)[]>
}

/** Responds 200 with what a single create would have returned for each item. */
export async function respondBatch<Value>(c: Context, batch: Batch<Value>): Promise<Response> {
  const { items, isDryRun, schema, check, process } = batch
  const text = await c.req.text()
  // Parsed once for the errors of all items.
  const digits = lazy(() => parseDigits(text))
  const sent = items.map((parsed, index) => ({ parsed, digits: () => digitsAt(digits(), ['items', String(index)]) }))
  const validated = sent.map((item, index) => validate(schema, item, check?.(index) ?? []))
  const outcomes = await process(validated.map(({ value }) => value))
  const results = sent.map(async (item, index) => {
    const outcome = outcomes[index]
    return {
      isCreated: outcome?.status === 'created',
      number: outcome?.number,
      error: validated[index]?.error ?? (await describeItem(item, outcome)),
    }
  })
  return c.json(toBatch(isDryRun, await Promise.all(results)))
}

function validate<Value>(
  schema: Batch<Value>['schema'],
  item: SentItem,
  invalid: Detail[],
): { value?: Value; error?: ApiError } {
  const result = schema.safeParse(item.parsed)
  if (result.success && invalid.length === 0) return { value: result.data }
  return { error: toValidationError(schema, item, { issues: result.error?.issues ?? [], invalid }) }
}

async function describeItem(item: SentItem, outcome: ItemOutcome | undefined): Promise<ApiError | undefined> {
  return outcome?.error && describeDomainError(outcome.error, { echoOf: (path) => echoAt(item, path) })
}

interface ItemResult {
  isCreated: boolean
  number: number | undefined
  error: ApiError | undefined
}

function toResult({ isCreated, number, error }: ItemResult, index: number) {
  const successStatus = isCreated ? 201 : 200
  return {
    index,
    status: error ? ERRORS[error.code].status : successStatus,
    id: number === undefined ? undefined : String(number),
    error: error && errorFields(error),
  }
}

/** The results are in the order of the items. */
export function toBatch(isDryRun: boolean, results: ItemResult[]) {
  return { dry_run: isDryRun, results: results.map(toResult) }
}
