import { Card, Group, Table, Text, Title } from '@mantine/core'
import { type Change, type Inspection, nameChange } from '../../import/engine.ts'
import { beforeSheet } from '../../import/file.ts'
import tableClasses from '../../parts/page-table.module.css'
import { useWords, type Words } from '../../words/index.tsx'
import { DownloadButton } from './download-button.tsx'
import { fieldLabel } from './field-label.ts'

const SHOWN = 50
const NAMES = new Set(['name', 'last_name'])

interface Props {
  title: string
  fileName: string
  inspection: Inspection
  rename: Record<string, string>
  changes: Change[]
}

/** Shows which values of existing users an update replaces. Names come first: another name may be another person. */
export function Changes({ title, fileName, inspection, rename, changes }: Props) {
  const words = useWords()
  if (changes.length === 0) return null
  const shown = changes.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, SHOWN)
  return (
    <Card withBorder>
      <Group justify="space-between" mb="sm">
        <div>
          <Title order={2} size="h4">
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {words.import.changesHint}
          </Text>
        </div>
        {inspection.format === 'csv' && (
          <DownloadButton
            label={words.import.downloadBefore}
            name={`${fileName}.before.xlsx`}
            make={() => beforeSheet({ inspection, rename }, changes, words.import.beforeSheet)}
          />
        )}
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
            <Table.Th role="columnheader">{words.import.changesHead}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {shown.map((change) => (
            <Table.Tr role="row" key={change.line}>
              <Table.Td role="cell" data-label={words.import.lineHead}>
                {change.line}
              </Table.Td>
              <Table.Td role="cell" data-label={words.import.person}>
                {change.person}
              </Table.Td>
              <Table.Td role="cell" data-label={words.import.changesHead}>
                <ChangeTexts change={change} words={words} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {changes.length > SHOWN && (
        <Text size="sm" c="dimmed" mt="xs">
          {words.import.moreChanges(changes.length - SHOWN)}
        </Text>
      )}
    </Card>
  )
}

function ChangeTexts({ change, words }: { change: Change; words: Words }) {
  const name = nameChange(change)
  const { repeats, changes } = change
  const rest = changes.filter(({ field }) => !NAMES.has(field))
  return (
    <div>
      {repeats !== undefined && (
        <Text size="sm" fw={600}>
          {fieldLabel('email', words)}: {words.import.repeatedIn(repeats)}
        </Text>
      )}
      {name && (
        <Text size="sm" fw={600}>
          {name.from} → {name.to}
        </Text>
      )}
      {rest.map(({ field, from, to }) => (
        <Text size="sm" key={field}>
          {fieldLabel(field, words)}
          {field !== 'password' && `: ${from || words.import.nothing} → ${to || words.import.nothing}`}
        </Text>
      ))}
    </div>
  )
}

function rankOf(change: Change): number {
  return nameChange(change) || change.repeats !== undefined ? 0 : 1
}
