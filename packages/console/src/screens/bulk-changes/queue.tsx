import { Alert, Group, Text } from '@mantine/core'
import { cancelBulkChanges, useNewestBulkChanges } from '../../api/bulk-changes.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { useSession } from '../../session.tsx'
import { useWords } from '../../words/index.tsx'

/** Says how many bulk changes wait, which may be somebody's mistake or a leaked token, and cancels all of them at once. */
export function Queue({ store }: { store: string }) {
  const { bulk } = useWords()
  const { can } = useSession()
  const { data: newest = [] } = useNewestBulkChanges(store)
  const waiting = newest.filter(({ state }) => state === 'queued').map(({ id }) => id)
  if (waiting.length === 0) return null
  return (
    <Alert color="gray">
      <Group justify="space-between">
        {bulk.waiting(waiting.length)}
        {can('product_accesses:write') && (
          <ConfirmButton
            label={bulk.cancelAll}
            size="xs"
            send={() => cancelBulkChanges(store, waiting)}
            done={bulk.canceledAll}
            isDangerous
          >
            <Text>{bulk.cancelAllHint(waiting.length)}</Text>
          </ConfirmButton>
        )}
      </Group>
    </Alert>
  )
}
