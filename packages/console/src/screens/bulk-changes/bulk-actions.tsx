import { Text } from '@mantine/core'
import { type BulkChange, isRunning } from '../../api/bulk-changes.ts'
import { useIdempotencyKey } from '../../api/changes.ts'
import { api, bodyOf } from '../../api/client.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { useSession } from '../../session.tsx'
import { useWords } from '../../words/index.tsx'

interface Props {
  store: string
  change: BulkChange
  /** Called with the id of the new bulk change that takes this one back. */
  onReverted?: (id: string) => void
}

/** Cancels a bulk change while it runs, and takes it back once it has ended. */
export function BulkActions({ store, change, onReverted }: Props) {
  const { can } = useSession()
  if (!can('product_accesses:write') || change.dry_run) return null
  if (isRunning(change)) return <CancelBulk store={store} change={change} />
  if (change.changed === 0 || change.reverted_by !== null) return null
  return <RevertBulk store={store} change={change} {...(onReverted && { onReverted })} />
}

function CancelBulk({ store, change: { id } }: Props) {
  const { bulk } = useWords()
  const params = { path: { store_id: store, id } }
  return (
    <ConfirmButton
      label={bulk.cancel}
      title={bulk.cancelTitle}
      size="xs"
      send={() => bodyOf(api.POST('/admin/stores/{store_id}/bulk_changes/{id}/cancel', { params }))}
      done={bulk.canceled}
      isDangerous
    >
      <Text>{bulk.cancelHint}</Text>
    </ConfirmButton>
  )
}

function RevertBulk({ store, change: { id, changed }, onReverted }: Props) {
  const { bulk } = useWords()
  const { key, renew } = useIdempotencyKey()
  const params = { path: { store_id: store, id }, header: { 'X-Idempotency-Key': key } }
  return (
    <ConfirmButton
      label={bulk.revert}
      title={bulk.revertTitle}
      size="xs"
      send={() => bodyOf(api.POST('/admin/stores/{store_id}/bulk_changes/{id}/revert', { params }))}
      done={bulk.started}
      onDone={(started) => {
        renew()
        onReverted?.(started.id)
      }}
    >
      <Text>{bulk.revertHint(changed)}</Text>
    </ConfirmButton>
  )
}
