import type { BulkChange } from '../../api/bulk-changes.ts'
import { useUserName } from '../../api/names.ts'
import { useBulkText } from './use-bulk-text.ts'

/** Which accesses a bulk change is about, such as "Algebra · Ended". A single user is named. */
export function FilterText({ store, filter }: { store: string; filter: BulkChange['filter'] }) {
  const text = useBulkText(store)
  const [first, ...others] = filter?.user_ids ?? []
  const name = useUserName(store, others.length === 0 ? first : undefined)
  return <>{text.filter(filter, name)}</>
}
