/** CSV files and statistics: what they must contain. */
import { listAccesses, listUsers } from '../reference/lists.ts'
import { iso } from '../reference/state.ts'
import type { Random } from '../world/random.ts'
import { type Row, toRow } from '../rows.ts'
import type { Examiner, Made, Prepared } from './examiner.ts'
import { DAY_MS } from '../contract.ts'
import { accessLists, userLists } from './lists.ts'
import { ofOperators, type Task } from './task.ts'

/** Written down again and not imported: an import would change together with a defect of the service. */
export const USER_COLUMNS = [
  'id',
  'name',
  'last_name',
  'email',
  'created_at',
  'country',
  'phone',
  'external_id',
  'language',
  'avatar',
  'role',
  'updated_at',
]
const ACCESS_COLUMNS = [
  'id',
  'created_at',
  'started_at',
  'completed_at',
  'access_due_date',
  'expiration_days',
  'status',
  'grade',
  'concept_grade',
  'passed',
  'progress',
  'certificate_url',
  'product_id',
  'user_id',
]

/** The records of a CSV text (RFC 4180). An empty cell is undefined; a quoted empty one is an empty string. */
function parseCsv(text: string, separator = ','): (string | undefined)[][] {
  const cell = new RegExp(String.raw`("(?:[^"]|"")*"|[^"${separator}\r\n]*)(${separator}|\r\n|$)`, 'y')
  const records: (string | undefined)[][] = [[]]
  while (cell.lastIndex < text.length) {
    const [, raw = '', end = ''] = cell.exec(text) ?? []
    if (end !== separator && end !== '\r\n') throw new Error('the file is not CSV')
    const value = raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw === '' ? undefined : raw
    records.at(-1)?.push(value)
    if (end === '\r\n') records.push([])
  }
  return records.slice(0, -1)
}

/** A file as rows by the names of the columns. */
function toRows(text: string, separator?: string): Row[] {
  const [header = [], ...records] = parseCsv(text, separator)
  return records.map((record) => Object.fromEntries(record.map((value, i) => [header[i] ?? '', value])))
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

function userRow(exam: Examiner, user: Row): Row {
  const values = toRow(user['custom_fields'])
  const defined = [...exam.model.fields.keys()]
  const others = Object.entries(values).filter(([key]) => !defined.includes(key))
  return {
    ...Object.fromEntries(USER_COLUMNS.map((name) => [name, plain(user[name])])),
    ...Object.fromEntries(defined.map((key) => [`custom_fields.${key}`, jsonCell(values[key])])),
    custom_fields: others.length > 0 ? JSON.stringify(Object.fromEntries(others)) : undefined,
  }
}

function accessRow(access: Row): Row {
  const ids = {
    product_id: toRow(access['product'])['id'],
    user_id: toRow(access['user'])['id'],
    grade: jsonCell(access['grade']),
  }
  return Object.fromEntries(ACCESS_COLUMNS.map((name) => [name, plain({ ...access, ...ids }[name])]))
}

/** Compares a file with the rows that it must contain, through the JSON that `send` compares. */
function file(path: string, expected: Row[]): Prepared {
  return { path, expected: { status: 200, rows: { read: (text) => toRows(text), expected } } }
}

/** The same for a spreadsheet: the language decides what separates cells, and no cell is a formula. */
function spreadsheet(exam: Examiner, path: string, expected: Row[]): Prepared {
  const separator = exam.model.json['language'] === 'EN' ? ',' : ';'
  // A text is read without its byte order mark.
  const read = (text: string) => toRows(text, separator)
  const disarmed = (value: unknown) =>
    typeof value === 'string' ? value.replaceAll(/(?<=^|[\n\r;\t,])(?=[=+\-@\t\r])/g, "'") : value
  const rows = expected.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, disarmed(value)])),
  )
  const query = `${path.includes('?') ? '&' : '?'}spreadsheet=true`
  return { path: `${path}${query}`, expected: { status: 200, rows: { read, expected: rows } } }
}

const queryOf = (path: string) => Object.fromEntries(new URLSearchParams(path.split('?')[1]))

function prepareUsers(exam: Examiner, random: Random): Prepared {
  const path = random.pick(userLists(exam, random))
  const expected = listUsers(exam.model, queryOf(path)).map((row) => userRow(exam, row))
  return fileOrSpreadsheet(exam, random, path.replace('/users', '/users.csv'), expected)
}

function prepareAccesses(exam: Examiner, random: Random): Prepared {
  const path = random.pick(accessLists(exam, random))
  const expected = listAccesses(exam.model, queryOf(path), exam.now).map(accessRow)
  return fileOrSpreadsheet(exam, random, path.replace('/product_accesses', '/product_accesses.csv'), expected)
}

function fileOrSpreadsheet(exam: Examiner, random: Random, path: string, expected: Row[]): Prepared {
  return random.chance(0.5) ? spreadsheet(exam, path, expected) : file(path, expected)
}

/** How much later an event may be counted. */
const LATE_MS = 6 * 60_000
const COUNTED = {
  users_created: 'user.created',
  accesses_granted: 'product_access.granted',
  accesses_updated: 'product_access.updated',
}

/** The counts of each day. A newest event may not be counted yet. */
function prepareStats(exam: Examiner, random: Random): Prepared {
  const days = 1 + random.below(3)
  const countOf = (type: string, day: string, until: number) =>
    exam.model.events.filter((event) => event.type === type && iso(event.at).startsWith(day) && event.at <= until)
      .length
  const json = ({ json, at }: Made): Row => {
    const shown = Array.isArray(json['days']) ? json['days'].map(toRow) : []
    const expected = Array.from({ length: days }, (_, i) => {
      const day = iso(at - (days - 1 - i) * DAY_MS).slice(0, 10)
      const counts = Object.entries(COUNTED).map(([name, type]) => {
        const count = Number(shown[i]?.[name])
        const most = countOf(type, day, at)
        return [name, count >= countOf(type, day, at - LATE_MS) && count <= most ? count : most]
      })
      return { day, ...Object.fromEntries(counts) }
    })
    return { days: expected }
  }
  return { path: `/stats?days=${days}`, expected: { status: 200, json } }
}

export const FILE_TASKS: Task[] = [
  ofOperators('GET /users.csv', prepareUsers),
  ofOperators('GET /product_accesses.csv', prepareAccesses),
  ofOperators('GET /stats', prepareStats),
]
