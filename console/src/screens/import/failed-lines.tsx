import { Button, Card, Group, Stack, Table, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { inspect, type Inspection, OWN_TITLES, type Reason } from '../../import/engine.ts'
import { failedSheet, failedText } from '../../import/file.ts'
import type { ChosenFile, FailedLines as Lines, Run } from '../../import/run-state.ts'
import { loadFailed } from '../../import/saved-runs.ts'
import { FailureNote } from '../../parts/failure-note.tsx'
import { useLanguage, useWords } from '../../words/index.tsx'
import { reasonText } from './reason-text.ts'

const SHOWN = 50

/** Shows the failed lines with their reasons, and offers all of them as a file. */
export function FailedLines({ chosen, run }: { chosen: ChosenFile; run: Run }) {
  const words = useWords()
  const { failed, inspection, isDryRun } = run
  if (failed.size === 0 || !inspection) return null
  const shown = [...failed.entries().take(SHOWN)]
  const title = isDryRun ? words.import.wouldFailLines : words.import.failedLines
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
        <Downloads chosen={chosen} prepare={async () => ({ inspection, failed })} />
      </Group>
      <Table aria-label={title} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="5rem">{words.import.lineHead}</Table.Th>
            <Table.Th w="30%">{words.import.person}</Table.Th>
            <Table.Th>{words.import.reasons}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map(([line, { person, reasons }]) => (
            <Table.Tr key={line}>
              <Table.Td>{line}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{person}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {reasons.map((reason) => (
                  <div key={reasonText(reason, words)}>{reasonText(reason, words)}</div>
                ))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {failed.size > SHOWN && (
        <Text size="sm" c="dimmed" mt="xs">
          {words.import.more(failed.size - SHOWN)}
        </Text>
      )}
    </Card>
  )
}

/** Offers the failed lines of a run that was finished in an earlier session. */
export function FailedDownload({ chosen }: { chosen: ChosenFile }) {
  const { source, rename, fingerprint, saved } = chosen
  if (!saved) return null
  return (
    <Downloads
      chosen={chosen}
      prepare={async () => {
        const kept = await loadFailed(saved.store, fingerprint)
        const inspection = await inspect(source, { rename })
        return { inspection, failed: new Map(kept.map(({ line, ...rest }) => [line, rest])) }
      }}
    />
  )
}

interface DownloadProps {
  chosen: ChosenFile
  prepare: () => Promise<{ inspection: Inspection; failed: Lines }>
}

/** A workbook for whoever corrects the lines, and the format of the file for a program. */
function Downloads({ chosen, prepare }: DownloadProps) {
  const words = useWords()
  const { language } = useLanguage()
  const { file, source, head, rename } = chosen
  const [row, reasons] = OWN_TITLES[language]
  const { mutate, isPending, error, variables } = useMutation({
    mutationFn: async (format: 'xlsx' | 'csv' | 'ndjson') => {
      const { inspection, failed } = await prepare()
      const lines = new Map([...failed].map(([line, each]) => [line, each.reasons]))
      const all = { source, inspection, rename, reasons: lines, textOf: (reason: Reason) => reasonText(reason, words) }
      const titles = { row, reasons, sheet: words.import.failedSheet }
      save(format === 'xlsx' ? await failedSheet(all, titles) : await failedText(all), `${file.name}.failed.${format}`)
    },
  })
  const formats = head.format === 'csv' ? (['xlsx', 'csv'] as const) : (['ndjson'] as const)
  return (
    <Stack gap="xs">
      <Group gap="xs">
        {formats.map((format) => (
          <Button
            key={format}
            variant="default"
            loading={isPending && variables === format}
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => mutate(format)}
          >
            {words.import.downloads[format]}
          </Button>
        ))}
      </Group>
      <FailureNote error={error} />
    </Stack>
  )
}

function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser reads the URL after the click, and the bytes stay in memory until it is revoked.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
