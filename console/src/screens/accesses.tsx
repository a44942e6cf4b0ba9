import { Button, Group, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { api, bodyOf, type Schemas } from '../api/client.ts'
import { usePages } from '../api/pages.ts'
import { Empty } from '../parts/empty.tsx'
import { ButtonLink, TextLink } from '../parts/links.tsx'
import { Moment } from '../parts/moment.tsx'
import { type Column, PageTable } from '../parts/page-table.tsx'
import { Screen } from '../parts/screen.tsx'
import { StateBadge } from '../parts/state-badge.tsx'
import { useSession } from '../session.tsx'
import { useStore } from '../store.ts'
import { useWords } from '../words/index.tsx'
import { AccessFilters } from './accesses/access-filters.tsx'
import type { BulkJob } from './accesses/bulk-job.ts'
import { accessFilter, toQuery } from './accesses/filter.ts'
import { SelectionBar } from './accesses/selection-bar.tsx'
import { StatusBadge } from './accesses/status-badge.tsx'
import { useSelection } from './accesses/use-selection.ts'

type Access = Schemas['ProductAccess']

/** The dialog includes the calendar, which is large, so it is loaded only once an access is selected. */
const BulkDialog = lazy(async () => ({ default: (await import('./accesses/bulk-dialog.tsx')).BulkDialog }))

export function Accesses() {
  const words = useWords()
  const store = useStore()
  const { canChange } = useSession()
  // The router also returns parameters that the screen does not know. Without this filter they would count as active
  // filters.
  const filter = accessFilter(useSearch({ strict: false }))
  const navigate = useNavigate({ from: '/s/$store/accesses' })
  const selection = useSelection(store, filter)
  const [job, setJob] = useState<BulkJob>()
  const page = usePages(['product_accesses', store, filter], (after) =>
    bodyOf(
      api.GET('/admin/stores/{store_id}/product_accesses', {
        params: { path: { store_id: store }, query: { ...toQuery(filter), ...(after !== undefined && { after }) } },
      }),
    ),
  )
  const named = new Map(page.rows?.map((row) => [row.id, `${fullName(row)}, ${row.product.name}`]))
  const isFiltered = Object.keys(filter).length > 0
  return (
    <Screen title={words.accesses.title}>
      <AccessFilters store={store} value={filter} onChange={(search) => void navigate({ search, replace: true })} />
      {canChange && page.rows !== undefined && page.rows.length > 0 && (
        <SelectionBar selection={selection} onTask={(task) => setJob({ task, ids: [...selection.keys] })} />
      )}
      <PageTable
        label={words.accesses.title}
        page={page}
        columns={useColumns(store)}
        keyOf={({ id }) => id}
        empty={<NoAccesses isFiltered={isFiltered} onClear={() => void navigate({ search: {}, replace: true })} />}
        {...(canChange && {
          selection: {
            keys: selection.keys,
            set: selection.set,
            label: (key: string) => words.accesses.select(named.get(key) ?? key),
            labelOfAll: words.accesses.selectPage,
          },
        })}
      />
      {(job ?? selection.keys.size > 0) && (
        <Suspense>
          <BulkDialog
            store={store}
            job={job}
            onClose={() => setJob(undefined)}
            onDone={() => selection.set(new Set())}
          />
        </Suspense>
      )}
    </Screen>
  )
}

function fullName({ user }: Access): string {
  return `${user.name} ${user.last_name}`
}

function useColumns(store: string): Column<Access>[] {
  const words = useWords()
  const { accesses } = words
  return [
    {
      head: accesses.user,
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
    { head: accesses.product, cell: ({ product }) => product.name },
    { head: accesses.status, cell: ({ status }) => <StatusBadge status={status} /> },
    {
      head: accesses.due,
      cell: ({ status, access_due_date: due }) => (
        <Group gap={6}>
          <Moment at={due} empty={accesses.noLimit} />
          {due !== null && status === 'with_access' && Date.parse(due) < Date.now() && (
            <StateBadge state="waiting">{accesses.expired}</StateBadge>
          )}
        </Group>
      ),
    },
    { head: accesses.progress, cell: ({ progress }) => `${progress} %` },
  ]
}

function NoAccesses({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const words = useWords()
  const store = useStore()
  if (isFiltered) {
    return (
      <Empty text={words.common.noMatches}>
        <Button variant="default" onClick={onClear}>
          {words.common.clearFilters}
        </Button>
      </Empty>
    )
  }
  return (
    <Empty text={words.accesses.none}>
      <ButtonLink to="/s/$store/users" params={{ store }}>
        {words.accesses.toUsers}
      </ButtonLink>
    </Empty>
  )
}
