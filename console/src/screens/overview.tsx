import { Card, Group, SegmentedControl, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, bodyOf, type Schemas } from '../api/client.ts'
import { DayChart } from '../parts/day-chart.tsx'
import { FailureNote } from '../parts/failure-note.tsx'
import { Moment } from '../parts/moment.tsx'
import { Screen } from '../parts/screen.tsx'
import { sizeText } from '../parts/size-text.ts'
import { useStore } from '../store.ts'
import { useLanguage, useWords } from '../words/index.tsx'

const PERIODS = [7, 30, 90]
const STATUS_REFRESH_MS = 30_000
/** The service counts once a minute. */
const STATS_REFRESH_MS = 60_000

export function Overview() {
  const words = useWords()
  const store = useStore()
  const [days, setDays] = useState(30)
  return (
    <Screen
      title={words.overview.title}
      actions={
        <SegmentedControl
          aria-label={words.overview.period}
          data={PERIODS.map((n) => ({ value: String(n), label: words.overview.days(n) }))}
          value={String(days)}
          onChange={(value) => setDays(Number(value))}
        />
      }
    >
      <StatusCards />
      <Charts store={store} days={days} />
    </Screen>
  )
}

function StatusCards() {
  const { overview } = useWords()
  const { language } = useLanguage()
  const {
    data: status,
    error,
    refetch,
  } = useQuery({
    queryKey: ['status'],
    queryFn: () => bodyOf(api.GET('/admin/status')),
    refetchInterval: STATUS_REFRESH_MS,
  })
  if (error) return <FailureNote error={error} retry={() => void refetch()} />
  if (!status) return <SimpleGrid cols={{ base: 1, sm: 3 }} mih={96} />
  const { database, webhooks, stores } = status
  const share = (database.bytes / database.limit_bytes).toLocaleString(language, {
    style: 'percent',
    maximumFractionDigits: 1,
  })
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <StatusCard title={overview.database}>
        {overview.databaseUse(sizeText(database.bytes, language), sizeText(database.limit_bytes, language), share)}
        <Text size="sm" c="dimmed">
          {overview.version} {status.version}
        </Text>
      </StatusCard>
      <StatusCard title={overview.webhooks}>
        <WebhookStatus webhooks={webhooks} />
      </StatusCard>
      <StatusCard title={overview.stores}>{overview.storeCount(stores.total, stores.suspended)}</StatusCard>
    </SimpleGrid>
  )
}

function StatusCard({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Card withBorder>
      <Title order={2} size="sm" c="dimmed" mb={4}>
        {title}
      </Title>
      <div>{children}</div>
    </Card>
  )
}

function WebhookStatus({ webhooks }: Pick<Schemas['Status'], 'webhooks'>) {
  const { overview } = useWords()
  const { pending, oldest_pending_at, failing_endpoints, down_endpoints, disabled_endpoints } = webhooks
  return (
    <Stack gap={2}>
      {pending === 0 ? (
        overview.nothingPending
      ) : (
        <span>
          {overview.pending(pending)}, {overview.pendingSince} <Moment at={oldest_pending_at} />
        </span>
      )}
      {failing_endpoints > 0 && <Text c="red">{overview.failing(failing_endpoints)}</Text>}
      {down_endpoints > 0 && <Text c="red">{overview.down(down_endpoints)}</Text>}
      {disabled_endpoints > 0 && <Text c="red">{overview.disabled(disabled_endpoints)}</Text>}
    </Stack>
  )
}

function Charts({ store, days }: { store: string; days: number }) {
  const { overview } = useWords()
  const {
    data: stats,
    error,
    refetch,
  } = useQuery({
    queryKey: ['stats', store, days],
    queryFn: () =>
      bodyOf(api.GET('/admin/stores/{store_id}/stats', { params: { path: { store_id: store }, query: { days } } })),
    refetchInterval: STATS_REFRESH_MS,
  })
  if (error) return <FailureNote error={error} retry={() => void refetch()} />
  if (!stats) return null
  const charts = [
    { field: 'users_created', title: overview.usersCreated },
    { field: 'accesses_granted', title: overview.accessesGranted },
    { field: 'accesses_updated', title: overview.accessesUpdated },
    { field: 'accesses_expired', title: overview.accessesExpired },
  ] as const
  const isQuiet = stats.days.every((day) => charts.every(({ field }) => day[field] === 0))
  return (
    <Stack>
      <Totals totals={stats.totals} />
      {isQuiet && <Text c="dimmed">{overview.noActivity}</Text>}
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        {charts.map(({ field, title }) => (
          <Card withBorder key={field}>
            <DayChart title={title} days={stats.days.map((day) => ({ day: day.day, value: day[field] }))} />
          </Card>
        ))}
      </SimpleGrid>
      <Group>
        <Text size="sm" c="dimmed">
          {overview.perDay} {overview.countedUpTo} <Moment at={stats.as_of} />
        </Text>
      </Group>
    </Stack>
  )
}

function Totals({ totals }: Pick<Schemas['Stats'], 'totals'>) {
  const { overview } = useWords()
  const { language } = useLanguage()
  const numbers = [
    [overview.users, totals.users],
    [overview.accesses, totals.accesses],
    [overview.inForce, totals.in_force],
    [overview.endingSoon, totals.ending_in_7_days],
  ] as const
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }}>
      {numbers.map(([title, number]) => (
        <StatusCard key={title} title={title}>
          {number.toLocaleString(language)}
        </StatusCard>
      ))}
    </SimpleGrid>
  )
}
