import { Group, List, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ArrowRightIcon } from '@primer/octicons-react'
import { useState } from 'react'
import { extend } from '../../../../../src/calendar.ts'
import type { NewBulkChange } from '../../api/bulk-changes.ts'
import type { Schemas } from '../../api/client.ts'
import { fillPage } from '../../api/pages.ts'
import { AccessStateBadge } from '../../parts/access-state.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Moment } from '../../parts/moment.tsx'
import { useWords } from '../../words/index.tsx'
import { useZone } from '../../zone.tsx'
import { listAccesses } from '../accesses/list.ts'
import type { BulkScope } from './scope.ts'

type Access = Schemas['ProductAccess']
type State = Pick<Access, 'status' | 'access_due_date'>

const COUNT = 10

interface Props {
  store: string
  scope: BulkScope
  change: NewBulkChange['change']
}

/** Shows what the change would do to the first accesses that match. */
export function Examples({ store, scope, change }: Props) {
  const { bulk } = useWords()
  const zone = useZone()
  const [now] = useState(() => Date.now())
  const { data, error, refetch } = useQuery({
    queryKey: ['product_accesses', store, 'examples', scope.filter],
    queryFn: ({ signal }) => fillPage(listAccesses(store, scope.filter), { after: undefined, signal, size: COUNT }),
    enabled: scope.chosen === undefined,
  })
  const shown = scope.chosen ?? data?.data
  const isMixed = scope.chosen === undefined && scope.filter.product === undefined
  if (error) return <FailureNote error={error} retry={() => void refetch()} />
  if (!shown) return <Loading p="md" />
  if (shown.length === 0) return null
  return (
    <Stack gap="xs">
      <Title order={3} size="sm">
        {bulk.examples}
      </Title>
      <List listStyleType="none" spacing={6} size="sm" aria-label={bulk.examples}>
        {shown.slice(0, COUNT).map((access) => (
          <List.Item key={access.id} styles={{ itemWrapper: { display: 'block' }, itemLabel: { display: 'block' } }}>
            <Example access={access} after={stateAfter(access, change, { now, zone })} hasProduct={isMixed} />
          </List.Item>
        ))}
      </List>
    </Stack>
  )
}

interface ExampleProps {
  access: Access
  after: State
  /** Whether the product is named. */
  hasProduct: boolean
}

function Example({ access, after, hasProduct }: ExampleProps) {
  const { bulk, dueDate } = useWords()
  const isOtherStatus = access.status !== after.status
  const isOtherDate = access.access_due_date !== after.access_due_date
  return (
    <Group justify="space-between" gap={4}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {access.user.name} {access.user.last_name}
        {hasProduct && (
          <Text span inherit c="dimmed">
            {' · '}
            {access.product.name}
          </Text>
        )}
      </Text>
      <Group gap={6}>
        {!isOtherStatus && !isOtherDate && (
          <Text size="sm" c="dimmed">
            {bulk.staysTheSame}
          </Text>
        )}
        {isOtherDate && (
          <>
            <Moment at={access.access_due_date} empty={dueDate.noLimit} />
            <Becomes />
            <b>
              <Moment at={after.access_due_date} empty={dueDate.noLimit} />
            </b>
          </>
        )}
        {isOtherStatus && (
          <>
            <AccessStateBadge access={access} />
            <Becomes />
            <AccessStateBadge access={after} />
          </>
        )}
      </Group>
    </Group>
  )
}

function Becomes() {
  const { timeline } = useWords()
  return <ArrowRightIcon size={14} aria-label={timeline.becomes} />
}

/** Does what the service would do. */
function stateAfter(
  access: Access,
  change: NewBulkChange['change'],
  { now, zone }: { now: number; zone: string },
): State {
  const { status, access_due_date: due } = access
  const { status: newStatus = status, extend_days: days, access_due_date: date = due } = change
  if (days === undefined || due === null) return { status: newStatus, access_due_date: date }
  const from = Math.max(Date.parse(due), now)
  const extended = extend(from, { days }, zone)
  return { status: newStatus, access_due_date: extended === undefined ? due : new Date(extended).toISOString() }
}
