/** The filters of lists and CSV files. */
import * as z from 'zod/mini'
import { LENGTH, SEARCH } from '../limits.ts'
import { lazy } from '../lazy.ts'
import { accessStatus, anyText, dateTimeText, emailAddress, recordId } from './fields.ts'

export const userFilters = lazy(() => ({
  email: z.optional(emailAddress()),
  external_id: z.optional(anyText(LENGTH.externalId)),
  q: z.optional(
    anyText(SEARCH.maxLength).check(z.minLength(1, { error: `must be 1 to ${SEARCH.maxLength} characters` })),
  ),
}))

export const accessFilters = lazy(() => ({
  user_id: z.optional(recordId()),
  product_id: z.optional(recordId()),
  status: z.optional(accessStatus()),
  due_after: z.optional(dateTimeText()),
  due_before: z.optional(dateTimeText()),
}))
