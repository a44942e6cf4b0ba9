import { Alert, List, Stack, Text, Title } from '@mantine/core'
import { dayAt } from '../../../../../src/calendar.ts'
import { useState } from 'react'
import { type BulkChange, type NewBulkChange, useNewestBulkChanges } from '../../api/bulk-changes.ts'
import { FailureNote } from '../../parts/failure-note.tsx'
import { TextLink } from '../../parts/links.tsx'
import { useLanguage, useWords } from '../../words/index.tsx'
import { useZone } from '../../zone.tsx'
import { FilterText } from './filter-text.tsx'
import { useBulkText } from './use-bulk-text.ts'

/** Lists today's bulk changes of the store, or two operators might extend the same accesses. */
export function TodaysBulkChanges({ store }: { store: string }) {
  const { bulk } = useWords()
  const { language } = useLanguage()
  const text = useBulkText(store)
  const timeZone = useZone()
  const { today, error, refetch } = useToday(store)
  const timeOf = (at: string) => new Date(at).toLocaleTimeString(language, { timeStyle: 'short', timeZone })
  return (
    <Stack gap="xs">
      <Title order={3} size="sm">
        {bulk.today}
      </Title>
      <FailureNote error={error} retry={() => void refetch()} />
      {today?.length === 0 && (
        <Text size="sm" c="dimmed">
          {bulk.noneToday}
        </Text>
      )}
      {today && today.length > 0 && (
        <List listStyleType="none" spacing={4} size="sm" aria-label={bulk.today}>
          {today.map((one) => (
            <List.Item key={one.id}>
              {timeOf(one.created_at)} · {text.actor(one.actor)} ·{' '}
              <TextLink inherit to="/s/$store/bulk-changes/$id" params={{ store, id: one.id }}>
                {text.change(one.change, one.reverts)}
              </TextLink>
              <Text size="xs" c="dimmed">
                {one.filter && (
                  <>
                    <FilterText store={store} filter={one.filter} />
                    {' · '}
                  </>
                )}
                {[
                  one.reverted_by === null ? bulk.states[one.state] : bulk.reverted,
                  bulk.countChanged(one.changed),
                ].join(' · ')}
              </Text>
            </List.Item>
          ))}
        </List>
      )}
    </Stack>
  )
}

/** Warns before the same change is made a second time today. */
export function SameToday({ store, body }: { store: string; body: NewBulkChange }) {
  const { bulk } = useWords()
  const { today = [] } = useToday(store)
  const hasSame = today.some(
    ({ change, filter, changed, reverted_by }) =>
      changed > 0 &&
      reverted_by === null &&
      isSame(change, body.change) &&
      filter?.product_id === body.filter.product_id,
  )
  return hasSame && <Alert color="yellow">{bulk.sameToday}</Alert>
}

function useToday(store: string) {
  const { data, error, refetch } = useNewestBulkChanges(store)
  const zone = useZone()
  const [now] = useState(Date.now)
  const today = dayAt(now, zone)
  return { today: data?.filter(({ created_at }) => dayAt(Date.parse(created_at), zone) === today), error, refetch }
}

function isSame(a: BulkChange['change'], b: NewBulkChange['change']): boolean {
  return (
    a !== null &&
    a.status === b.status &&
    a.extend_days === b.extend_days &&
    a.extend_months === b.extend_months &&
    a.access_due_date === b.access_due_date &&
    a.never_shorten === b.never_shorten
  )
}
