import { Card, NativeSelect, ScrollArea, Text, Title } from '@mantine/core'
import { FULL_NAME, isNamedExport, splitName, type SplitName, splitsOf, valueIn } from '../../import/engine.ts'
import type { Job } from '../../import/job.ts'
import type { ChosenFile } from '../../import/run-state.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { useWords } from '../../words/index.tsx'
import { useFieldLabel } from './use-field-label.ts'

interface Split {
  line: number
  /** All ways to split it, or none if the name has a comma. */
  ways: SplitName[]
  /** The index of the chosen one; undefined if the name cannot be split by the rule. */
  way: number | undefined
  name: string
  lastName: string
}

/** Shows how whole names are split, before anything is sent. Another split can be chosen for each. */
export function NameSplits({ job, chosen }: { job: Job; chosen: ChosenFile }) {
  const words = useWords()
  const labelOf = useFieldLabel()
  const { head } = chosen
  const splits = splitsIn(chosen)
  if (splits.length === 0) return null
  return (
    <Card withBorder>
      <Title order={2} size="h4">
        {words.import.splits}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {words.import.splitsHint(head.rows.length)}
      </Text>
      <ScrollArea.Autosize mah={360} type="auto" viewportProps={{ tabIndex: 0, 'aria-label': words.import.splits }}>
        <DataTable
          label={words.import.splits}
          columns={[
            { head: words.import.lineHead, width: '4rem' },
            { head: labelOf('name') },
            { head: labelOf('last_name') },
          ]}
          rows={splits.map((split) => ({
            key: split.line,
            cells: [
              split.line,
              <FirstName
                key="name"
                split={split}
                onChoose={(way) => job.change({ splits: { ...chosen.splits, [split.line]: way } })}
              />,
              split.lastName,
            ],
          }))}
        />
      </ScrollArea.Autosize>
    </Card>
  )
}

function FirstName({ split, onChoose }: { split: Split; onChoose: (way: number) => void }) {
  const words = useWords()
  const { line, ways, way, name } = split
  if (ways.length === 0 || (ways.length === 1 && way !== undefined)) return name
  return (
    <NativeSelect
      size="xs"
      aria-label={words.import.nameIn(line)}
      data={[
        ...(way === undefined ? [{ value: '', label: words.import.chooseSplit }] : []),
        ...ways.map((each, i) => ({ value: String(i), label: each.name })),
      ]}
      value={way ?? ''}
      onChange={({ currentTarget }) => onChoose(Number(currentTarget.value))}
    />
  )
}

function splitsIn({ head: { columns, rows }, rename, splits }: ChosenFile): Split[] {
  const column = columns.find((each) => rename[each] === FULL_NAME)
  // An export of accesses joins the names that are stored, and its rows keep those.
  if (column === undefined || isNamedExport(columns)) return []
  return rows.flatMap((row) => {
    const text = valueIn(row, column, columns.indexOf(column)).trim().replaceAll(/\s+/gu, ' ')
    const ways = splitsOf(text, column)
    const byRule = splitName(text, column)
    const way = splits[row.line] ?? (ways.length > 0 && byRule ? 0 : undefined)
    const split = (way === undefined ? undefined : ways[way]) ?? byRule
    if (!split && ways.length === 0) return []
    return { line: row.line, ways, way, name: split?.name ?? '', lastName: split?.last_name ?? '' }
  })
}
