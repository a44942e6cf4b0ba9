import { Alert, Card, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { toFailure } from '../../api/failure.ts'
import { FailureNote } from '../../parts/failure-note.tsx'
import { TextLink } from '../../parts/links.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Screen } from '../../parts/screen.tsx'
import { sizeText } from '../../parts/size-text.ts'
import { useLanguage, useWords } from '../../words/index.tsx'
import { TroubledEndpoints } from './troubled-endpoints.tsx'

const REFRESH_MS = 30_000

type ServiceStatus = Schemas['Status']

/** How the service does as a whole, for operators of all stores. */
export function Status() {
  const { service } = useWords()
  const {
    data: status,
    error,
    refetch,
  } = useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => bodyOf(api.GET('/admin/status', { signal })),
    refetchInterval: REFRESH_MS,
  })
  return (
    <Screen title={service.title}>
      {error && toFailure(error).code === 'insufficient_scope' ? (
        <Alert color="gray">{service.onlyForAllStores}</Alert>
      ) : (
        <FailureNote error={error} retry={() => void refetch()} />
      )}
      {status && <Cards status={status} />}
      {!status && !error && <Loading />}
    </Screen>
  )
}

function Cards({ status }: { status: ServiceStatus }) {
  const { service } = useWords()
  const { language } = useLanguage()
  const { database, webhooks, stores, jobs } = status
  const share = (database.bytes / database.limit_bytes).toLocaleString(language, {
    style: 'percent',
    maximumFractionDigits: 1,
  })
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <StatusCard title={service.database}>
        {service.databaseUse(sizeText(database.bytes, language), sizeText(database.limit_bytes, language), share)}
        <Text size="sm" c="dimmed">
          {service.version} {status.version}
        </Text>
      </StatusCard>
      <StatusCard title={service.stores}>
        <TextLink inherit to="/stores">
          {service.storeCount(stores.total, stores.suspended)}
        </TextLink>
      </StatusCard>
      <StatusCard title={service.webhooks}>
        <Webhooks webhooks={webhooks} />
      </StatusCard>
      <StatusCard title={service.jobs}>
        <Text>
          {service.lastMinutely} <Moment at={jobs.last_minutely_at} empty={service.never} />
        </Text>
        <Text>
          {service.lastHourly} <Moment at={jobs.last_hourly_at} empty={service.never} />
        </Text>
        <Text>{service.purgeBacklog(jobs.purge_backlog)}</Text>
      </StatusCard>
    </SimpleGrid>
  )
}

function StatusCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card withBorder>
      <Title order={2} size="sm" c="dimmed" mb={4}>
        {title}
      </Title>
      <div>{children}</div>
    </Card>
  )
}

function Webhooks({ webhooks }: Pick<ServiceStatus, 'webhooks'>) {
  const { service } = useWords()
  const { pending, oldest_pending_at, failing_endpoints, down_endpoints, disabled_endpoints } = webhooks
  const troubled = failing_endpoints + down_endpoints + disabled_endpoints
  return (
    <Stack gap={4}>
      <span>
        {pending === 0 ? (
          service.nothingPending
        ) : (
          <>
            {service.pending(pending)}, {service.pendingSince} <Moment at={oldest_pending_at} />
          </>
        )}
      </span>
      {troubled === 0 ? <span>{service.noTrouble}</span> : <TroubledEndpoints webhooks={webhooks} count={troubled} />}
    </Stack>
  )
}
