import { Alert, Anchor, Button, Card, Text } from '@mantine/core'
import { AlertIcon, PaperAirplaneIcon, PlayIcon } from '@primer/octicons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useChange } from '../../api/changes.ts'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { AskAdmin } from '../../parts/ask-admin.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Screen } from '../../parts/screen.tsx'
import { SecretOnce, type ShownSecret } from '../../parts/secret-once.tsx'
import { useSession } from '../../session.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import { adviceFor } from './advice.ts'
import { Deliveries } from './deliveries.tsx'
import { EndpointActions } from './endpoint-actions.tsx'
import { EndpointEvents, EndpointState, LastResponse, NextAttempt } from './endpoint-state.tsx'
import { useEndpointTest } from './endpoint-test.tsx'
import { Loading } from '../../parts/loading.tsx'
import { shownSecret } from './secret.ts'

const REFRESH_MS = 5_000

type Endpoint = Schemas['WebhookEndpoint']

export function Webhook() {
  const { webhooks } = useWords()
  const store = useStore()
  const id = useParams({ strict: false, select: (params) => params.id ?? '' })
  const { data, error, refetch } = useQuery({
    queryKey: ['webhook', store, id],
    queryFn: () =>
      bodyOf(api.GET('/admin/stores/{store_id}/webhook_endpoints/{id}', { params: { path: { store_id: store, id } } })),
    refetchInterval: REFRESH_MS,
  })
  const retry = () => void refetch()
  if (data) return <EndpointScreen key={id} endpoint={data} error={error} retry={retry} />
  return (
    <Screen title={webhooks.endpoint}>
      <BackToAll />
      <FailureNote error={error} retry={retry} />
      {!error && <Loading />}
    </Screen>
  )
}

function BackToAll() {
  const { webhooks } = useWords()
  const store = useStore()
  return (
    <div>
      <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/s/$store/webhooks" params={{ store }} />}>
        {webhooks.back}
      </Anchor>
    </div>
  )
}

interface EndpointScreenProps {
  endpoint: Endpoint
  /** The endpoint stays on the screen if it could not be read again. */
  error: unknown
  retry: () => void
}

function EndpointScreen({ endpoint, error, retry }: EndpointScreenProps) {
  const words = useWords()
  const { webhooks } = words
  const canChange = useSession().can('stores:write')
  const [shown, setShown] = useState<ShownSecret>()
  const test = useEndpointTest(endpoint.id)
  const actions = canChange && (
    <>
      <Button leftSection={<PaperAirplaneIcon size={16} aria-hidden />} onClick={test.start} loading={test.isRunning}>
        {webhooks.test}
      </Button>
      <EndpointActions
        endpoint={endpoint}
        onIssued={(secret) => setShown(shownSecret(secret, webhooks.newSecret, words))}
      />
    </>
  )
  return (
    <Screen title={webhooks.endpoint} actions={actions}>
      <BackToAll />
      {!canChange && <AskAdmin />}
      <FailureNote error={error} retry={retry} />
      <EndpointProblem endpoint={endpoint} />
      {canChange && test.outcome}
      <EndpointFacts endpoint={endpoint} />
      <Deliveries endpoint={endpoint.id} />
      <SecretOnce shown={shown} onClose={() => setShown(undefined)} />
    </Screen>
  )
}

/** Says why an endpoint is failing, down or disabled, and what happens next. */
function EndpointProblem({ endpoint: { id, state, last_status } }: { endpoint: Endpoint }) {
  const words = useWords()
  const { webhooks } = words
  const canChange = useSession().can('stores:write')
  const path = { store_id: useStore(), id }
  const enable = useChange({
    change: () => bodyOf(api.POST('/admin/stores/{store_id}/webhook_endpoints/{id}/enable', { params: { path } })),
    done: state === 'down' ? webhooks.probed : webhooks.enabled,
  })
  if (state === 'ok') return null
  return (
    <>
      <Alert
        color={state === 'failing' ? 'orange' : 'red'}
        icon={<AlertIcon aria-hidden />}
        title={webhooks.problems[state].title}
      >
        <Text size="sm" fw={600}>
          {webhooks.lastResponse}: {last_status ?? webhooks.noResponse}. {adviceFor(last_status, words)}
        </Text>
        <Text size="sm">{webhooks.problems[state].why}</Text>
        {canChange && (
          <Button
            mt="sm"
            leftSection={<PlayIcon size={16} aria-hidden />}
            onClick={() => enable.run(undefined)}
            loading={enable.isRunning}
          >
            {state === 'disabled' ? webhooks.enable : webhooks.sendAll}
          </Button>
        )}
      </Alert>
      <FailureNote error={enable.failure} />
    </>
  )
}

function EndpointFacts({ endpoint }: { endpoint: Endpoint }) {
  const { webhooks, common } = useWords()
  return (
    <Card withBorder>
      <Facts columns={3}>
        <Fact name={webhooks.url}>{endpoint.url}</Fact>
        <Fact name={webhooks.events}>
          <EndpointEvents endpoint={endpoint} />
        </Fact>
        <Fact name={webhooks.state}>
          <EndpointState endpoint={endpoint} />
        </Fact>
        <Fact name={webhooks.lastResponse}>
          <LastResponse endpoint={endpoint} />
        </Fact>
        <Fact name={webhooks.nextAttempt}>
          <NextAttempt endpoint={endpoint} />
        </Fact>
        <Fact name={common.created}>
          <Moment at={endpoint.created_at} />
        </Fact>
      </Facts>
    </Card>
  )
}
