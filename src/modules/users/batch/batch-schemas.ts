import * as z from 'zod/mini'
import { isObject } from '../../../lib/json.ts'
import { lazy } from '../../../lib/lazy.ts'
import { BATCH } from '../../../limits.ts'
import { batchBody, batchItems, type Item } from '../../../formats/batches.ts'
import { clearable, dateTimeText, optional } from '../../../formats/values.ts'
import { accessStatus, namedProduct, namesOneProduct } from '../../accesses/access-schemas.ts'
import { newUserFields } from '../user-schemas.ts'

/** An access in the list `product_accesses` of a user. Its product is named by the id or by the slug. */
export const nestedAccess = lazy(() =>
  z
    .strictObject(
      {
        ...namedProduct(),
        status: optional(accessStatus()),
        access_due_date: clearable(dateTimeText()),
      },
      { error: 'must be an object' },
    )
    .check(...namesOneProduct()),
)

/** A user of a batch: the fields of the single create, and accesses of this user. */
export const batchUser = lazy(() =>
  z.object({
    ...newUserFields(),
    product_accesses: optional(
      z
        .array(nestedAccess(), { error: 'must be a list of objects' })
        .check(z.maxLength(BATCH.accessesOfUser, { error: `must name at most ${BATCH.accessesOfUser} products` })),
    ),
  }),
)

export const usersBatchBody = lazy(() =>
  z.extend(batchBody(), {
    items: batchItems().check(
      z.refine((items) => items.filter(hasPassword).length <= BATCH.passwords, {
        error: `must bring at most ${BATCH.passwords} passwords`,
      }),
    ),
  }),
)

function hasPassword({ password }: Item): boolean {
  return password != null
}

/** True if any item of a body that is not validated yet contains accesses. */
export function hasNestedAccesses({ items }: Record<string, unknown>): boolean {
  return Array.isArray(items) && items.filter(isObject).some(({ product_accesses: list }) => !isEmpty(list))
}

function isEmpty(list: unknown): boolean {
  return list == null || (Array.isArray(list) && list.length === 0)
}
