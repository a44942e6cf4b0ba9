import type { ReactNode } from 'react'
import { STATS } from '../../../../../src/modules/statistics/limits.ts'
import { useStats } from '../../api/stats.ts'
import { ListHead } from '../../parts/list-head.tsx'
import { useWords } from '../../words/index.tsx'
import type { AccessFilter } from './filter.ts'

interface Props {
  store: string
  filter: AccessFilter
  children: ReactNode
}

/** The totals of the store, or of the product that is chosen. The service counts nothing for the other filters. */
export function AccessTotals({ store, filter: { product, ...others }, children }: Props) {
  const { lists } = useWords()
  const { data: stats } = useStats(store)
  const totals = product === undefined ? stats?.totals : stats?.products.find(({ id }) => id === product)
  if (stats === undefined || Object.keys(others).length > 0) return <ListHead>{children}</ListHead>
  // Without a word about it, a missing total would be taken for a product without accesses.
  if (totals === undefined) return <ListHead total={lists.productNotCounted(STATS.products)}>{children}</ListHead>
  return (
    <ListHead total={lists.accesses(totals.accesses, totals.in_force)} at={stats.as_of}>
      {children}
    </ListHead>
  )
}
