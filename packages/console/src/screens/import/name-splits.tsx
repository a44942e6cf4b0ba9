import { Card, ScrollArea, Table, Text, Title } from '@mantine/core'
import { columnsOf, FULL_NAME } from '../../import/engine.ts'
import type { ChosenFile } from '../../import/run-state.ts'
import tableClasses from '../../parts/page-table.module.css'
import { useWords } from '../../words/index.tsx'
import { useFieldLabel } from './use-field-label.ts'

/** Shows how whole names are split, before anything is sent. */
export function NameSplits({ chosen: { head, rename } }: { chosen: ChosenFile }) {
  const words = useWords()
  const labelOf = useFieldLabel()
  if (!head.columns.some((column) => rename[column] === FULL_NAME)) return null
  const columns = columnsOf({ format: head.format, header: head.columns }, { rename })
  const splits = head.rows.flatMap((row) => {
    const { item, wholeName } = columns.toItem(row)
    const { name, last_name: lastName } = item
    return wholeName === undefined ? [] : [{ line: row.line, name: String(name), lastName: String(lastName) }]
  })
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
            {splits.map(({ line, name, lastName }) => (
              <Table.Tr role="row" key={line}>
                <Table.Td role="cell" data-label={words.import.lineHead}>
                  {line}
                </Table.Td>
                <Table.Td role="cell" data-label={labelOf('name')}>
                  {name}
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
