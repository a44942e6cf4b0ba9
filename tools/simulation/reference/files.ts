/** CSV files (contract, section 7, "CSV export"). */
import { fieldsOf } from '../operations.ts'
import { type Row, toRow } from '../rows.ts'
import { dueText, timeText } from './calendar.ts'
import { ACCESS_FILTERS, checkFilters, listAccesses, listUsers, ofKnownField, USER_FILTERS } from './lists.ts'
import type { Call, Operation, Outcome } from './operation.ts'
import type { State } from './state.ts'
import * as values from './values.ts'

const USER_COLUMNS = fieldsOf('User').filter((name) => name !== 'custom_fields')
/** Written down again and not imported: an import would change together with a defect of the service. */
const ACCESS_NAMES =
  'id created_at started_at completed_at access_due_date expiration_days status grade concept_grade passed progress certificate_url product_id user_id'
const ACCESS_COLUMNS = ACCESS_NAMES.split(' ')
const TIMES = new Set(['created_at', 'updated_at', 'started_at', 'completed_at'])
const SPREADSHEET_COLUMNS = [...ACCESS_COLUMNS, 'user_email', 'user_name', 'product_slug']

/** A file by the names of its columns (RFC 4180). An empty cell is undefined; a quoted empty one is an empty string. */
export function readCsv(text: string, separator: string): Row[] {
  const cell = new RegExp(String.raw`("(?:[^"]|"")*"|[^"${separator}\r\n]*)(${separator}|\r\n|$)`, 'y')
  const records: (string | undefined)[][] = [[]]
  while (cell.lastIndex < text.length) {
    const [, raw = '', end = ''] = cell.exec(text) ?? []
    if (end !== separator && end !== '\r\n') return [{ error: 'the file is not CSV' }]
    const value = raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw === '' ? undefined : raw
    records.at(-1)?.push(value)
    if (end === '\r\n') records.push([])
  }
  const [header = [], ...rows] = records.slice(0, -1)
  return rows.map((row) => Object.fromEntries(row.map((value, i) => [header[i] ?? '', value])))
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** A string as it is, unless it would be read as JSON; every other value as JSON. */
function jsonCell(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === 'string' && value !== '' && !isJson(value) ? value : JSON.stringify(value)
}

function plain(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const cellsOf = (columns: string[], row: Row): Row =>
  Object.fromEntries(columns.map((name) => [name, plain(row[name])]))

/** Each custom field that is defined has a column of its own. */
function userRow({ fields }: State, user: Row): Row {
  const custom = toRow(user['custom_fields'])
  const others = Object.entries(custom).filter(([key]) => !fields.has(key))
  return {
    ...cellsOf(USER_COLUMNS, user),
    ...Object.fromEntries([...fields.keys()].map((key) => [`custom_fields.${key}`, jsonCell(custom[key])])),
    custom_fields: others.length > 0 ? JSON.stringify(Object.fromEntries(others)) : undefined,
  }
}

function accessRow(access: Row, columns: string[]): Row {
  const [user, product] = [toRow(access['user']), toRow(access['product'])]
  const more = {
    grade: jsonCell(access['grade']),
    product_id: product['id'],
    product_slug: product['slug'],
    user_id: user['id'],
    user_email: user['email'],
    user_name: `${String(user['name'])} ${String(user['last_name'])}`,
  }
  return cellsOf(columns, { ...access, ...more })
}

/** For a spreadsheet, times are those of the store's zone. */
function inZone(row: Row, zone: string): Row {
  const local = ([name, value]: [string, unknown]): [string, unknown] => {
    if (typeof value !== 'string') return [name, value]
    if (name === 'access_due_date') return [name, dueText(Date.parse(value), zone)]
    return [name, TIMES.has(name) ? timeText(Date.parse(value), zone) : value]
  }
  return Object.fromEntries(Object.entries(row).map(local))
}

/** In a spreadsheet, no line of a cell and no part of one that a separator ends is a formula. */
function disarmed(row: Row): Row {
  const disarm = (value: unknown) =>
    typeof value === 'string' ? value.replaceAll(/(?<=^|[\n\r;\t,])(?=[=+\-@\t\r])/g, "'") : value
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, disarm(value)]))
}

function file(rowsOf: (state: State, call: Call, isSpreadsheet: boolean) => Row[]) {
  return (state: State, call: Call): Outcome => {
    const isSpreadsheet = call.query['spreadsheet'] === 'true'
    const rows = rowsOf(state, call, isSpreadsheet)
    if (!isSpreadsheet) return { status: 200, file: { rows, separator: ',' } }
    // In Spanish and Portuguese, a comma is the decimal sign.
    const local = rows.map((row) => disarmed(inZone(row, String(state.json['time_zone']))))
    return { status: 200, file: { rows: local, separator: state.json['language'] === 'EN' ? ',' : ';' } }
  }
}

const spreadsheet = values.ifSent(values.oneOf(['true', 'false']))

export const FILE_OPERATIONS: Record<string, Operation> = {
  'GET /users.csv': {
    role: 'viewer',
    query: { ...USER_FILTERS, spreadsheet },
    check: checkFilters,
    perform: ofKnownField(file((state, { query }) => listUsers(state, query).map((user) => userRow(state, user)))),
  },
  'GET /product_accesses.csv': {
    role: 'viewer',
    query: { ...ACCESS_FILTERS, spreadsheet },
    perform: ofKnownField(
      file((state, { query, now }, isSpreadsheet) =>
        listAccesses(state, query, now).map((row) =>
          accessRow(row, isSpreadsheet ? SPREADSHEET_COLUMNS : ACCESS_COLUMNS),
        ),
      ),
    ),
  },
}
