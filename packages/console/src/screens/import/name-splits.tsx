import { Card, NativeSelect, ScrollArea, Table, Text, Title } from '@mantine/core'
import { FULL_NAME, isNamedExport, splitName, type SplitName, splitsOf, valueIn } from '../../import/engine.ts'
import type { Job } from '../../import/job.ts'
import type { ChosenFile } from '../../import/run-state.ts'
import tableClasses from '../../parts/page-table.module.css'
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
        <Table role="table" aria-label={words.import.splits} className={tableClasses.table}>
          <Table.Thead role="rowgroup">
            <Table.Tr role="row">
              <Table.Th role="columnheader" w="4rem">
                {words.import.lineHead}
              </Table.Th>
              <Table.Th role="columnheader">{labelOf('name')}</Table.Th>
              <Table.Th role="columnheader">{labelOf('last_name')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody role="rowgroup">
            {splits.map(({ line, ways, way, name, lastName }) => (
              <Table.Tr role="row" key={line}>
                <Table.Td role="cell" data-label={words.import.lineHead}>
                  {line}
                </Table.Td>
                <Table.Td role="cell" data-label={labelOf('name')}>
                  {ways.length === 0 || (ways.length === 1 && way !== undefined) ? (
                    name
                  ) : (
                    <NativeSelect
                      size="xs"
                      aria-label={words.import.nameIn(line)}
                      data={[
                        ...(way === undefined ? [{ value: '', label: words.import.chooseSplit }] : []),
                        ...ways.map((each, i) => ({ value: String(i), label: each.name })),
                      ]}
                      value={way ?? ''}
                      onChange={({ currentTarget }) =>
                        job.change({ splits: { ...chosen.splits, [line]: Number(currentTarget.value) } })
                      }
                    />
                  )}
                </Table.Td>
                <Table.Td role="cell" data-label={labelOf('last_name')}>
                  {lastName}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
    </Card>
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
