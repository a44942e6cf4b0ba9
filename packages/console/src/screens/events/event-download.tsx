import { apiWithRetries, bodyOf } from '../../api/client.ts'
import { type EventFilter, type FeedEvent, listEvents } from '../../api/event-feed.ts'
import { useStoreName } from '../../api/stores.ts'
import { DownloadButton } from '../../parts/download-button.tsx'
import { actorText } from '../../parts/event-line.tsx'
import { useWords } from '../../words/index.tsx'
import { allOf, FORMATS, type Shown } from '../export/sheets.ts'
import { useShown } from '../export/use-shown.ts'
import { fileNameOf, localTime, type SheetColumn, sheetOf, workbookOf } from '../export/workbook.ts'
import { changesText } from '../user/person-file.ts'
import { fullName } from '../users/selection.tsx'

/** A workbook with more rows would take the browser minutes. The filters divide them. */
const MAX_ROWS = 50_000
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** All events that the filters select, the newest first, with names instead of numbers. */
export function EventDownload({ store, filter }: { store: string; filter: EventFilter }) {
  const { events } = useWords()
  const name = useStoreName(store)
  const shown = useShown()
  return (
    <DownloadButton
      label={events.download}
      name={fileNameOf([name, events.title, filter.since?.slice(0, 10), filter.until?.slice(0, 10)], 'xlsx')}
      make={async () => {
        const known = await shown()
        const rows = withNames(store, filter)
        const sheet = await sheetOf({ title: events.title, columns: columnsOf(known), rows })
        return new Blob([await workbookOf([sheet])], { type: TYPE })
      }}
    />
  )
}

interface NamedEvent {
  event: FeedEvent
  /** Undefined for an event that is about no user, and for a user who was erased. */
  user: string | undefined
}

function columnsOf({ words, language, zone }: Shown): SheetColumn<NamedEvent>[] {
  const { events, eventTypes } = words
  return [
    { head: events.when, width: 20, cell: ({ event }) => localTime(event.timestamp, zone, FORMATS[language]) },
    { head: events.actor, width: 28, cell: ({ event }) => actorText(event.actor, words) },
    { head: events.what, width: 28, cell: ({ event }) => eventTypes[event.type] },
    { head: events.user, width: 28, cell: ({ event, user }) => user ?? userIdOf(event) ?? null },
    { head: events.changes, width: 60, cell: ({ event }) => changesText(event.data, words) },
    { head: 'ID', width: 10, cell: ({ event }) => event.id },
  ]
}

async function* withNames(store: string, filter: EventFilter): AsyncGenerator<NamedEvent> {
  const { signal } = new AbortController()
  let count = 0
  for await (const page of allOf(listEvents(store, filter, 'desc', apiWithRetries), signal, () => {})) {
    const ids = [...new Set(page.flatMap((event) => userIdOf(event) ?? []))]
    const names = ids.length === 0 ? new Map<string, string>() : await namesOf(store, ids)
    yield* page.map((event) => ({ event, user: names.get(userIdOf(event) ?? '') }))
    if ((count += page.length) >= MAX_ROWS) return
  }
}

async function namesOf(store: string, ids: string[]): Promise<Map<string, string>> {
  const params = { path: { store_id: store }, query: { ids: ids.join(','), limit: 100 } }
  const { data } = await bodyOf(apiWithRetries.GET('/admin/stores/{store_id}/users', { params }))
  return new Map(data.map((user) => [user.id, fullName(user)]))
}

function userIdOf({ data }: FeedEvent): string | undefined {
  return 'user_id' in data ? data.user_id : undefined
}
