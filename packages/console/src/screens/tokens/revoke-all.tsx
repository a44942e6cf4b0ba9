import { Group, Paper, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { api, bodyOf } from '../../api/client.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'

/** The operator has to type the id of the store, so that no wrong click stops all programs of a store. */
export function RevokeAll() {
  const { tokens } = useWords()
  const store = useStore()
  const [typed, setTyped] = useState('')
  const params = { path: { store_id: store } }
  return (
    <Paper withBorder p="md">
      <Group justify="space-between">
        <Text size="sm" c="dimmed" flex={1} miw={240}>
          {tokens.revokeAllHint}
        </Text>
        <ConfirmButton
          label={tokens.revokeAll}
          color="red.9"
          variant="filled"
          send={() => bodyOf(api.POST('/admin/stores/{store_id}/tokens/revoke_all', { params }))}
          done={({ revoked }) => tokens.revokedAll(revoked)}
          onClose={() => setTyped('')}
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
        </ConfirmButton>
      </Group>
    </Paper>
  )
}
