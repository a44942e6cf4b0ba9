import { List, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { listAllStores } from '../../api/stores.ts'
import { FailureNote } from '../../parts/failure-note.tsx'
import { TextLink } from '../../parts/links.tsx'
import { useWords } from '../../words/index.tsx'

type State = Exclude<Schemas['WebhookEndpoint']['state'], 'ok'>

interface Troubled {
  store: { id: string; name: string }
  id: string
  url: string
  state: State
}

/** The status names no endpoints, so the stores are searched; more than this would use up the operator's quota. */
const MAX_STORES = 200
const STORES_AT_ONCE = 5
const STALE_MS = 60_000
const STATES = ['disabled', 'down', 'failing'] as const

interface Props {
  webhooks: Schemas['Status']['webhooks']
  /** How many endpoints there are to find. */
  count: number
}

/** Says how many endpoints fail, with a link to each. */
export function TroubledEndpoints({ webhooks, count }: Props) {
  const { service } = useWords()
  const {
    data: found = [],
    error,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: ['troubled_endpoints', webhooks.failing_endpoints, webhooks.down_endpoints, webhooks.disabled_endpoints],
    queryFn: ({ signal }) => findTroubled(count, signal),
    staleTime: STALE_MS,
  })
  const counts = {
    disabled: webhooks.disabled_endpoints,
    down: webhooks.down_endpoints,
    failing: webhooks.failing_endpoints,
  }
  return (
    <>
      {STATES.filter((state) => counts[state] > 0).map((state) => (
        <div key={state}>
          <Text c="var(--mantine-color-error)">{service[state](counts[state])}</Text>
          <List size="sm" aria-label={service[state](counts[state])}>
            {found
              .filter((endpoint) => endpoint.state === state)
              .map(({ store, id, url }) => (
                <List.Item key={`${store.id} ${id}`} style={{ overflowWrap: 'anywhere' }}>
                  <TextLink inherit underline="always" to="/s/$store/webhooks/$id" params={{ store: store.id, id }}>
                    {url}
                  </TextLink>{' '}
                  <Text span inherit c="dimmed">
                    {store.name}
                  </Text>
                </List.Item>
              ))}
          </List>
        </div>
      ))}
      {isFetching && found.length < count && (
        <Text size="sm" c="dimmed" role="status">
          {service.finding}
        </Text>
      )}
      {!isFetching && !error && found.length < count && (
        <Text size="sm" c="dimmed">
          {service.notAllFound}
        </Text>
      )}
      <FailureNote error={error} retry={() => void refetch()} />
    </>
  )
}

/** Searches store by store until all of them are found. */
async function findTroubled(count: number, signal: AbortSignal): Promise<Troubled[]> {
  const stores = (await listAllStores()).slice(0, MAX_STORES)
  const found: Troubled[] = []
  for (let i = 0; i < stores.length && found.length < count; i += STORES_AT_ONCE) {
    const groups = await Promise.all(stores.slice(i, i + STORES_AT_ONCE).map((store) => troubledOf(store, signal)))
    found.push(...groups.flat())
  }
  return found
}

async function troubledOf(store: Troubled['store'], signal: AbortSignal): Promise<Troubled[]> {
  const { data } = await bodyOf(
    api.GET('/admin/stores/{store_id}/webhook_endpoints', {
      params: { path: { store_id: store.id }, query: { limit: 100 } },
      signal,
    }),
  )
  return data.flatMap(({ id, url, state }) => (state === 'ok' ? [] : [{ store, id, url, state }]))
}
