/** Says in words what a bulk change does, and to which accesses. */
import type { BulkChange, NewBulkChange } from '../../api/bulk-changes.ts'
import { useCustomFields } from '../../api/custom-fields.ts'
import { useProducts } from '../../api/products.ts'
import { closedStateOf } from '../../parts/access-states.ts'
import { useDayText } from '../../parts/moment.tsx'
import { type Words, useWords } from '../../words/index.tsx'

type Filter = NewBulkChange['filter']
type Change = NewBulkChange['change']

interface BulkText {
  /** Such as "Extend by 30 days". */
  change: (change: BulkChange['change'], reverts?: string | null) => string
  /** Such as "Algebra · Ended". `user` is the name of the only user in the filter, if it is known. */
  filter: (filter: BulkChange['filter'], user?: string) => string
  actor: (actor: BulkChange['actor']) => string
}

export function useBulkText(store: string): BulkText {
  const words = useWords()
  const { accesses, bulk, system, users } = words
  const { data: fields = [] } = useCustomFields(store)
  const fieldName = (key: string) => fields.find((field) => field.key === key)?.label ?? key
  const { data: products = [] } = useProducts(store)
  const day = useDayText()
  const productName = (id: string) => products.find((product) => product.id === id)?.name ?? accesses.productNumber(id)

  const changeText = (change: Change) =>
    [
      change.extend_days !== undefined && bulk.doesExtend(change.extend_days),
      change.extend_months !== undefined && bulk.doesExtendMonths(change.extend_months),
      change.access_due_date === null && bulk.doesRemoveDate,
      typeof change.access_due_date === 'string' && bulk.doesSetDate(day(change.access_due_date)),
      change.never_shorten === true && bulk.doesNotShorten,
      change.status !== undefined && bulk.doesSetStatus[change.status],
    ]
      .filter((part) => typeof part === 'string')
      .join(', ')
  const filterText = (
    { product_id, user_ids, custom_field, due_after, due_before, ...filter }: Filter,
    user?: string,
  ) =>
    [
      product_id !== undefined && productName(product_id),
      custom_field !== undefined && users.fieldIs(fieldName(custom_field.key), custom_field.value),
      user_ids !== undefined && (user ?? bulk.ofUsers(user_ids.length)),
      stateText(filter, words),
      due_after !== undefined && bulk.dueFrom(day(due_after)),
      due_before !== undefined && bulk.dueBefore(day(due_before)),
    ]
      .filter((part) => typeof part === 'string')
      .join(' · ')
  return {
    change: (change, reverts) => (change ? changeText(change) : bulk.doesRevert(reverts ?? '')),
    filter: (filter, user) => (filter ? filterText(filter, user) || bulk.ofAll : ''),
    actor: (actor) => (actor.type === 'system' ? system : (actor.name ?? '')),
  }
}

function stateText({ status, in_force }: Filter, { accessStates, bulk, statuses }: Words): string | undefined {
  if (in_force === true) return accessStates.in_force
  const closed = status && closedStateOf(status)
  if (closed) return accessStates[closed]
  if (in_force === false) return status === undefined ? bulk.notInForce : accessStates.ended
  return status && statuses[status]
}
