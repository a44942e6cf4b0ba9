import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listRuns, removeRun, type SavedRun } from '../../import/saved-runs.ts'
import { Moment } from '../../parts/moment.tsx'
import { useLanguage, useWords } from '../../words/index.tsx'
import { RecordDetails } from './record-details.tsx'
import { TakeBack } from './take-back.tsx'

/** Lists the imports of this browser. Those that are not finished continue once their file is chosen again. */
export function Records({ store }: { store: string }) {
  const words = useWords()
  const { data: runs = [], refetch } = useQuery({
    queryKey: ['import-records', store],
    queryFn: () => listRuns(store),
  })
  if (runs.length === 0) return null
  return (
    <Card withBorder>
      <Title order={2} size="h4">
        {words.import.records}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {words.import.recordsHint}
      </Text>
      <Stack gap="md">
        {runs.map((run) => (
          <RunRecord key={run.startedAt} run={run} onChanged={() => void refetch()} />
        ))}
      </Stack>
    </Card>
  )
}

function RunRecord({ run, onChanged }: { run: SavedRun; onChanged: () => void }) {
  const words = useWords()
  const { language } = useLanguage()
  const [isOpen, setOpen] = useState(false)
  const [isTakingBack, setTakingBack] = useState(false)
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
          {mayTakeBack(run) && (
            <Button
              variant="default"
              size="compact-sm"
              aria-label={words.takeBack.actionOf(fileName)}
              onClick={() => setTakingBack(true)}
            >
              {words.takeBack.action}
            </Button>
          )}
          <Button
            variant="default"
            size="compact-sm"
            aria-label={words.import.forget(fileName)}
            onClick={async () => {
              await removeRun(run)
              onChanged()
            }}
          >
            {words.common.delete}
          </Button>
        </Group>
      </Group>
      {isOpen && <RecordDetails run={run} />}
      <TakeBack
        run={run}
        isOpen={isTakingBack}
        onClose={() => {
          setTakingBack(false)
          onChanged()
        }}
      />
    </Stack>
  )
}

/** A run that has not ended may have sent a batch that it does not count. */
function mayTakeBack({ state, undo }: SavedRun): boolean {
  const { created, changed, uncompared, next, rows } = state
  return (created + changed + uncompared > 0 || next < rows) && (undo === undefined || undo.stays > 0)
}
