import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type BulkChange, isRunning } from '../../api/bulk-changes.ts'
import { useChange, useIdempotencyKey } from '../../api/changes.ts'
import { api, bodyOf } from '../../api/client.ts'
import { Confirm } from '../../parts/confirm.tsx'
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
  const [isOpen, { open, close }] = useDisclosure()
  const cancel = useChange<void, unknown>({
    change: () =>
      bodyOf(
        api.POST('/admin/stores/{store_id}/bulk_changes/{id}/cancel', { params: { path: { store_id: store, id } } }),
      ),
    done: bulk.canceled,
    onDone: close,
  })
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {bulk.cancel}
      </Button>
      <Confirm
        title={bulk.cancelTitle}
        action={bulk.cancel}
        isOpen={isOpen}
        onClose={close}
        change={cancel}
        isDangerous
      >
        <Text>{bulk.cancelHint}</Text>
      </Confirm>
    </>
  )
}

function RevertBulk({ store, change: { id, changed }, onReverted }: Props) {
  const { bulk } = useWords()
  const [isOpen, { open, close }] = useDisclosure()
  const { key, renew } = useIdempotencyKey()
  const revert = useChange<void, BulkChange>({
    change: () =>
      bodyOf(
        api.POST('/admin/stores/{store_id}/bulk_changes/{id}/revert', {
          params: { path: { store_id: store, id }, header: { 'X-Idempotency-Key': key } },
        }),
      ),
    done: bulk.started,
    onDone: (started) => {
      renew()
      close()
      onReverted?.(started.id)
    },
  })
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {bulk.revert}
      </Button>
      <Confirm title={bulk.revertTitle} action={bulk.revert} isOpen={isOpen} onClose={close} change={revert}>
        <Text>{bulk.revertHint(changed)}</Text>
      </Confirm>
    </>
  )
}
