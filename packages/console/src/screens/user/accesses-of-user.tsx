import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { PlusIcon } from '@primer/octicons-react'
import { lazy, Suspense } from 'react'
import { useAddress } from '../../address.ts'
import { api, bodyOf } from '../../api/client.ts'
import { usePages } from '../../api/pages.ts'
import { AccessStateBadge } from '../../parts/access-state.tsx'
import { Empty } from '../../parts/empty.tsx'
import { LoadingDialog } from '../../parts/loading.tsx'
import { Moment } from '../../parts/moment.tsx'
import { type Column, PageTable } from '../../parts/page-table.tsx'
import { Percent } from '../../parts/percent.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { useLazyDialog } from '../../parts/use-lazy-dialog.ts'
import { useSession } from '../../session.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import type { BulkScope } from '../bulk-changes/scope.ts'
import type { User } from '../users/draft.ts'
import { AccessButtons } from './access-buttons.tsx'
import type { Access } from './access.ts'
import { GrantAccess } from './grant-access.tsx'
import { Timeline } from './timeline.tsx'

/** The dialog includes the calendar, which is large, so it is loaded only when it is first opened. */
const BulkDialog = lazy(async () => ({ default: (await import('../bulk-changes/bulk-dialog.tsx')).BulkDialog }))

/** The maximum of the API. The timeline shows the history of the accesses on the current page. */
const PAGE = 100

export function AccessesOfUser({ user }: { user: User }) {
  const words = useWords()
  const canChange = useSession().can('product_accesses:write')
  const store = useStore()
  const [isGranting, granting] = useDisclosure()
  const { place } = useAddress(() => ({}))
  const page = usePages(
    ['accesses', store, { user: user.id }],
    (after) =>
      bodyOf(
        api.GET('/admin/stores/{store_id}/product_accesses', {
          params: { path: { store_id: store }, query: { user_id: user.id, limit: PAGE, ...(after && { after }) } },
        }),
      ),
    { place },
  )
  const bulk = useLazyDialog<BulkScope>()
  const grant = canChange && (
    <Button leftSection={<PlusIcon size={16} aria-hidden />} onClick={granting.open}>
      {words.user.grant}
    </Button>
  )
  return (
    <>
      <Stack component="section" gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h3">
            {words.user.accesses}
          </Title>
          {page.rows !== undefined && page.rows.length > 0 && (
            <Group gap="xs">
              {canChange && page.rows.length > 1 && (
                <>
                  <Button variant="default" onClick={() => bulk.open({ filter: { user: user.id }, kind: 'extend' })}>
                    {words.user.extendAll}
                  </Button>
                  <Button variant="default" onClick={() => bulk.open({ filter: { user: user.id }, kind: 'close' })}>
                    {words.user.closeAll}
                  </Button>
                </>
              )}
              {grant}
            </Group>
          )}
        </Group>
        <PageTable
          label={words.user.accesses}
          page={page}
          columns={useColumns(canChange)}
          keyOf={({ id }) => id}
          empty={<Empty text={words.user.noAccesses}>{grant}</Empty>}
        />
        <GrantAccess
          user={user}
          given={(page.rows ?? []).map(({ product }) => product.id)}
          isOpen={isGranting}
          onClose={granting.close}
        />
        {bulk.wasOpened && (
          <Suspense fallback={<LoadingDialog />}>
            <BulkDialog store={store} scope={bulk.subject} onClose={bulk.close} />
          </Suspense>
        )}
      </Stack>
      {page.rows !== undefined && <Timeline user={user.id} accesses={page.rows} />}
    </>
  )
}

function useColumns(canChange: boolean): Column<Access>[] {
  const { user, fieldNames, common, dueDate } = useWords()
  const columns: Column<Access>[] = [
    { head: user.product, cell: ({ product }) => product.name },
    {
      head: fieldNames.status,
      width: '14%',
      cell: (access) => <AccessStateBadge access={access} />,
    },
    {
      head: fieldNames.access_due_date,
      width: '18%',
      cell: ({ access_due_date }) => <Moment at={access_due_date} empty={dueDate.noLimit} />,
    },
    { head: fieldNames.progress, width: '17%', cell: (access) => <Progress access={access} /> },
  ]
  return canChange
    ? [...columns, { head: common.actions, width: '29%', cell: (access) => <AccessButtons access={access} /> }]
    : columns
}

/** Shows the progress, and everything else that was recorded about it. */
function Progress({ access }: { access: Access }) {
  const { user } = useWords()
  const { progress, passed, grade, concept_grade, started_at, completed_at, certificate_url } = access
  const grades = [grade === null ? undefined : user.grade(String(grade)), concept_grade ?? undefined]
  const gradeText = grades.filter((text) => text !== undefined).join(' · ')
  return (
    <Stack gap={2}>
      <Group gap="xs">
        <Percent of={progress} />
        {passed && <StateBadge state="good">{user.passed}</StateBadge>}
      </Group>
      {gradeText !== '' && <Text size="xs">{gradeText}</Text>}
      {started_at !== null && (
        <Text size="xs" c="dimmed">
          {user.started} <Moment at={started_at} />
        </Text>
      )}
      {completed_at !== null && (
        <Text size="xs" c="dimmed">
          {user.completed} <Moment at={completed_at} />
        </Text>
      )}
      {certificate_url !== null && (
        <Text
          size="xs"
          component="a"
          href={certificate_url}
          target="_blank"
          rel="noreferrer"
          c="inherit"
          td="underline"
        >
          {user.certificate}
        </Text>
      )}
    </Stack>
  )
}
