import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { PencilIcon, SyncIcon, TrashIcon } from '@primer/octicons-react'
import { useNavigate } from '@tanstack/react-router'
import { useChange } from '../../api/changes.ts'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { RotateDialog } from '../../parts/rotate-dialog.tsx'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import { EndpointForm } from './endpoint-form.tsx'

interface Props {
  endpoint: Schemas['WebhookEndpoint']
  onIssued: (secret: string) => void
}

export function EndpointActions({ endpoint, onIssued }: Props) {
  const { webhooks, common } = useWords()
  const [isEditing, editing] = useDisclosure()
  const [isRotating, rotating] = useDisclosure()
  const store = useStore()
  const path = { store_id: store, id: endpoint.id }
  const rotate = useChange({
    change: (overlap_hours: number) =>
      bodyOf(
        api.POST('/admin/stores/{store_id}/webhook_endpoints/{id}/rotate_secret', {
          params: { path },
          body: { overlap_hours },
        }),
      ),
    onDone: ({ secret }) => {
      rotating.close()
      onIssued(secret)
    },
  })
  const navigate = useNavigate()
  return (
    <>
      <Button variant="default" leftSection={<PencilIcon size={16} aria-hidden />} onClick={editing.open}>
        {common.edit}
      </Button>
      <Button variant="default" leftSection={<SyncIcon size={16} aria-hidden />} onClick={rotating.open}>
        {webhooks.rotate}
      </Button>
      <ConfirmButton
        label={common.delete}
        title={webhooks.delete}
        leftSection={<TrashIcon size={16} aria-hidden />}
        send={() => api.DELETE('/admin/stores/{store_id}/webhook_endpoints/{id}', { params: { path } })}
        done={webhooks.deleted}
        onDone={() => void navigate({ to: '/s/$store/webhooks', params: { store } })}
        isDangerous
      >
        <Text style={{ overflowWrap: 'anywhere' }}>{webhooks.deleteWarning(endpoint.url)}</Text>
      </ConfirmButton>
      <Dialog title={webhooks.edit} isOpen={isEditing} onClose={editing.close} size="lg">
        <EndpointForm store={store} endpoint={endpoint} onClose={editing.close} />
      </Dialog>
      <RotateDialog
        title={webhooks.rotate}
        words={webhooks}
        isOpen={isRotating}
        onClose={rotating.close}
        change={rotate}
      />
    </>
  )
}
