/** What lists and files of a store's records are narrowed down by. */
import { LENGTH, SEARCH } from '../limits.ts'
import { once } from '../once.ts'
import { accessStatus, anyText, dateTimeText, emailAddress, recordId } from './fields.ts'

export const userFilters = once(() => ({
  email: emailAddress().optional(),
  external_id: anyText(LENGTH.externalId).optional(),
  q: anyText(SEARCH.maxLength)
    .min(1, { error: `must be 1 to ${SEARCH.maxLength} characters` })
    .optional(),
}))

export const accessFilters = once(() => ({
  user_id: recordId().optional(),
  product_id: recordId().optional(),
  status: accessStatus().optional(),
  due_after: dateTimeText().optional(),
  due_before: dateTimeText().optional(),
}))
