import { Card, Group, Table, Text, Title } from '@mantine/core'
import { OWN_TITLES, type Reason } from '../../import/engine.ts'
import { type Failed, failedSheet, failedText } from '../../import/file.ts'
import type { FailedLines as Lines } from '../../import/run-state.ts'
import tableClasses from '../../parts/page-table.module.css'
import { useLanguage, useWords } from '../../words/index.tsx'
import { DownloadButton } from './download-button.tsx'
import { reasonText } from './reason-text.ts'

const SHOWN = 50

interface Props extends Failed {
  title: string
  fileName: string
  lines: Lines
}

/** Shows the failed lines with their reasons, and offers all of them as a file. */
export function FailedLines({ title, lines, ...download }: Props) {
  const words = useWords()
  if (lines.size === 0) return null
  return (
    <Card withBorder>
      <Group justify="space-between" mb="sm">
        <div>
          <Title order={2} size="h4">
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {words.import.downloadHint}
          </Text>
        </div>
        <Downloads {...download} />
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
            <Table.Th role="columnheader">{words.import.reasons}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {[...lines.entries().take(SHOWN)].map(([line, { person, reasons }]) => (
            <Table.Tr role="row" key={line}>
              <Table.Td role="cell" data-label={words.import.lineHead}>
                {line}
              </Table.Td>
              <Table.Td role="cell" data-label={words.import.person}>
                {person}
              </Table.Td>
              <Table.Td role="cell" data-label={words.import.reasons}>
                <div>
                  {reasons.map((reason) => (
                    <div key={reasonText(reason, words)}>{reasonText(reason, words)}</div>
                  ))}
                </div>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {lines.size > SHOWN && (
        <Text size="sm" c="dimmed" mt="xs">
          {words.import.more(lines.size - SHOWN)}
        </Text>
      )}
    </Card>
  )
}

/** A workbook for whoever corrects the lines, and the format of the file for a program. */
function Downloads({ fileName, ...failed }: Failed & { fileName: string }) {
  const words = useWords()
  const { language } = useLanguage()
  const { format } = failed.inspection
  const [row, reasons] = OWN_TITLES[language]
  const textOf = (reason: Reason): string => reasonText(reason, words)
  const titles = { row, reasons, sheet: words.import.failedSheet }
  return (
    <Group gap="xs">
      {format === 'csv' && (
        <DownloadButton
          label={words.import.downloads.xlsx}
          name={`${fileName}.failed.xlsx`}
          make={() => failedSheet(failed, { textOf, titles })}
        />
      )}
      <DownloadButton
        label={words.import.downloads[format]}
        name={`${fileName}.failed.${format}`}
        make={() => failedText(failed, textOf)}
      />
    </Group>
  )
}
