/** Everything that the store has about one person, as a file for this person. */
import { PLAIN_FIELDS } from '../../../../../src/modules/users/user-fields.ts'
import { apiWithRetries } from '../../api/client.ts'
import type { FeedEvent } from '../../api/event-feed.ts'
import { accessStateOf } from '../../parts/access-states.ts'
import { fieldName } from '../../words/field-name.ts'
import { listAccesses } from '../accesses/list.ts'
import { allOf, FORMATS, type Shown } from '../export/sheets.ts'
import { localTime, type SheetColumn, sheetOf, workbookOf } from '../export/workbook.ts'
import { customText, type User } from '../users/draft.ts'
import type { Access } from './access.ts'
import { readNextPage, type Source, sourcesOf } from './history.ts'

type Line = [name: string, value: ReturnType<typeof localTime>]

/** Has a sheet for the profile, one for the accesses, and one for the history, without the names of operators. */
export async function personFile(store: string, user: User, shown: Shown): Promise<Blob> {
  const { words } = shown
  const accesses: Access[] = []
  const { signal } = new AbortController()
  for await (const page of allOf(listAccesses(store, { user: user.id }, apiWithRetries), signal, () => {})) {
    accesses.push(...page)
  }
  const events: FeedEvent[] = []
  let rest: Source[] | undefined = sourcesOf(
    store,
    user.id,
    accesses.map(({ id }) => id),
  )
  while (rest) {
    const page = await readNextPage(rest)
    events.push(...page.events)
    rest = page.rest
  }
  const sheets = await Promise.all([
    sheetOf({ title: words.user.profile, columns: lineColumns(shown), rows: each(profileOf(user, shown)) }),
    sheetOf({ title: words.user.accesses, columns: accessColumns(shown), rows: each(accesses) }),
    sheetOf({ title: words.timeline.title, columns: eventColumns(accesses, shown), rows: each(events) }),
  ])
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  return new Blob([await workbookOf(sheets)], { type })
}

function profileOf(user: User, { words, language, zone, customFields }: Shown): Line[] {
  const labels = new Map(customFields.map(({ key, label }) => [key, label]))
  const time = (at: string) => localTime(at, zone, FORMATS[language])
  return [
    [words.common.id, user.id],
    ...PLAIN_FIELDS.map((field): Line => [fieldName(field, words), user[field] ?? null]),
    ...Object.entries(user.custom_fields ?? {}).map(([key, value]): Line => [
      labels.get(key) ?? key,
      customText(value),
    ]),
    [words.common.created, time(user.created_at)],
    [words.common.updated, time(user.updated_at)],
  ]
}

function lineColumns({ words }: Shown): SheetColumn<Line>[] {
  return [
    { head: words.user.fieldHead, width: 30, cell: ([name]) => name },
    { head: words.user.valueHead, width: 50, cell: ([, value]) => value },
  ]
}

function accessColumns({ words, language, zone }: Shown): SheetColumn<Access>[] {
  const { accesses, accessStates, fieldNames, common } = words
  const time = (at: string | null) => localTime(at, zone, FORMATS[language])
  const now = Date.now()
  return [
    { head: accesses.product, width: 28, cell: ({ product }) => product.name },
    { head: accesses.state, width: 14, cell: (access) => accessStates[accessStateOf(access, now)] },
    { head: accesses.due, width: 20, cell: ({ access_due_date }) => time(access_due_date) ?? accesses.noLimit },
    { head: accesses.progress, width: 12, format: '0%', cell: ({ progress }) => progress / 100 },
    { head: fieldNames.grade, width: 12, cell: ({ grade }) => grade },
    { head: fieldNames.concept_grade, width: 20, cell: ({ concept_grade }) => concept_grade },
    { head: fieldNames.passed, width: 10, cell: ({ passed }) => (passed ? common.yes : common.no) },
    { head: fieldNames.started_at, width: 20, cell: ({ started_at }) => time(started_at) },
    { head: fieldNames.completed_at, width: 20, cell: ({ completed_at }) => time(completed_at) },
    { head: fieldNames.certificate_url, width: 40, cell: ({ certificate_url }) => certificate_url },
  ]
}

function eventColumns(accesses: Access[], { words, language, zone }: Shown): SheetColumn<FeedEvent>[] {
  const names = new Map(accesses.map(({ id, product }) => [id, product.name]))
  return [
    { head: words.events.when, width: 20, cell: ({ timestamp }) => localTime(timestamp, zone, FORMATS[language]) },
    {
      head: words.events.what,
      width: 50,
      cell: ({ type, data }) =>
        words.eventSentences[type]('product_access_id' in data ? names.get(data.product_access_id) : undefined),
    },
    { head: words.events.changes, width: 60, cell: ({ data }) => changesText(data, words) },
  ]
}

/** The names of the fields, or the old and new values as the service has them. */
export function changesText(data: FeedEvent['data'], words: Shown['words']): string {
  const fields = 'fields' in data && data.fields ? data.fields.map((field) => fieldName(field, words)) : []
  const changes = 'changes' in data && data.changes ? Object.entries(data.changes) : []
  const values = changes.map(
    ([field, { from, to }]) => `${fieldName(field, words)}: ${valueText(from)} → ${valueText(to)}`,
  )
  return [...fields, ...values].join('; ')
}

function valueText(value: unknown): string {
  return value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value)
}

async function* each<T>(rows: T[]): AsyncGenerator<T> {
  yield* rows
}
