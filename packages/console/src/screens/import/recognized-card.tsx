import { Alert, Group, NativeSelect, Stack, Switch, Text } from '@mantine/core'
import { useMemo } from 'react'
import { dayIn, DELIMITERS, ENCODINGS, type Head, isBroken, type Recognized, valueIn } from '../../import/engine.ts'
import type { Job } from '../../import/job.ts'
import type { ChosenFile, Dates, Problem } from '../../import/run-state.ts'
import { TitledCard } from '../../parts/titled-card.tsx'
import { useLanguage, useWords } from '../../words/index.tsx'
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
  const { recognized, head, dates, hiddenRows } = chosen
  const { language } = useLanguage()
  const { kind, encoding, delimiter, sheets, sheet, headings, firstRows } = recognized
  const { delimiters, dateOrders } = words.import
  const encodings: Record<string, string> = words.import.encodings
  const broken = useMemo(() => brokenIn(head), [head])
  const question = dates.unclear && words.import.isDate(dates.unclear, dayText(dates, language))
  return (
    <TitledCard title={words.import.recognized} hint={words.import.recognizedHint} isDisabled={isBusy}>
      <Group align="end">
        {kind === 'workbook' && (
          <NativeSelect
            label={words.import.sheet}
            data={sheets}
            value={sheet}
            onChange={({ currentTarget }) => void job.correct({ sheet: currentTarget.value })}
          />
        )}
        {(hiddenRows > 0 || recognized.hiddenRows) && (
          <Switch
            label={words.import.readHidden}
            checked={recognized.hiddenRows}
            onChange={({ currentTarget }) => void job.correct({ hiddenRows: currentTarget.checked })}
            pb="xs"
          />
        )}
        {firstRows.length > 1 && (
          <NativeSelect
            label={words.import.headings}
            data={firstRows.map(({ line, cells }) => ({ value: String(line), label: rowLabel(line, cells) }))}
            value={String(headings)}
            onChange={({ currentTarget }) => void job.correct({ headings: Number(currentTarget.value) })}
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
        {dates.order !== undefined && (
          <NativeSelect
            label={words.import.dates}
            data={DATE_ORDERS.map((value) => ({ value, label: dateOrders[value] }))}
            value={dates.order}
            onChange={({ currentTarget }) => {
              const order = DATE_ORDERS.find((value) => value === currentTarget.value)
              if (order) job.chooseDates(order)
            }}
          />
        )}
      </Group>
      {Object.values(chosen.rename).includes('product_due_date') && (
        <Text size="sm" mt="sm">
          {words.import.zone(chosen.source.timeZone ?? 'UTC')}
        </Text>
      )}
      <Stack mt={problem || isGuess(recognized) || question || broken || hiddenRows > 0 ? 'md' : 0}>
        <ProblemNote title={words.import.notCorrected} problem={problem} />
        {hiddenRows > 0 && (
          <Alert color="yellow" role="status">
            {words.import.hiddenRows(hiddenRows)}
          </Alert>
        )}
        {question && (
          <Alert color="yellow" role="status">
            {question}
          </Alert>
        )}
        {broken && (
          <Alert color="yellow" role="status">
            {words.import.broken(broken)}
          </Alert>
        )}
        {isGuess(recognized) && (
          <Alert color="yellow" role="status">
            {words.import.checkAccents}
          </Alert>
        )}
      </Stack>
    </TitledCard>
  )
}

/** A select as wide as a row would not fit on a phone. */
const LABEL_LENGTH = 40

function rowLabel(line: number, cells: string[]): string {
  const text = `${line}: ${cells.filter((cell) => cell !== '').join(' · ')}`
  return text.length > LABEL_LENGTH ? `${text.slice(0, LABEL_LENGTH)}…` : text
}

const DATE_ORDERS = ['dmy', 'mdy'] as const

/** The day as it will be read, with the name of its month. */
function dayText({ order, unclear = '' }: Dates, language: string): string {
  return dayIn(unclear, order ?? 'dmy')?.toLocaleDateString(language, { dateStyle: 'long', timeZone: 'UTC' }) ?? ''
}

/** The first text of the first rows that an earlier program has broken. */
function brokenIn({ columns, rows }: Head): string | undefined {
  for (const row of rows) {
    const found = columns.map((column, i) => valueIn(row, column, i)).find(isBroken)
    if (found !== undefined) return found.slice(0, LABEL_LENGTH)
  }
  return undefined
}

/** Only UTF-8 and UTF-16 are certain. */
function isGuess({ kind, encoding }: Recognized): boolean {
  return kind === 'text' && !encoding.startsWith('utf-')
}

function nameOf(delimiter: string): 'comma' | 'semicolon' | 'tab' | 'bar' {
  if (delimiter === ';') return 'semicolon'
  if (delimiter === '|') return 'bar'
  return delimiter === '\t' ? 'tab' : 'comma'
}
