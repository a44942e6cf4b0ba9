/** What the workbooks show: what the screens do, with the phone and the custom fields. */
import { apiWithRetries, bodyOf, type Schemas } from '../../api/client.ts'
import type { List } from '../../api/pages.ts'
import { CUSTOM_FIELD } from '../../../../import/fields.ts'
import { guessFields } from '../../../../import/headings.ts'
import { accessStateOf } from '../../parts/access-states.ts'
import type { Language } from '../../words/languages.ts'
import type { Words } from '../../words/words.ts'
import { customText, type User } from '../users/draft.ts'
import { localTime, type SheetColumn, type SheetTime } from './workbook.ts'

type Access = Schemas['ProductAccess']

/** The maximum of the API, for a page and for `ids`. */
const LIMIT = 100

export const FORMATS: Record<Language, SheetTime> = {
  en: { day: 'yyyy-mm-dd', time: 'yyyy-mm-dd hh:mm:ss' },
  es: { day: 'dd/mm/yyyy', time: 'dd/mm/yyyy hh:mm:ss' },
  'pt-BR': { day: 'dd/mm/yyyy', time: 'dd/mm/yyyy hh:mm:ss' },
  'pt-PT': { day: 'dd/mm/yyyy', time: 'dd/mm/yyyy hh:mm:ss' },
}

export interface Shown {
  words: Words
  language: Language
  /** The time zone of the store. */
  zone: string
  customFields: Schemas['CustomField'][]
}

export function userColumns(shown: Shown): SheetColumn<User>[] {
  const { words, language, zone } = shown
  const { common, fieldNames } = words
  const countries = new Intl.DisplayNames(language, { type: 'region' })
  const columns: SheetColumn<User>[] = [
    ...personColumns<User>(words, (user) => user),
    { head: fieldNames.external_id, width: 16, cell: ({ external_id }) => external_id ?? null },
    {
      head: fieldNames.country,
      width: 18,
      cell: ({ country }) => (country ? nameOfCountry(countries, country) : null),
    },
    { head: common.created, width: 18, cell: ({ created_at }) => localTime(created_at, zone, FORMATS[language]) },
  ]
  return columns.toSpliced(-1, 0, ...customColumns<User>(shown, columns, (user) => user))
}

export interface AccessOfUser {
  access: Access
  /** Undefined if the user was erased meanwhile. */
  user: User | undefined
}

export function accessColumns(shown: Shown, now: number): SheetColumn<AccessOfUser>[] {
  const { words, language, zone } = shown
  const { accesses, accessStates } = words
  const columns: SheetColumn<AccessOfUser>[] = [
    ...personColumns<AccessOfUser>(words, ({ access, user }) => ({ ...user, ...access.user })),
    { head: accesses.product, width: 28, cell: ({ access }) => access.product.name },
    { head: accesses.state, width: 12, cell: ({ access }) => accessStates[accessStateOf(access, now)] },
    {
      head: accesses.due,
      width: 18,
      cell: ({ access }) => localTime(access.access_due_date, zone, FORMATS[language]),
    },
    { head: accesses.progress, width: 10, format: '0%', cell: ({ access }) => access.progress / 100 },
  ]
  return [...columns, ...customColumns<AccessOfUser>(shown, columns, ({ user }) => user)]
}

type Person = Pick<User, 'name' | 'last_name' | 'email' | 'phone'>

function personColumns<T>({ user, fieldNames }: Words, personOf: (row: T) => Person): SheetColumn<T>[] {
  return [
    { head: fieldNames.last_name, width: 24, cell: (row) => personOf(row).last_name },
    { head: user.firstName, width: 18, cell: (row) => personOf(row).name },
    { head: fieldNames.email, width: 32, cell: (row) => personOf(row).email },
    { head: fieldNames.phone, width: 18, cell: (row) => personOf(row).phone ?? null },
  ]
}

/** A label that the import would take for something else, such as that of another column, gives way to the field's name there. */
function customColumns<T>(
  { customFields }: Shown,
  others: SheetColumn<T>[],
  userOf: (row: T) => User | undefined,
): SheetColumn<T>[] {
  const heads = [...others.map(({ head }) => head), ...customFields.map(({ key, label }) => label ?? key)]
  const guess = guessFields(heads, 'csv', customFields)
  const isClear = (head: string, key: string): boolean =>
    guess[head] === CUSTOM_FIELD + key && heads.filter((each) => each === head).length === 1
  return customFields.map(({ key, label }) => ({
    head: isClear(label ?? key, key) ? (label ?? key) : CUSTOM_FIELD + key,
    width: 18,
    cell: (row) => customText(new Map(Object.entries(userOf(row)?.custom_fields ?? {})).get(key) ?? null),
  }))
}

function nameOfCountry(names: Intl.DisplayNames, code: string): string {
  return names.of(code) ?? code
}

/**
 * By last and first name, as people look for somebody in a list. All rows are in memory meanwhile, about 1 KB each; the CSV
 * file, which is for programs, needs no memory.
 */
export async function* byName<T>(
  rows: AsyncIterable<T>,
  language: Language,
  personOf: (row: T) => Pick<User, 'name' | 'last_name'>,
): AsyncGenerator<T> {
  const { compare } = new Intl.Collator(language)
  const all: { row: T; person: Pick<User, 'name' | 'last_name'> }[] = []
  for await (const row of rows) all.push({ row, person: personOf(row) })
  all.sort(({ person: a }, { person: b }) => compare(a.last_name, b.last_name) || compare(a.name, b.name))
  for (const { row } of all) yield row
}

/** All records of a list, page by page. */
export async function* allOf<T>(list: List<T>, signal: AbortSignal, onPage: () => void): AsyncGenerator<T[]> {
  for (let after: string | undefined; ;) {
    const { data, next } = await list(after, { limit: LIMIT, signal })
    onPage()
    yield data
    if (next === null) return
    after = next
  }
}

/** Reads the users of a page of accesses with one request. */
export async function* withUsers(
  store: string,
  pages: AsyncIterable<Access[]>,
  signal: AbortSignal,
): AsyncGenerator<AccessOfUser> {
  for await (const page of pages) {
    if (page.length === 0) continue
    const ids = [...new Set(page.map(({ user }) => user.id))].join(',')
    const params = { path: { store_id: store }, query: { ids, limit: LIMIT } }
    const { data } = await bodyOf(apiWithRetries.GET('/admin/stores/{store_id}/users', { params, signal }))
    const users = new Map(data.map((user) => [user.id, user]))
    yield* page.map((access) => ({ access, user: users.get(access.user.id) }))
  }
}
