import { Anchor, Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAddress } from '../../address.ts'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { usePages } from '../../api/pages.ts'
import { Empty } from '../../parts/empty.tsx'
import { type Column, PageTable } from '../../parts/page-table.tsx'
import { Screen } from '../../parts/screen.tsx'
import { SecretOnce, type ShownSecret } from '../../parts/secret-once.tsx'
import { useSession } from '../../session.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import { CreateEndpoint } from './endpoint-form.tsx'
import { EndpointEvents, EndpointState, LastResponse, NextAttempt } from './endpoint-state.tsx'
import { shownSecret } from './secret.ts'

const REFRESH_MS = 10_000

export function Webhooks() {
  const words = useWords()
  const { webhooks } = words
  const canChange = useSession().can('stores:write')
  const store = useStore()
  const [isCreating, creating] = useDisclosure()
  const [shown, setShown] = useState<ShownSecret>()
  const columns = useColumns(store)
  const { place } = useAddress(() => ({}))
  const page = usePages(
    ['webhooks', store],
    (after) =>
      bodyOf(
        api.GET('/admin/stores/{store_id}/webhook_endpoints', {
          params: { path: { store_id: store }, query: after === undefined ? {} : { after } },
        }),
      ),
    { refreshMs: REFRESH_MS, place },
  )
  const create = (label: string) => (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
      {label}
    </Button>
  )
  const isEmpty = page.rows?.length === 0 && page.number === 1
  return (
    <Screen title={webhooks.title} actions={canChange && !isEmpty && create(webhooks.create)}>
      <Text c="dimmed" maw={720}>
        {webhooks.intro}
      </Text>
      <PageTable
        label={webhooks.list}
        page={page}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<Empty text={webhooks.none}>{canChange && create(webhooks.createFirst)}</Empty>}
      />
      <CreateEndpoint
        isOpen={isCreating}
        onClose={creating.close}
        onIssued={({ secret }) => setShown(shownSecret(secret, webhooks.issued, words))}
      />
      <SecretOnce shown={shown} onClose={() => setShown(undefined)} />
    </Screen>
  )
}

function useColumns(store: string): Column<Schemas['WebhookEndpoint']>[] {
  const { webhooks } = useWords()
  return [
    {
      head: webhooks.url,
      cell: ({ id, url }) => (
        <Anchor
          size="sm"
          fw={500}
          renderRoot={(props) => <Link {...props} to="/s/$store/webhooks/$id" params={{ store, id }} />}
        >
          {url}
        </Anchor>
      ),
    },
    { head: webhooks.events, width: '20%', cell: (endpoint) => <EndpointEvents endpoint={endpoint} /> },
    { head: webhooks.state, width: '18%', cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
    { head: webhooks.lastResponse, width: '16%', cell: (endpoint) => <LastResponse endpoint={endpoint} /> },
    { head: webhooks.nextAttempt, width: '17%', cell: (endpoint) => <NextAttempt endpoint={endpoint} /> },
  ]
}
