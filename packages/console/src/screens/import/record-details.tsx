import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type CreatedLine, loadRows, type SavedRun } from '../../import/saved-runs.ts'
import { rowOf } from '../../import/engine.ts'
import { FailureNote } from '../../parts/failure-note.tsx'
import { TextLink } from '../../parts/links.tsx'
import { Loading } from '../../parts/loading.tsx'
import { TitledCard } from '../../parts/titled-card.tsx'
import { useWords } from '../../words/index.tsx'
import { Changes } from './changes.tsx'
import { FailedLines } from './failed-lines.tsx'

const SHOWN = 50

/** Shows what this browser has kept of an import. */
export function RecordDetails({ run }: { run: SavedRun }) {
  const words = useWords()
  const { store, startedAt, savedAt, fileName, inspection, rename, dates, timeZone = 'UTC' } = run
  const { data, error, refetch } = useQuery({
    queryKey: ['import-record', store, startedAt, savedAt],
    queryFn: () => loadRows(run),
  })
  if (!data) return error ? <FailureNote error={error} retry={() => void refetch()} /> : <Loading />
  const { failed, created, changes } = data
  const lines = new Map(failed.map(({ line, ...rest }) => [line, rest]))
  const table = { fileName, inspection, rename }
  async function* rows() {
    for (const { row, reasons } of failed) yield { row: rowOf(row), reasons }
  }
  return (
    <Stack gap="sm">
      {failed.length + created.length + changes.length === 0 && <Text size="sm">{words.import.nothingKept}</Text>}
      <FailedLines title={words.import.failedLines} {...table} dates={dates} lines={lines} rows={rows} />
      <Changes title={words.import.changedTitle} {...table} zone={timeZone} isDryRun={false} changes={changes} />
      <Created store={store} created={created} />
    </Stack>
  )
}

function Created({ store, created }: { store: string; created: CreatedLine[] }) {
  const words = useWords()
  if (created.length === 0) return null
  return (
    <TitledCard title={words.import.createdTitle}>
      <Text size="sm" component="div">
        {created.slice(0, SHOWN).map(({ id, person }, i) => (
          <span key={id}>
            {i > 0 && ' · '}
            <TextLink size="sm" underline="always" to="/s/$store/users/$id" params={{ store, id }}>
              {person}
            </TextLink>
          </span>
        ))}
      </Text>
      {created.length > SHOWN && (
        <Text size="sm" c="dimmed" mt="xs">
          {words.import.moreCreated(created.length - SHOWN)}
        </Text>
      )}
    </TitledCard>
  )
}
