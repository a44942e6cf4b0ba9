import { Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBan, IconEdit, IconRefresh } from '@tabler/icons-react'
import { useChange } from '../../api/changes.ts'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { RotateDialog } from '../../parts/rotate-dialog.tsx'
import { RowAction } from '../../parts/row-action.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import { EditToken } from './token-form.tsx'

interface Props {
  token: Schemas['AccessToken']
  onIssued: (token: Schemas['IssuedAccessToken']) => void
}

export function TokenActions({ token, onIssued }: Props) {
  const { tokens } = useWords()
  const path = { store_id: useStore(), id: token.id }
  const [isEditing, editing] = useDisclosure()
  const [isRotating, rotating] = useDisclosure()
  const [isRevoking, revoking] = useDisclosure()
  const rotate = useChange({
    change: (overlap_hours: number) =>
      bodyOf(api.POST('/admin/stores/{store_id}/tokens/{id}/rotate', { params: { path }, body: { overlap_hours } })),
    onDone: (issued) => {
      rotating.close()
      onIssued(issued)
    },
  })
  const revoke = useChange({
    change: () => api.DELETE('/admin/stores/{store_id}/tokens/{id}', { params: { path } }),
    done: tokens.revoked,
    onDone: revoking.close,
  })
  return (
    <Group gap={4} wrap="nowrap">
      <RowAction label={tokens.editOne(token.name)} Icon={IconEdit} onClick={editing.open} />
      <RowAction label={tokens.rotateOne(token.name)} Icon={IconRefresh} onClick={rotating.open} />
      <RowAction label={tokens.revokeOne(token.name)} Icon={IconBan} onClick={revoking.open} isDangerous />
      <EditToken token={token} isOpen={isEditing} onClose={editing.close} />
      <RotateDialog title={tokens.rotate} words={tokens} isOpen={isRotating} onClose={rotating.close} change={rotate} />
      <Confirm
        title={tokens.revoke}
        action={tokens.revokeAction}
        isOpen={isRevoking}
        onClose={revoking.close}
        change={revoke}
        isDangerous
      >
        <Text>{tokens.revokeWarning(token.name)}</Text>
      </Confirm>
    </Group>
  )
}
