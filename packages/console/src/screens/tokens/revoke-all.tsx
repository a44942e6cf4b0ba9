import { Button, Group, Paper, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { useChange } from '../../api/changes.ts'
import { api, bodyOf } from '../../api/client.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'

/** The operator has to type the id of the store, so that no wrong click stops all programs of a store. */
export function RevokeAll() {
  const { tokens } = useWords()
  const store = useStore()
  const [isOpen, { open, close }] = useDisclosure()
  const [typed, setTyped] = useState('')
  const end = () => {
    setTyped('')
    close()
  }
  const change = useChange({
    change: () =>
      bodyOf(api.POST('/admin/stores/{store_id}/tokens/revoke_all', { params: { path: { store_id: store } } })),
    done: ({ revoked }) => tokens.revokedAll(revoked),
    onDone: end,
  })
  return (
    <Paper withBorder p="md">
      <Group justify="space-between">
        <Text size="sm" c="dimmed" flex={1} miw={240}>
          {tokens.revokeAllHint}
        </Text>
        <Button color="red.9" onClick={open}>
          {tokens.revokeAll}
        </Button>
      </Group>
      <Confirm
        title={tokens.revokeAll}
        action={tokens.revokeAll}
        isOpen={isOpen}
        onClose={end}
        change={change}
        isDangerous
        isDisabled={typed !== store}
      >
        <Text>{tokens.revokeAllWarning}</Text>
        <TextInput
          label={tokens.typeStore(store)}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
      </Confirm>
    </Paper>
  )
}
