import { Button, Group, Loader, Paper, Stack, Text } from '@mantine/core'
import { FailureNote } from '../../parts/failure-note.tsx'
import { useWords } from '../../words/index.tsx'
import type { Task } from './bulk-job.ts'
import { MAX_SELECTED, type useSelection } from './use-selection.ts'

interface Props {
  selection: ReturnType<typeof useSelection>
  onTask: (task: Task) => void
}

export function SelectionBar({ selection, onTask }: Props) {
  const words = useWords()
  const { accesses } = words
  const { keys, isLoadingAll, failure } = selection
  const isNone = keys.size === 0
  return (
    <Paper withBorder p="xs" pl="md">
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            {isLoadingAll && <Loader size="xs" aria-hidden />}
            <Text size="sm" aria-live="polite">
              {isNone && !isLoadingAll ? accesses.selectHint : accesses.selected(keys.size)}
            </Text>
            {isLoadingAll ? (
              <Button size="compact-sm" variant="subtle" onClick={selection.stop}>
                {accesses.stop}
              </Button>
            ) : (
              <Button size="compact-sm" variant="subtle" onClick={() => void selection.selectAll()}>
                {accesses.selectAll}
              </Button>
            )}
            {!isNone && !isLoadingAll && (
              <Button size="compact-sm" variant="subtle" onClick={() => selection.set(new Set())}>
                {accesses.selectNone}
              </Button>
            )}
          </Group>
          <Group gap="xs">
            {(['extend', 'close', 'reopen'] as const).map((task) => (
              <Button
                key={task}
                size="xs"
                variant={task === 'extend' ? 'filled' : 'default'}
                disabled={isNone || isLoadingAll}
                onClick={() => onTask(task)}
              >
                {accesses.tasks[task]}
              </Button>
            ))}
          </Group>
        </Group>
        {keys.size >= MAX_SELECTED && !isLoadingAll && <Text size="sm">{accesses.selectedAtMost(MAX_SELECTED)}</Text>}
        <FailureNote error={failure} />
      </Stack>
    </Paper>
  )
}
