import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../api/changes.ts'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { useWords } from '../../words/index.tsx'

interface Props {
  store: Schemas['Store']
  canChange: boolean
}

export function Suspension({ store, canChange }: Props) {
  const { settings } = useWords()
  const [wanted, setWanted] = useState<boolean>()
  const isSuspending = wanted === true
  const change = useChange<void, Schemas['Store']>({
    change: () =>
      bodyOf(
        api.PATCH('/admin/stores/{store_id}', {
          params: { path: { store_id: store.id } },
          body: { suspended: isSuspending },
        }),
      ),
    done: isSuspending ? settings.suspended : settings.resumed,
    onDone: () => setWanted(undefined),
  })
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Title order={2} size="h4">
          {settings.suspension}
        </Title>
        <StateBadge state={store.suspended ? 'bad' : 'good'}>
          {store.suspended ? settings.isSuspended : settings.isNotSuspended}
        </StateBadge>
      </Group>
      <Text size="sm">{settings.suspensionHint}</Text>
      {canChange && (
        <Group>
          <Button variant="default" onClick={() => setWanted(!store.suspended)}>
            {store.suspended ? settings.resume : settings.suspend}
          </Button>
        </Group>
      )}
      <Confirm
        title={isSuspending ? settings.suspend : settings.resume}
        action={isSuspending ? settings.suspendAction : settings.resumeAction}
        isOpen={wanted !== undefined}
        onClose={() => setWanted(undefined)}
        change={change}
        isDangerous={isSuspending}
      >
        <Text>{isSuspending ? settings.suspendHint(store.name) : settings.resumeHint(store.name)}</Text>
      </Confirm>
    </Stack>
  )
}
