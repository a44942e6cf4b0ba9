/** What batches of users and of accesses have in common: the body, and the result of each item. */
import * as z from 'zod/mini'
import { isObject } from '../json.ts'
import { lazy } from '../lazy.ts'
import { BATCH } from '../limits.ts'
import { type ApiError, errorFields } from './api-error.ts'
import { ERRORS } from './errors.ts'
import { oneOf, optional, trueOrFalse } from './fields.ts'

/** An item of a batch before it is validated. */
export type Item = Record<string, unknown>

function isListOfItems(value: unknown): value is Item[] {
  return Array.isArray(value) && value.length >= 1 && value.length <= BATCH.items && value.every(isObject)
}

export const batchItems = lazy(() =>
  z
    .custom<Item[]>(isListOfItems, `must be a list of 1 to ${BATCH.items} objects`)
    .check(z.meta({ type: 'array', minItems: 1, maxItems: BATCH.items, items: { type: 'object' } })),
)

/** The body of a batch. Its items are validated one by one, so that an invalid item rejects only itself. */
export const batchBody = lazy(() =>
  z.strictObject({
    items: batchItems(),
    dry_run: optional(trueOrFalse()),
    on_existing: optional(oneOf(['fail', 'skip', 'update'])),
  }),
)

interface ItemResult {
  isCreated: boolean
  /** The number of the record, if it is known. */
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
