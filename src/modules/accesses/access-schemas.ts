/** The fields and filters of accesses that several operations share. */
import * as z from 'zod/mini'
import { customFieldFilter } from '../../formats/custom-field-values.ts'
import { idList } from '../../formats/pages.ts'
import { dateTimeText, recordId, trueOrFalseText, oneOf } from '../../formats/values.ts'
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
