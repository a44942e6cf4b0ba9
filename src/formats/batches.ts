/** What batches of users and of accesses have in common: the body, and the result of each item. */
import * as z from 'zod/mini'
import { isObject } from '../lib/json.ts'
import { lazy } from '../lib/lazy.ts'
import { BATCH } from '../limits.ts'
import { oneOf, optional, trueOrFalse } from './values.ts'

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
    never_shorten: optional(trueOrFalse()),
  }),
)
