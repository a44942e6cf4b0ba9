import { Group, Paper, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { type BulkChange, isRunning, useNewestBulkChanges } from '../api/bulk-changes.ts'
import { useNote } from '../api/notes.ts'
import { useStoreName } from '../api/stores.ts'
import { TextLink } from '../parts/links.tsx'
import { BulkProgress } from '../screens/bulk-changes/bulk-state.tsx'
import { FilterText } from '../screens/bulk-changes/filter-text.tsx'
import { useBulkText } from '../screens/bulk-changes/use-bulk-text.ts'
import { useLanguage, useWords } from '../words/index.tsx'

/**
 * Shows on every screen how far the bulk changes of a store are, whoever started them. The store is the one that was
 * open last: it is kept until the operator signs out, or the progress would be out of view on the screens of the service.
 */
export function BulkProgressBar() {
  const { store: opened } = useParams({ strict: false })
  const [store, setStore] = useState(opened)
  if (opened !== undefined && opened !== store) setStore(opened)
  const { data: newest } = useNewestBulkChanges(store)
  const running = newest?.filter(isRunning) ?? []
  useNoteOfEnd(store, newest)
  if (store === undefined || running.length === 0) return null
  return (
    <Stack gap="xs" mb="md">
      {running.map((change) => (
        <Running key={change.id} store={store} change={change} />
      ))}
    </Stack>
  )
}

function Running({ store, change }: { store: string; change: BulkChange }) {
  const { bulk } = useWords()
  const { language } = useLanguage()
  const text = useBulkText(store)
  const name = useStoreName(store)
  const { id, state, changed } = change
  return (
    <Paper withBorder px="md" py="xs">
      <Stack gap={6}>
        <Group justify="space-between" gap="xs">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {name}
            {': '}
            <TextLink inherit fw={600} to="/s/$store/bulk-changes/$id" params={{ store, id }}>
              {text.change(change.change, change.reverts)}
            </TextLink>{' '}
            <Text span inherit c="dimmed">
              <FilterText store={store} filter={change.filter} />
            </Text>
          </Text>
          <Text size="sm" c="dimmed">
            {state === 'queued' ? bulk.states.queued : bulk.soFar(changed.toLocaleString(language))}
          </Text>
        </Group>
        <BulkProgress change={change} />
      </Stack>
    </Paper>
  )
}

/** Reports a bulk change that has ended while the console was open, and has the lists read again. */
function useNoteOfEnd(store: string | undefined, newest: BulkChange[] | undefined): void {
  const { bulk } = useWords()
  const note = useNote()
  const client = useQueryClient()
  const known = useRef<{ store: string | undefined; ended: ReadonlySet<string> }>(undefined)
  useEffect(() => {
    if (!newest) return
    const ended = newest.filter((change) => !isRunning(change))
    const before = known.current
    known.current = { store, ended: new Set(ended.map(({ id }) => id)) }
    // What had ended before the store was opened is no news. A short one may end before it was ever seen to run.
    const fresh = before?.store === store ? ended.filter(({ id }) => before?.ended.has(id) === false) : []
    if (fresh.length === 0) return
    for (const { state, changed } of fresh) note(bulk.hasEnded[state](changed), state === 'failed' ? 'bad' : 'good')
    void client.invalidateQueries()
  }, [store, newest, bulk, note, client])
}
