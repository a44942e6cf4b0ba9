import { useDisclosure } from '@mantine/hooks'
import { SyncIcon } from '@primer/octicons-react'
import { useChange } from '../../api/changes.ts'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { RotateDialog } from '../../parts/rotate-dialog.tsx'
import { RowAction } from '../../parts/row-action.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'

interface Props {
  token: Schemas['AccessToken']
  onIssued: (token: Schemas['IssuedAccessToken']) => void
}

export function RotateToken({ token, onIssued }: Props) {
  const { tokens } = useWords()
  const path = { store_id: useStore(), id: token.id }
  const [isOpen, { open, close }] = useDisclosure()
  const rotate = useChange({
    change: (overlap_hours: number) =>
      bodyOf(api.POST('/admin/stores/{store_id}/tokens/{id}/rotate', { params: { path }, body: { overlap_hours } })),
    onDone: (issued) => {
      close()
      onIssued(issued)
    },
  })
  return (
    <>
      <RowAction label={tokens.rotateOne(token.name)} Icon={SyncIcon} onClick={open} />
      <RotateDialog title={tokens.rotate} words={tokens} isOpen={isOpen} onClose={close} change={rotate} />
    </>
  )
}
