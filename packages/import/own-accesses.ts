/**
 * Our own exports of accesses. That for spreadsheets names people and products, the plain one has only their ids. Their
 * columns are known by exact names, in any order, since the same names mean something else in other files.
 */
import { ACCESS_COLUMNS, SPREADSHEET_ACCESS_COLUMNS } from '../../src/modules/accesses/csv-columns.ts'
import { ACCESS_IDS } from './fields.ts'
import { NO_FIELD } from './guess.ts'
import { FULL_NAME } from './whole-name.ts'

const [ACCESS_ID, USER_ID, PRODUCT_ID] = ACCESS_IDS
const DATED = [
  ['status', 'product_status'],
  ['access_due_date', 'product_due_date'],
] as const
/** The whole name says who is meant, and whom to create; it renames nobody. */
export const NAME_COLUMN = 'user_name'
const NAMED: ReadonlyMap<string, string> = new Map([
  ['user_email', 'email'],
  [NAME_COLUMN, FULL_NAME],
  ['product_slug', 'product'],
  ...DATED,
])
const BY_IDS: ReadonlyMap<string, string> = new Map([
  ['id', ACCESS_ID],
  ['user_id', USER_ID],
  ['product_id', PRODUCT_ID],
  ...DATED,
])

/** The ids of a row of the plain export. */
export interface AccessIds {
  access: string
  user: string
  product: string
}

/** True for the export for spreadsheets, also without some of its columns. */
export function isNamedExport(columns: readonly string[]): boolean {
  return columns.includes('user_email') && columns.includes('product_slug')
}

/** Maps the columns of such an export to fields, or to NO_FIELD what an import cannot set. Other files have none. */
export function ownFields(columns: readonly string[]): ReadonlyMap<string, string> {
  const isByIds = !columns.includes('user_email') && [...BY_IDS.keys()].every((name) => columns.includes(name))
  const fields = isNamedExport(columns) ? NAMED : isByIds ? BY_IDS : undefined
  const own = new Set<string>(fields === NAMED ? SPREADSHEET_ACCESS_COLUMNS : ACCESS_COLUMNS)
  const found = fields ? columns.filter((column) => own.has(column)) : []
  return new Map(found.map((column) => [column, fields?.get(column) ?? NO_FIELD]))
}

/** The ids in a row whose columns are mapped to them; undefined for other files. */
export function accessIdsOf(fields: string[], cells: Map<string, string>): AccessIds | undefined {
  if (!ACCESS_IDS.every((field) => fields.includes(field))) return undefined
  const [access = '', user = '', product = ''] = ACCESS_IDS.map((field) => cells.get(field))
  return { access, user, product }
}
