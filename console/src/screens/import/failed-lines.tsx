import { Button, Card, Group, Table, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { inspect, type Inspection } from '../../import/engine.ts'
import { failedFile } from '../../import/file.ts'
import type { ChosenFile, FailedLines as Lines, Run } from '../../import/run-state.ts'
import { loadFailed } from '../../import/saved-runs.ts'
import { FailureNote } from '../../parts/failure-note.tsx'
import { useWords } from '../../words/index.tsx'
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
        <DownloadButton chosen={chosen} prepare={async () => ({ inspection, failed })} />
      </Group>
      <Table aria-label={title} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="5rem">{words.import.lineHead}</Table.Th>
            <Table.Th>{words.import.reasons}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map(([line, reasons]) => (
            <Table.Tr key={line}>
              <Table.Td>{line}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {reasons.map((reason) => reasonText(reason, words)).join('; ')}
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
    <DownloadButton
      chosen={chosen}
      prepare={async () => {
        const kept = await loadFailed(saved.store, fingerprint)
        const inspection = await inspect(source, { rename })
        return { inspection, failed: new Map(kept.map(({ line, reasons }) => [line, reasons])) }
      }}
    />
  )
}

interface DownloadProps {
  chosen: ChosenFile
  prepare: () => Promise<{ inspection: Inspection; failed: Lines }>
}

function DownloadButton({ chosen: { file, source, head }, prepare }: DownloadProps) {
  const words = useWords()
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const { inspection, failed } = await prepare()
      save(
        await failedFile(source, inspection, failed, (reason) => reasonText(reason, words)),
        `${file.name}.failed.${head.format}`,
      )
    },
  })
  return (
    <>
      <Button
        variant="default"
        loading={isPending}
        leftSection={<IconDownload size={16} aria-hidden />}
        onClick={() => mutate()}
      >
        {words.import.download}
      </Button>
      <FailureNote error={error} />
    </>
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
