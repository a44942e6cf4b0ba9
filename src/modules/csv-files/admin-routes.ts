/** The users of a store and their accesses as CSV files. `npm run import` can read `users.csv`. Files for spreadsheets have local times. */
import * as z from 'zod/mini'
import type { User } from '../../db/schema/stores.ts'
import { listCustomFields } from '../custom-fields/custom-fields.ts'
import { getStore } from '../stores/stores.ts'
import { listProductAccesses } from '../accesses/list-accesses.ts'
import type { ProductAccessRecord } from '../accesses/access-record.ts'
import { type SearchCursor, searchUsers } from '../users/search-users.ts'
import { filterUsers } from '../users/filter-users.ts'
import { listUsersOfFile } from '../users/read-users.ts'
import { type Context, Hono } from '../../http/hono.ts'
import { examineInTurn } from '../../http/middleware/turns.ts'
import { queryString } from '../../http/middleware/validate.ts'
import { isObject } from '../../lib/json.ts'
import { EXPORT, EXPORT_SEARCH } from '../users/limits.ts'
import { respondCsv } from './respond-csv.ts'
import { contextOf } from '../../http/request-context.ts'
import { type Cell, type CsvFormat, jsonCell, PLAIN_CSV, spreadsheetCsv } from './csv.ts'
import { localCell } from './local-cells.ts'
import { lazy } from '../../lib/lazy.ts'
import { USER_COLUMNS } from '../users/csv-columns.ts'
import { ACCESS_COLUMNS, SPREADSHEET_ACCESS_COLUMNS } from '../accesses/csv-columns.ts'
import { isSearchOrField, userFilters } from '../users/user-filters.ts'
import { trueOrFalseText } from '../../formats/values.ts'
import { accessFilters } from '../accesses/access-schemas.ts'
import { toProductAccess } from '../accesses/access-json.ts'
import { toUser } from '../users/user-json.ts'

const exportUsersQuery = lazy(() =>
  z.object({ ...userFilters(), spreadsheet: z.optional(trueOrFalseText()) }).check(isSearchOrField()),
)

const exportProductAccessesQuery = lazy(() =>
  z.object({ ...accessFilters(), spreadsheet: z.optional(trueOrFalseText()) }),
)

/** Each custom field that is defined has a column of its own; the values of all others are in one column, as JSON. */
export function toUserCells(row: User, fields: string[], zone?: string): Cell[] {
  const { custom_fields, ...user } = toUser(row)
  const values = new Map(isObject(custom_fields) ? Object.entries(custom_fields) : [])
  const others = [...values].filter(([key]) => !fields.includes(key))
  return [
    ...USER_COLUMNS.map((name) => localCell(name, user[name], zone)),
    ...fields.map((key) => (values.has(key) ? jsonCell(values.get(key)) : undefined)),
    others.length > 0 ? JSON.stringify(Object.fromEntries(others)) : undefined,
  ]
}

type AccessColumn = (typeof SPREADSHEET_ACCESS_COLUMNS)[number]

export function toAccessCells(
  row: ProductAccessRecord,
  columns: readonly AccessColumn[] = ACCESS_COLUMNS,
  zone?: string,
): Cell[] {
  const { product, user, grade, ...access } = toProductAccess(row)
  const fields = {
    ...access,
    grade: grade === null ? null : jsonCell(grade),
    product_id: product.id,
    product_slug: product.slug,
    user_id: user.id,
    user_email: user.email,
    user_name: `${user.name} ${user.last_name}`,
  }
  return columns.map((name) => {
    const value = fields[name]
    return localCell(name, value == null ? undefined : String(value), zone)
  })
}

/** The language of the store decides how a file for a spreadsheet is separated. Only such a file has a zone. */
async function formatOf(c: Context, isForSpreadsheet = false): Promise<{ format: CsvFormat; zone?: string }> {
  if (!isForSpreadsheet) return { format: PLAIN_CSV }
  const { language, time_zone } = await getStore(c.get('db'), contextOf(c))
  return { format: spreadsheetCsv(language), zone: time_zone }
}

/** The keys of the store's custom fields. */
async function definedFields(c: Context): Promise<string[]> {
  const keys: string[] = []
  for (let after: string | null | undefined; after !== null;) {
    const page = await listCustomFields(c.get('db'), contextOf(c), { limit: EXPORT.maxPage, after })
    keys.push(...page.rows.map(({ key }) => key))
    after = page.next
  }
  return keys
}

export const csvFiles = new Hono()
  .get('/:store_id/users.csv', queryString(exportUsersQuery), async (c) => {
    const { spreadsheet, q, custom_fields, ...filters } = c.req.valid('query')
    const [db, context] = [c.get('db'), contextOf(c)]
    const fields = await examineInTurn(c, () => definedFields(c))
    const { format, zone } = await formatOf(c, spreadsheet)
    const file = {
      format,
      header: [...USER_COLUMNS, ...fields.map((key) => `custom_fields.${key}`), 'custom_fields'],
      toCells: (row: User) => toUserCells(row, fields, zone),
    }
    if (q !== undefined)
      return respondCsv(c, {
        ...file,
        maxPage: EXPORT_SEARCH.maxPage,
        readPage: (limit, after: SearchCursor | undefined) =>
          searchUsers(db, context, { q, ...filters, limit, after, windows: EXPORT_SEARCH }),
      })
    if (custom_fields !== undefined)
      return respondCsv(c, {
        ...file,
        maxPage: EXPORT_SEARCH.maxPage,
        readPage: (limit, after: string | undefined) => {
          const page = { ...filters, custom_fields, limit, after: after === undefined ? undefined : Number(after) }
          return filterUsers(db, context, { ...page, examined: EXPORT_SEARCH.names })
        },
      })
    return respondCsv(c, {
      ...file,
      maxPage: EXPORT.maxPage,
      readPage: (limit, after: number | undefined) => listUsersOfFile(db, context, { ...filters, limit, after }),
    })
  })
  .get('/:store_id/product_accesses.csv', queryString(exportProductAccessesQuery), async (c) => {
    const { spreadsheet, ...filter } = c.req.valid('query')
    const [db, context] = [c.get('db'), contextOf(c)]
    const columns = spreadsheet ? SPREADSHEET_ACCESS_COLUMNS : ACCESS_COLUMNS
    const { format, zone } = await formatOf(c, spreadsheet)
    return respondCsv(c, {
      format,
      header: [...columns],
      toCells: (row: ProductAccessRecord) => toAccessCells(row, columns, zone),
      maxPage: EXPORT.maxPage,
      readPage: (limit, after: string | undefined) =>
        listProductAccesses(db, context, { ...filter, limit, after: after === undefined ? undefined : Number(after) }),
    })
  })
