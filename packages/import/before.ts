/** Writes people and their accesses as they were before an update, in the columns of its file, so that this can be imported, too. */
import { endOfDay, localText } from '../../src/calendar.ts'
import { isObject } from '../../src/lib/json.ts'
import { type Change, valueText } from './changes.ts'
import { CUSTOM_FIELD, PRODUCTS, TEXTS } from './fields.ts'
import type { AccessChange } from './stored-accesses.ts'
import { FULL_NAME, setBy } from './whole-name.ts'
import type { WrittenCell } from './write-workbook.ts'

export interface BeforeTable {
  header: string[]
  /** A row for each user who exists and had none yet, or whose accesses had none: with two rows, an import would set the later values. */
  rowsOf: (changes: Change[]) => { line: number; cells: WrittenCell[] }[]
}

interface Options {
  /** The time zone of the store. */
  zone?: string
  grantsProducts?: boolean
}

export function beforeTable(
  header: string[],
  rename: Record<string, string>,
  { zone = 'UTC', grantsProducts = false }: Options = {},
): BeforeTable {
  const named = header.flatMap((name) => {
    const field = rename[name] ?? name
    // The stored name may be split in another way, so each part has its own column.
    if (field === FULL_NAME) return setBy(field).map((part) => ({ name: part, field: part }))
    const isKept = (TEXTS.has(field) && field !== 'password') || field.startsWith(CUSTOM_FIELD)
    return isKept || PRODUCTS.includes(field) ? [{ name, field }] : []
  })
  // A row may change what its file has no column for: an access that it grants is closed again by a status.
  const missing = PRODUCTS.filter((field) => grantsProducts && !named.some((column) => column.field === field))
  const columns = [...named, ...missing.map((field) => ({ name: field, field }))]
  /** Later rows about a person have other accesses, but not the values that the person had before the first one. */
  const written = new Map<string, { before: Change['before']; slugs: Set<string> }>()
  return {
    header: columns.map(({ name }) => name),
    rowsOf: (changes) =>
      changes.flatMap(({ id, line, before: now, accesses = [] }) => {
        if (id === '') return []
        const known = written.get(id)
        const { before, slugs } = known ?? { before: now, slugs: new Set<string>() }
        const fresh = accesses.filter(({ slug }) => !slugs.has(slug))
        if (known && fresh.length === 0) return []
        written.set(id, { before, slugs: new Set([...slugs, ...fresh.map(({ slug }) => slug)]) })
        const cells = columns.map(({ field }) =>
          PRODUCTS.includes(field)
            ? { text: accessCell(field, fresh, zone), isDay: field === 'product_due_date' }
            : cellOf(valueOf(before, field)),
        )
        return [{ line, cells }]
      }),
  }
}

function cellOf(value: unknown): WrittenCell {
  return { text: valueText(value), isValue: typeof value === 'number' || typeof value === 'boolean' || isNumber(value) }
}

/** Numbers are read with all their digits. */
function isNumber(value: unknown): boolean {
  return isObject(value) && JSON.isRawJSON(value)
}

function valueOf(user: Record<string, unknown>, field: string): unknown {
  if (!field.startsWith(CUSTOM_FIELD)) return user[field]
  const custom = user['custom_fields']
  return isObject(custom) ? custom[field.slice(CUSTOM_FIELD.length)] : undefined
}

/** The values of all accesses that a row changes, with bars between them. */
function accessCell(field: string, accesses: AccessChange[], zone: string): string {
  return accesses
    .map(({ slug, from }) => {
      if (field === 'product') return slug
      if (field === 'product_status') return from?.status ?? 'without_access'
      return from?.due === null ? 'none' : dueCell(from?.due, zone)
    })
    .join('|')
}

/** Exactly, because it is read again: a day only if the access ends with its last millisecond. */
function dueCell(due: string | undefined, zone: string): string {
  if (due === undefined) return ''
  const text = localText(Date.parse(due), zone)
  return /^\d{4}-\d\d-\d\d$/.test(text) && endOfDay(text, zone) === Date.parse(due) ? text : due
}
