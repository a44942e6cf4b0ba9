/** Fields and filters of accesses that several operations share. */
import * as z from 'zod/mini'
import { customFieldFilter } from '../../formats/custom-field-values.ts'
import { idList } from '../../formats/pages.ts'
import { dateTimeText, oneOf, oneOfTwo, optional, recordId, slugText, trueOrFalseText } from '../../formats/values.ts'
import { ACCESS_STATUSES } from './access-record.ts'
import { lazy } from '../../lib/lazy.ts'

export const accessStatus = lazy(() => oneOf(ACCESS_STATUSES))

export const accessFilters = lazy(() => ({
  ids: z.optional(idList()),
  user_ids: z.optional(idList()),
  custom_fields: z.optional(customFieldFilter()),
  user_id: z.optional(recordId()),
  product_id: z.optional(recordId()),
  status: z.optional(accessStatus()),
  in_force: z.optional(trueOrFalseText()),
  due_after: z.optional(dateTimeText()),
  due_before: z.optional(dateTimeText()),
}))

/** How a grant names its product: by its id or by its slug. */
export const namedProduct = lazy(() => ({ product_id: optional(recordId()), slug: optional(slugText()) }))

export const namesOneProduct = () => oneOfTwo('product_id', 'slug', 'name the product by its id or by its slug')
