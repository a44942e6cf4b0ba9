import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listRuns, removeRun, type SavedRun } from '../../import/saved-runs.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { Moment } from '../../parts/moment.tsx'
import { TitledCard } from '../../parts/titled-card.tsx'
import { useLanguage, useWords } from '../../words/index.tsx'
import { RecordDetails } from './record-details.tsx'
import { TakeBackButton } from './take-back.tsx'

/** Lists the imports of this browser. Those that are not finished continue once their file is chosen again. */
export function Records({ store }: { store: string }) {
  const words = useWords()
  const { data: runs = [], refetch } = useQuery({
    queryKey: ['import-records', store],
    queryFn: () => listRuns(store),
  })
  if (runs.length === 0) return null
  return (
    <TitledCard title={words.import.records} hint={words.import.recordsHint}>
      <Stack gap="md">
        {runs.map((run) => (
          <RunRecord key={run.startedAt} run={run} onChanged={() => void refetch()} />
        ))}
      </Stack>
    </TitledCard>
  )
}

function RunRecord({ run, onChanged }: { run: SavedRun; onChanged: () => void }) {
  const words = useWords()
  const { language } = useLanguage()
  const [isOpen, setOpen] = useState(false)
  const { fileName, state, startedAt, isOver, undo } = run
  const { next, rows, created, existing, changed, failed } = state
  const number = (n: number) => n.toLocaleString(language)
  const isUnfinished = next < rows && !isOver
  const counts = [
    [words.import.created, created],
    [words.import.changed, changed],
    [words.import.sameCount, existing - changed],
    [words.import.failed, failed],
  ] as const
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <div style={{ minWidth: 0, flex: '1 1 14rem' }}>
          <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
            {fileName}
          </Text>
          <Text size="sm" c="dimmed" component="div">
            <Moment at={new Date(startedAt).toISOString()} /> · {words.import.doneOf(number(next), number(rows))}
            {counts.filter(([, n]) => n > 0).map(([label, n]) => ` · ${label}: ${number(n)}`)}
          </Text>
          {isUnfinished && <Text size="sm">{words.import.unfinishedHint}</Text>}
          {undo && <Text size="sm">{words.takeBack.doneBefore(number(undo.stays))}</Text>}
        </div>
        <Group gap="xs">
          <Button
            variant="default"
            size="compact-sm"
            aria-expanded={isOpen}
            aria-label={words.import.detailsOf(fileName)}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? words.import.hide : words.import.details}
          </Button>
          <TakeBackButton run={run} size="compact-sm" onClose={onChanged} />
          <ConfirmButton
            label={words.common.delete}
            title={words.import.forget(fileName)}
            action={words.common.delete}
            aria-label={words.import.forget(fileName)}
            size="compact-sm"
            send={() => removeRun(run)}
            done={words.import.forgotten}
            onDone={onChanged}
            isDangerous
          >
            <Text>{words.import.forgetHint}</Text>
          </ConfirmButton>
        </Group>
      </Group>
      {isOpen && <RecordDetails run={run} />}
    </Stack>
  )
}
