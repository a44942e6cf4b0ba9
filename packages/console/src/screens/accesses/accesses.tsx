import { Button, Text } from '@mantine/core'
import { DownloadIcon } from '@primer/octicons-react'
import { lazy, Suspense, useState } from 'react'
import { useAddress } from '../../address.ts'
import type { Schemas } from '../../api/client.ts'
import { type PageState, usePages } from '../../api/pages.ts'
import { AccessStateBadge } from '../../parts/access-state.tsx'
import { Empty } from '../../parts/empty.tsx'
import { ButtonLink, TextLink } from '../../parts/links.tsx'
import { LoadingDialog } from '../../parts/loading.tsx'
import { Moment } from '../../parts/moment.tsx'
import { OrderControl } from '../../parts/order-control.tsx'
import { type Column, PageTable } from '../../parts/page-table.tsx'
import { Percent } from '../../parts/percent.tsx'
import { Screen } from '../../parts/screen.tsx'
import { useLazyDialog } from '../../parts/use-lazy-dialog.ts'
import { useSession } from '../../session.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import { AccessFilters } from './access-filters.tsx'
import { AccessTotals } from './access-totals.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { type AccessFilter, accessSearch } from './filter.ts'
import { listAccesses } from './list.ts'
import type { BulkScope } from '../bulk-changes/scope.ts'

type Access = Schemas['ProductAccess']

/** The dialog includes the calendar, which is large, so it is loaded only when it is first opened. */
const BulkDialog = lazy(async () => ({ default: (await import('../bulk-changes/bulk-dialog.tsx')).BulkDialog }))

export function Accesses() {
  const { accesses } = useWords()
  const store = useStore()
  const canChange = useSession().can('product_accesses:write')
  const { filter: search, setFilter, place } = useAddress(accessSearch)
  const { order, ...filter } = search
  const keepOrder = order && { order }
  const page = usePages(['product_accesses', store, search], listAccesses(store, search), { place })
  const selection = useSelection(page, JSON.stringify([store, filter]))
  const bulk = useLazyDialog<BulkScope>()
  return (
    <Screen title={accesses.title} actions={<ExportButton filter={filter} />}>
      <AccessFilters store={store} value={filter} onChange={(next) => setFilter({ ...next, ...keepOrder })} />
      <AccessTotals store={store} filter={filter}>
        <OrderControl value={order} onChange={(next) => setFilter({ ...filter, ...next })} />
      </AccessTotals>
      {canChange && page.rows !== undefined && page.rows.length > 0 && (
        <BulkBar
          filter={filter}
          chosen={[...selection.chosen.values()]}
          onClear={() => selection.set(new Set())}
          onOpen={bulk.open}
        />
      )}
      <PageTable
        label={accesses.title}
        page={page}
        print={listAccesses(store, search)}
        columns={useColumns(store)}
        keyOf={({ id }) => id}
        empty={<NoAccesses page={page} filter={filter} onClear={() => setFilter({ ...keepOrder })} />}
        {...(canChange && {
          selection: {
            keys: new Set(selection.chosen.keys()),
            set: selection.set,
            label: selection.label,
            labelOfAll: accesses.selectPage,
          },
        })}
      />
      {bulk.wasOpened && (
        <Suspense fallback={<LoadingDialog />}>
          <BulkDialog
            store={store}
            scope={bulk.subject}
            onClose={bulk.close}
            onStarted={() => selection.set(new Set())}
          />
        </Suspense>
      )}
    </Screen>
  )
}

/**
 * The selection is kept from page to page. Other filters clear it, or the operator could change accesses that the list
 * does not show.
 */
function useSelection({ rows = [] }: PageState<Access>, filters: string) {
  const { accesses } = useWords()
  const [stored, setStored] = useState<{ filters: string; chosen: ReadonlyMap<string, Access> }>()
  const chosen: ReadonlyMap<string, Access> = stored?.filters === filters ? stored.chosen : new Map()
  const known = new Map([...chosen, ...rows.map((row) => [row.id, row] as const)])
  return {
    chosen,
    set: (keys: ReadonlySet<string>) =>
      setStored({ filters, chosen: new Map([...known].filter(([id]) => keys.has(id))) }),
    label: (id: string) => {
      const access = known.get(id)
      return accesses.select(access ? `${fullName(access)}, ${access.product.name}` : id)
    },
  }
}

function fullName({ user }: Access): string {
  return `${user.name} ${user.last_name}`
}

function useColumns(store: string): Column<Access>[] {
  const { accesses } = useWords()
  return [
    {
      head: accesses.user,
      narrow: 'bare',
      cell: (row) => (
        <>
          <TextLink inherit to="/s/$store/users/$id" params={{ store, id: row.user.id }}>
            {fullName(row)}
          </TextLink>
          <Text size="xs" c="dimmed">
            {row.user.email}
          </Text>
        </>
      ),
    },
    { head: accesses.product, width: '24%', narrow: 'bare', cell: ({ product }) => product.name },
    { head: accesses.state, width: '15%', narrow: 'bare', cell: (access) => <AccessStateBadge access={access} /> },
    {
      head: accesses.due,
      width: '19%',
      cell: ({ access_due_date }) => <Moment at={access_due_date} empty={accesses.noLimit} />,
    },
    { head: accesses.progress, width: '10%', narrow: 'hidden', cell: ({ progress }) => <Percent of={progress} /> },
  ]
}

/** The file has what the list shows. */
function ExportButton({ filter }: { filter: AccessFilter }) {
  const { accesses } = useWords()
  const store = useStore()
  return (
    <ButtonLink
      to="/s/$store/export"
      params={{ store }}
      search={filter}
      variant="default"
      leftSection={<DownloadIcon size={16} aria-hidden />}
    >
      {accesses.download}
    </ButtonLink>
  )
}

interface NoAccessesProps {
  page: PageState<Access>
  filter: AccessFilter
  onClear: () => void
}

function NoAccesses({ page, filter, onClear }: NoAccessesProps) {
  const { accesses, common, lists } = useWords()
  const store = useStore()
  if (Object.keys(filter).length > 0) {
    return (
      <Empty text={page.next ? lists.nothingSoFar : common.noMatches}>
        <Button variant="default" onClick={onClear}>
          {common.clearFilters}
        </Button>
      </Empty>
    )
  }
  return (
    <Empty text={accesses.none}>
      <ButtonLink to="/s/$store/users" params={{ store }}>
        {accesses.toUsers}
      </ButtonLink>
    </Empty>
  )
}
