import { Text } from '@mantine/core'
import { readOrder, useAddress } from '../../address.ts'
import { type BulkChange, isRunning, listBulkChanges, useNewestBulkChanges } from '../../api/bulk-changes.ts'
import { usePages } from '../../api/pages.ts'
import { Empty } from '../../parts/empty.tsx'
import { ButtonLink, TextLink } from '../../parts/links.tsx'
import { ListHead } from '../../parts/list-head.tsx'
import { Moment } from '../../parts/moment.tsx'
import { OrderControl } from '../../parts/order-control.tsx'
import { type Column, PageTable } from '../../parts/page-table.tsx'
import { Screen } from '../../parts/screen.tsx'
import { useStore } from '../../store.ts'
import { useLanguage, useWords } from '../../words/index.tsx'
import { BulkState } from './bulk-state.tsx'
import { FilterText } from './filter-text.tsx'
import { Queue } from './queue.tsx'
import { useBulkText } from './use-bulk-text.ts'

const RUNNING_REFRESH_MS = 2_000

/** The bulk changes of the store. */
export function BulkChanges() {
  const { bulk } = useWords()
  const store = useStore()
  const { filter, setFilter, place } = useAddress(readOrder)
  const { data: newest } = useNewestBulkChanges(store)
  const page = usePages<BulkChange>(
    ['bulk_changes', store, 'list', filter],
    async (after, { limit, signal }) => {
      const query = { ...filter, limit, ...(after !== undefined && { after }) }
      const { data, next } = await listBulkChanges(store, query, signal)
      return { data: data.filter(({ dry_run }) => !dry_run), next }
    },
    { place, refreshMs: newest?.some(isRunning) === true && RUNNING_REFRESH_MS },
  )
  const isEmpty = page.rows?.length === 0 && page.number === 1
  return (
    <Screen title={bulk.list}>
      <Text c="dimmed" maw={720}>
        {bulk.intro}
      </Text>
      <Queue store={store} />
      {!isEmpty && (
        <ListHead>
          <OrderControl value={filter.order} onChange={setFilter} />
        </ListHead>
      )}
      <PageTable
        label={bulk.list}
        page={page}
        columns={useColumns(store)}
        keyOf={({ id }) => id}
        empty={
          <Empty text={bulk.none}>
            <ButtonLink to="/s/$store/accesses" params={{ store }}>
              {bulk.toAccesses}
            </ButtonLink>
          </Empty>
        }
      />
    </Screen>
  )
}

function useColumns(store: string): Column<BulkChange>[] {
  const { bulk, common } = useWords()
  const { language } = useLanguage()
  const text = useBulkText(store)
  return [
    {
      head: bulk.changeHead,
      cell: ({ id, change, reverts, filter }) => (
        <>
          <TextLink inherit to="/s/$store/bulk-changes/$id" params={{ store, id }}>
            {text.change(change, reverts)}
          </TextLink>
          <Text size="xs" c="dimmed">
            <FilterText store={store} filter={filter} />
          </Text>
        </>
      ),
    },
    { head: bulk.state, width: '15%', cell: (change) => <BulkState change={change} /> },
    { head: bulk.changedHead, width: '11%', cell: ({ changed }) => changed.toLocaleString(language) },
    { head: bulk.by, width: '18%', cell: ({ actor }) => text.actor(actor) },
    { head: common.created, width: '19%', cell: ({ created_at }) => <Moment at={created_at} /> },
  ]
}
