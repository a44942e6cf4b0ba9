import { Alert, Card, Group, NativeSelect, Stack, Text, Title } from '@mantine/core'
import { DELIMITERS, ENCODINGS, type Recognized } from '../../import/engine.ts'
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
  const { recognized, head, hasUnclearDates: isUnclear } = chosen
  const { kind, encoding, delimiter, sheets, sheet, dates } = recognized
  const { delimiters, dateOrders } = words.import
  const encodings: Record<string, string> = words.import.encodings
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
            data={ENCODINGS.map((value) => ({ value, label: encodings[value] ?? value }))}
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
        {(isUnclear || dates !== undefined) && (
          <NativeSelect
            label={words.import.dates}
            data={DATE_ORDERS.map((value) => ({ value, label: dateOrders[value] }))}
            value={dates ?? ''}
            onChange={({ currentTarget }) => {
              const order = DATE_ORDERS.find((value) => value === currentTarget.value)
              void job.correct({ dates: order === '' ? undefined : order })
            }}
          />
        )}
      </Group>
      <Stack mt={problem || isGuess(recognized) || isUnclear ? 'md' : 0}>
        <ProblemNote title={words.import.notCorrected} problem={problem} />
        {isUnclear && (
          <Alert color="yellow" role="status">
            {words.import.datesUnclear}
          </Alert>
        )}
        {isGuess(recognized) && (
          <Alert color="yellow" role="status">
            {words.import.checkAccents}
          </Alert>
        )}
      </Stack>
    </Card>
  )
}

const DATE_ORDERS = ['', 'dmy', 'mdy'] as const

/** Only UTF-8 and UTF-16 are certain. */
function isGuess({ kind, encoding }: Recognized): boolean {
  return kind === 'text' && !encoding.startsWith('utf-')
}

function nameOf(delimiter: string): 'comma' | 'semicolon' | 'tab' | 'bar' {
  if (delimiter === ';') return 'semicolon'
  if (delimiter === '|') return 'bar'
  return delimiter === '\t' ? 'tab' : 'comma'
}
