import { useState } from 'react'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { TextLink } from '../../parts/links.tsx'
import { ResourceScreen } from '../../parts/resource-screen.tsx'
import { SecretOnce, type ShownSecret } from '../../parts/secret-once.tsx'
import { useSession } from '../../session.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import { EndpointForm } from './endpoint-form.tsx'
import { EndpointEvents, EndpointState, LastResponse, NextAttempt } from './endpoint-state.tsx'
import { shownSecret } from './secret.ts'

const REFRESH_MS = 10_000

export function Webhooks() {
  const words = useWords()
  const { webhooks } = words
  const store = useStore()
  const [shown, setShown] = useState<ShownSecret>()
  return (
    <ResourceScreen<Schemas['WebhookEndpoint']>
      title={webhooks.title}
      intro={webhooks.intro}
      none={webhooks.none}
      name={['webhooks', store]}
      list={(query) =>
        bodyOf(api.GET('/admin/stores/{store_id}/webhook_endpoints', { params: { path: { store_id: store }, query } }))
      }
      refreshMs={REFRESH_MS}
      columns={[
        {
          head: webhooks.url,
          cell: ({ id, url }) => (
            <TextLink inherit fw={500} to="/s/$store/webhooks/$id" params={{ store, id }}>
              {url}
            </TextLink>
          ),
        },
        { head: webhooks.events, width: '20%', cell: (endpoint) => <EndpointEvents endpoint={endpoint} /> },
        { head: webhooks.state, width: '18%', cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
        { head: webhooks.lastResponse, width: '16%', cell: (endpoint) => <LastResponse endpoint={endpoint} /> },
        { head: webhooks.nextAttempt, width: '17%', cell: (endpoint) => <NextAttempt endpoint={endpoint} /> },
      ]}
      keyOf={({ id }) => id}
      mayChange={useSession().can('stores:write')}
      create={{ label: webhooks.create, labelOfFirst: webhooks.createFirst }}
      form={(_, close) => (
        <EndpointForm
          store={store}
          endpoint={undefined}
          onClose={close}
          onIssued={({ secret }) => setShown(shownSecret(secret, webhooks.issued, words))}
        />
      )}
      formSize="lg"
    >
      {() => <SecretOnce shown={shown} onClose={() => setShown(undefined)} />}
    </ResourceScreen>
  )
}
