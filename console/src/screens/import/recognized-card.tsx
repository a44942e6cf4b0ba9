import { Alert, Card, Group, NativeSelect, Stack, Text, Title } from '@mantine/core'
import { DELIMITERS, ENCODINGS } from '../../import/engine.ts'
import type { Job } from '../../import/job.ts'
import type { ChosenFile, Problem } from '../../import/run-state.ts'
import { useWords } from '../../words/index.tsx'
import { ProblemNote } from './problem-note.tsx'

interface Props {
  job: Job
  chosen: ChosenFile
  /** Why the file cannot be read with the last correction. */
  problem: Problem | undefined
  isBusy: boolean
}

/** Says how the file was read, and lets the operator correct it: nobody can be sure about an encoding. */
export function RecognizedCard({ job, chosen, problem, isBusy }: Props) {
  const words = useWords()
  const { recognized, head } = chosen
  const { kind, encoding, delimiter, sheets, sheet } = recognized
  const { encodings, delimiters } = words.import
  return (
    <Card withBorder component="fieldset" mx={0} disabled={isBusy}>
      <Title order={2} size="h4">
        {words.import.recognized}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {words.import.recognizedHint}
      </Text>
      <Group align="end">
        {kind === 'workbook' && (
          <NativeSelect
            label={words.import.sheet}
            data={sheets}
            value={sheet}
            onChange={({ currentTarget }) => void job.correct({ sheet: currentTarget.value })}
          />
        )}
        {kind === 'text' && (
          <NativeSelect
            label={words.import.encoding}
            data={ENCODINGS.map((value) => ({ value, label: encodings[value] }))}
            value={encoding}
            onChange={({ currentTarget }) => {
              const known = ENCODINGS.find((value) => value === currentTarget.value)
              if (known) void job.correct({ encoding: known })
            }}
          />
        )}
        {kind === 'text' && head.format === 'csv' && (
          <NativeSelect
            label={words.import.delimiter}
            data={DELIMITERS.map((value) => ({ value, label: delimiters[nameOf(value)] }))}
            value={delimiter}
            onChange={({ currentTarget }) => void job.correct({ delimiter: currentTarget.value })}
          />
        )}
      </Group>
      <Stack mt={problem || encoding === 'windows-1252' ? 'md' : 0}>
        <ProblemNote title={words.import.notCorrected} problem={problem} />
        {encoding === 'windows-1252' && (
          <Alert color="yellow" role="status">
            {words.import.checkAccents}
          </Alert>
        )}
      </Stack>
    </Card>
  )
}

function nameOf(delimiter: string): 'comma' | 'semicolon' | 'tab' {
  if (delimiter === ';') return 'semicolon'
  return delimiter === '\t' ? 'tab' : 'comma'
}
