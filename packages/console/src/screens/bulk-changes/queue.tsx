import { Alert, Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { cancelBulkChanges, useNewestBulkChanges } from '../../api/bulk-changes.ts'
import { useChange } from '../../api/changes.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { useSession } from '../../session.tsx'
import { useWords } from '../../words/index.tsx'

/** Says how many bulk changes wait, which may be somebody's mistake or a leaked token, and cancels all of them at once. */
export function Queue({ store }: { store: string }) {
  const { bulk } = useWords()
  const { can } = useSession()
  const [isOpen, { open, close }] = useDisclosure()
  const { data: newest = [] } = useNewestBulkChanges(store)
  const waiting = newest.filter(({ state }) => state === 'queued')
  const cancel = useChange<void, void>({
    change: () =>
      cancelBulkChanges(
        store,
        waiting.map(({ id }) => id),
      ),
    done: bulk.canceledAll,
    onDone: close,
  })
  if (waiting.length === 0 && !isOpen) return null
  return (
    <Alert color="gray">
      <Group justify="space-between">
        {bulk.waiting(waiting.length)}
        {can('product_accesses:write') && (
          <Button size="xs" variant="default" onClick={open}>
            {bulk.cancelAll}
          </Button>
        )}
      </Group>
      <Confirm
        title={bulk.cancelAll}
        action={bulk.cancelAll}
        isOpen={isOpen}
        onClose={close}
        change={cancel}
        isDangerous
      >
        <Text>{bulk.cancelAllHint(waiting.length)}</Text>
      </Confirm>
    </Alert>
  )
}
