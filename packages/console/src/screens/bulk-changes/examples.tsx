import { Group, List, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ArrowRightIcon } from '@primer/octicons-react'
import { useState } from 'react'
import { extend } from '../../../../../src/calendar.ts'
import type { NewBulkChange } from '../../api/bulk-changes.ts'
import type { Schemas } from '../../api/client.ts'
import { fillPage, type List as Listed } from '../../api/pages.ts'
import { isOpenStatus } from '../../parts/access-states.ts'
import { AccessStateBadge } from '../../parts/access-state.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Moment } from '../../parts/moment.tsx'
import { useWords } from '../../words/index.tsx'
import { useZone } from '../../zone.tsx'
import { listAccesses } from '../accesses/list.ts'
import { isSameEnd } from '../user/access.ts'
import type { BulkScope } from './scope.ts'

type Access = Schemas['ProductAccess']
type State = Pick<Access, 'status' | 'access_due_date'>

const COUNT = 10
/** How many accesses a request reads, which is the limit of the API. */
const PAGE = 100

interface Props {
  store: string
  scope: BulkScope
  change: NewBulkChange['change']
  /** How many accesses would lose something. */
  losses: number
}

/** Shows what the change would do to some of the accesses that it changes, beginning with those that lose something. */
export function Examples({ store, scope, change, losses }: Props) {
  const { bulk } = useWords()
  const zone = useZone()
  const [now] = useState(() => Date.now())
  const exampleOf = (access: Access) => ({ access, after: stateAfter(access, change, { now, zone }) })
  const { data, error, refetch } = useQuery({
    queryKey: ['product_accesses', store, 'examples', scope.filter, scope.people?.map(({ id }) => id), change, losses],
    queryFn: ({ signal }) => findExamples(listScope(store, scope), { signal, exampleOf, losses }),
    enabled: scope.chosen === undefined,
  })
  const shown = (scope.chosen?.map(exampleOf) ?? data)
    ?.filter((example) => rankOf(example) < UNCHANGED)
    .toSorted((a, b) => rankOf(a) - rankOf(b))
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
        {shown.slice(0, COUNT).map(({ access, after }) => (
          <List.Item key={access.id} styles={{ itemWrapper: { display: 'block' }, itemLabel: { display: 'block' } }}>
            <Example access={access} after={after} hasProduct={isMixed} />
          </List.Item>
        ))}
      </List>
    </Stack>
  )
}

interface ExampleOf {
  access: Access
  after: State
}

interface Finding {
  signal: AbortSignal
  exampleOf: (access: Access) => ExampleOf
  losses: number
}

/** Reads on while the newest accesses stay as they are, or while too few of those that lose something are found. */
async function findExamples(list: Listed<Access>, { signal, exampleOf, losses }: Finding): Promise<ExampleOf[]> {
  const wanted = losses > 0 ? LOSES : CHANGES
  const found: ExampleOf[] = []
  await fillPage<ExampleOf>(
    async (after) => {
      const { data, next } = await list(after, { limit: PAGE, signal })
      const examples = data.map(exampleOf)
      found.push(...examples)
      return { data: examples.filter((example) => rankOf(example) <= wanted), next }
    },
    { after: undefined, signal, size: Math.min(COUNT, losses || COUNT) },
  )
  return found
}

interface ExampleProps extends ExampleOf {
  /** Whether the product is named. */
  hasProduct: boolean
}

function Example({ access, after, hasProduct }: ExampleProps) {
  const { dueDate } = useWords()
  const isOtherStatus = access.status !== after.status
  const isOtherDate = !isSameEnd(access.access_due_date, after.access_due_date)
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
  const { status: newStatus = status, extend_days: days, extend_months: months, never_shorten: keeps } = change
  const { access_due_date: date = due } = change
  if (keeps === true && (due === null || (date !== null && Date.parse(due) > Date.parse(date)))) {
    return { status: newStatus, access_due_date: due }
  }
  if ((days === undefined && months === undefined) || due === null) return { status: newStatus, access_due_date: date }
  const from = Math.max(Date.parse(due), now)
  const extended = extend(from, days === undefined ? { months: months ?? 0 } : { days }, zone)
  return { status: newStatus, access_due_date: extended === undefined ? due : new Date(extended).toISOString() }
}

const LOSES = 0
const CHANGES = 1
const UNCHANGED = 2

/** The first examples are those that end earlier or are closed. */
function rankOf({ access, after }: { access: State; after: State }): number {
  const [due, newDue] = [timeOf(access), timeOf(after)]
  const isClosed = isOpenStatus(access.status) && !isOpenStatus(after.status)
  if (newDue < due || isClosed) return LOSES
  return newDue > due || access.status !== after.status ? CHANGES : UNCHANGED
}

/** In seconds: the end of a day is within its last one. */
function timeOf({ access_due_date: due }: State): number {
  return due === null ? Infinity : Math.floor(Date.parse(due) / 1000)
}

/** The accesses of people who were chosen one by one are found by their ids. */
function listScope(store: string, { filter, people }: BulkScope): Listed<Access> {
  return listAccesses(store, { ...filter, ...(people && { users: people.slice(0, PAGE).map(({ id }) => id) }) })
}
