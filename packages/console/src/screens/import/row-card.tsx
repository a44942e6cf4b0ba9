import { Card, Group, Table, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import tableClasses from '../../parts/page-table.module.css'
import { useWords } from '../../words/index.tsx'

/** How many rows of the file a card shows; its download has all. */
export const SHOWN = 50

interface Props {
  title: string
  hint: string
  download: ReactNode
  /** The title of the last column. */
  about: string
  rows: { line: number; person: string | undefined; content: ReactNode }[]
  /** Says how many more rows there are, if there are any. */
  more: string | undefined
}

/** Shows rows of the file with their persons and what there is to say about each. */
export function RowCard({ title, hint, download, about, rows, more }: Props) {
  const words = useWords()
  return (
    <Card withBorder>
      <Group justify="space-between" mb="sm">
        <div>
          <Title order={2} size="h4">
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
        </div>
        {download}
      </Group>
      <Table role="table" aria-label={title} className={tableClasses.table}>
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            <Table.Th role="columnheader" w="4rem">
              {words.import.lineHead}
            </Table.Th>
            <Table.Th role="columnheader" w="30%">
              {words.import.person}
            </Table.Th>
            <Table.Th role="columnheader">{about}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {rows.map(({ line, person, content }) => (
            <Table.Tr role="row" key={`${line} ${person}`}>
              <Table.Td role="cell" data-label={words.import.lineHead}>
                {line}
              </Table.Td>
              <Table.Td role="cell" data-label={words.import.person}>
                {person}
              </Table.Td>
              <Table.Td role="cell" data-label={about}>
                {content}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {more !== undefined && (
        <Text size="sm" c="dimmed" mt="xs">
          {more}
        </Text>
      )}
    </Card>
  )
}
