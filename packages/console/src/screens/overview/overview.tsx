import { Alert, Card, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core'
import { AlertIcon } from '@primer/octicons-react'
import { type Search, useAddress } from '../../address.ts'
import { useTroubledEndpoints } from '../../api/endpoints.ts'
import { useStats } from '../../api/stats.ts'
import { DayChart } from '../../parts/day-chart.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { TextLink } from '../../parts/links.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Screen } from '../../parts/screen.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import { ProductCounts } from './product-counts.tsx'
import { Totals } from './totals.tsx'

const PERIODS = [7, 30, 90] as const

interface OverviewSearch {
  days?: 7 | 90
}

export function overviewSearch({ days }: Search): OverviewSearch {
  const chosen = ([7, 90] as const).find((n) => n === Number(days))
  return chosen === undefined ? {} : { days: chosen }
}

export function Overview() {
  const { overview } = useWords()
  const store = useStore()
  const { filter, setFilter } = useAddress(overviewSearch)
  const { days = 30 } = filter
  const { data: stats, error, refetch } = useStats(store, days)
  const period = (
    <SegmentedControl
      aria-label={overview.period}
      data={PERIODS.map((n) => ({ value: String(n), label: overview.days(n) }))}
      value={String(days)}
      onChange={(value) => setFilter(overviewSearch({ days: Number(value) }), { replace: true })}
    />
  )
  return (
    <Screen title={overview.title} actions={period}>
      <FailureNote error={error} retry={() => void refetch()} />
      {!stats && !error && <Loading />}
      {stats && (
        <Stack>
          <EndpointTrouble store={store} />
          <Totals store={store} totals={stats.totals} />
          {stats.products.length > 0 && <ProductCounts store={store} products={stats.products} />}
          <Charts days={stats.days} />
          <Text size="sm" c="dimmed">
            {overview.perDay} {overview.countedUpTo} <Moment at={stats.as_of} />
          </Text>
        </Stack>
      )}
    </Screen>
  )
}

/** Says how many webhook endpoints do not work, with links to them. */
function EndpointTrouble({ store }: { store: string }) {
  const { webhooks } = useWords()
  const troubled = useTroubledEndpoints(store)
  if (troubled.length === 0) return null
  return (
    <Alert color="red" variant="light" icon={<AlertIcon aria-hidden />} title={webhooks.trouble}>
      {troubled.map(({ id, url }) => (
        <TextLink key={id} display="block" size="sm" to="/s/$store/webhooks/$id" params={{ store, id }}>
          {url}
        </TextLink>
      ))}
    </Alert>
  )
}

type Day = NonNullable<ReturnType<typeof useStats>['data']>['days'][number]

function Charts({ days }: { days: Day[] }) {
  const { overview } = useWords()
  const charts = [
    { field: 'users_created', title: overview.usersCreated },
    { field: 'accesses_granted', title: overview.accessesGranted },
    { field: 'accesses_updated', title: overview.accessesUpdated },
    { field: 'accesses_expired', title: overview.accessesExpired },
  ] as const
  const isQuiet = days.every((day) => charts.every(({ field }) => day[field] === 0))
  return (
    <>
      {isQuiet && <Text c="dimmed">{overview.noActivity}</Text>}
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        {charts.map(({ field, title }) => (
          <Card withBorder key={field}>
            <DayChart title={title} days={days.map((day) => ({ day: day.day, value: day[field] }))} />
          </Card>
        ))}
      </SimpleGrid>
    </>
  )
}
