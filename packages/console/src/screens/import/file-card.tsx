import { Box, Button, Card, Group, Stack, Text } from '@mantine/core'
import { FileIcon } from '@primer/octicons-react'
import type { Job } from '../../import/job.ts'
import type { ChosenFile } from '../../import/run-state.ts'
import { useLanguage, useWords } from '../../words/index.tsx'
import { AfterRun } from './after-run.tsx'
import { ForgetButton } from './forget-button.tsx'
import { RecordDetails } from './record-details.tsx'

interface Props {
  job: Job
  chosen: ChosenFile
  isBusy: boolean
  /** True if the run has a card of its own, whose buttons this card must not repeat. */
  isShownBelow: boolean
}

/** Shows the chosen file, and the result of its earlier import. */
export function FileCard({ job, chosen, isBusy, isShownBelow }: Props) {
  const words = useWords()
  const { language } = useLanguage()
  const { file, saved } = chosen
  const kilobytes = Math.max(1, Math.round(file.size / 1000))
  return (
    <Card withBorder>
      <Group justify="space-between">
        <Group gap="sm" wrap="nowrap" miw={0}>
          <Box style={{ flexShrink: 0 }}>
            <FileIcon size={24} aria-hidden />
          </Box>
          <div>
            <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
              {file.name}
            </Text>
            <Text size="sm" c="dimmed">
              {kilobytes.toLocaleString(language, { style: 'unit', unit: 'kilobyte' })}
            </Text>
          </div>
        </Group>
        {!isBusy && (
          <Button variant="default" onClick={job.clear}>
            {words.import.otherFile}
          </Button>
        )}
      </Group>
      {saved && !isShownBelow && <EarlierRun job={job} saved={saved} />}
    </Card>
  )
}

function EarlierRun({ job, saved }: { job: Job; saved: NonNullable<ChosenFile['saved']> }) {
  const words = useWords()
  const { language } = useLanguage()
  const { next, rows, created, existing, failed } = saved.state
  const number = (n: number) => n.toLocaleString(language)
  const isDone = next >= rows
  return (
    <Stack gap="sm" mt="md">
      <div>
        <Text fw={500}>{words.import.importedBefore}</Text>
        <Text>
          {isDone
            ? words.import.allProcessed(number(created), number(existing), number(failed))
            : words.import.partProcessed(number(next), number(rows))}
        </Text>
      </div>
      {isDone && <AfterRun job={job} run={saved} />}
      {!isDone && (
        <Group>
          <Button onClick={() => void job.start(false)}>{words.import.resume}</Button>
          <ForgetButton job={job} label={words.import.startOver} />
        </Group>
      )}
      {isDone && <RecordDetails run={saved} />}
    </Stack>
  )
}
