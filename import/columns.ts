/**
 * What a column means, both ways: cells become an item of the batch API, and a field that the API refuses becomes the
 * name of the column that the value stood in.
 */
import { isObject, parseExactly } from '../src/json.ts'
import { textIn } from './client.ts'
import type { Opened, Row } from './read.ts'
import { FileError } from './source.ts'

export interface Reason {
  /** Empty where no single column is to blame. */
  column: string
  explanation: string
}

/** One row, ready to be sent; or why it cannot even be sent. */
export type Item = { item: Record<string, unknown> } | { reasons: Reason[] }

export interface Columns {
  toItem: (row: Row) => Item
  /** The errors of one item of the answer, in the words of the file. */
  toReasons: (error: unknown, row: Row) => Reason[]
  grantsProducts: boolean
}

export const REQUIRED = ['name', 'last_name', 'email']
export const TEXTS = new Set([...REQUIRED, 'phone', 'country', 'language', 'external_id', 'avatar', 'password'])
export const PRODUCTS = ['product', 'product_status', 'product_due_date']
/** Columns of an export, and of a file of failed rows, that say nothing to the import. */
export const IGNORED = new Set(['id', 'role', 'created_at', 'updated_at', '_line', '_errors'])
export const CUSTOM_FIELD = 'custom_fields.'
const CSV_FIELDS = [...TEXTS, ...PRODUCTS, 'custom_fields', 'custom_fields.KEY']
export const JSON_FIELDS = new Set([...TEXTS, 'custom_fields', 'product_accesses'])

/** `rename` gives a column of the file the field that it holds, an empty one for a column to leave out. */
export function columnsOf(opened: Pick<Opened, 'format' | 'header'>, rename: Record<string, string> = {}): Columns {
  return opened.format === 'csv' ? csvColumns(opened.header, rename) : jsonColumns(rename)
}

function csvColumns(header: string[], rename: Record<string, string>): Columns {
  const fields = header.map((name) => (Object.hasOwn(rename, name) ? (rename[name] ?? '') : name))
  checkHeader(header, fields, rename)
  const names = new Map(fields.map((field, i) => [field, header[i] ?? field]))

  function cellsOf(row: Row): [field: string, cell: string][] {
    const cells = 'cells' in row ? row.cells : []
    return fields.map((field, i): [string, string] => [field, cells[i] ?? '']).filter(([, cell]) => cell !== '')
  }

  function toItem(row: Row): Item {
    const cells = cellsOf(row)
    const accesses = accessesOf(new Map(cells))
    if ('column' in accesses) return { reasons: [{ ...accesses, column: names.get(accesses.column) ?? '' }] }
    const custom = customFieldsOf(cells)
    return {
      item: {
        ...Object.fromEntries(cells.filter(([field]) => TEXTS.has(field))),
        ...(custom !== undefined && { custom_fields: custom }),
        ...(accesses.list.length > 0 && { product_accesses: accesses.list }),
      },
    }
  }

  function toReason(row: Row, field: string, explanation: string): Reason {
    const [, index, part] = /^product_accesses(?:\.(\d+)(?:\.(\w+))?)?$/.exec(field) ?? []
    if (field.startsWith('product_accesses')) {
      const column = { status: 'product_status', access_due_date: 'product_due_date' }[part ?? ''] ?? 'product'
      const slug = slugsOf(new Map(cellsOf(row)).get('product'))[Number(index)]
      return {
        column: names.get(column) ?? column,
        explanation: slug === undefined ? explanation : `${slug}: ${explanation}`,
      }
    }
    const column = names.get(field)
    if (column !== undefined || !field.startsWith(CUSTOM_FIELD)) return { column: column ?? field, explanation }
    return {
      column: names.get('custom_fields') ?? field,
      explanation: `${field.slice(CUSTOM_FIELD.length)}: ${explanation}`,
    }
  }

  return {
    toItem,
    toReasons: (error, row) => reasonsOf(error, (...at) => toReason(row, ...at)),
    grantsProducts: names.has('product'),
  }
}

function jsonColumns(rename: Record<string, string>): Columns {
  const names = new Map(Object.entries(rename).map(([name, field]) => [field, name]))
  return {
    toItem(row) {
      const object = 'object' in row ? row.object : {}
      const entries = Object.entries(object)
        .map(([name, value]): [string, string, unknown] => [
          name,
          Object.hasOwn(rename, name) ? (rename[name] ?? '') : name,
          value,
        ])
        .filter(([, field]) => field !== '' && !IGNORED.has(field))
      const unknown = entries.find(([, field]) => !JSON_FIELDS.has(field) && !isCustomField(field))
      if (unknown)
        throw new FileError(row.line, `: unknown field "${unknown[0]}". Known are ${[...JSON_FIELDS].join(', ')}.`)
      const plain = entries.filter(([, field]) => !isCustomField(field))
      const own = entries.filter(([, field]) => isCustomField(field))
      const item = Object.fromEntries(plain.map(([, field, value]) => [field, value]))
      return { item: own.length === 0 ? item : withCustomFields(item, own) }
    },
    toReasons: (error) =>
      reasonsOf(error, (field, explanation) => ({ column: names.get(field) ?? field, explanation })),
    // Each object may bring some; the service says so if the token may not.
    grantsProducts: false,
  }
}

function isCustomField(field: string): boolean {
  return field.startsWith(CUSTOM_FIELD) && field.length > CUSTOM_FIELD.length
}

/** Fields of their own, over those in an object `custom_fields`; one that is no object is left for the service to refuse. */
function withCustomFields(
  item: Record<string, unknown>,
  own: [name: string, field: string, value: unknown][],
): Record<string, unknown> {
  const all = item['custom_fields'] ?? {}
  if (!isObject(all)) return item
  const values = own.map(([, field, value]): [string, unknown] => [field.slice(CUSTOM_FIELD.length), value])
  return { ...item, custom_fields: Object.fromEntries(new Map([...Object.entries(all), ...values])) }
}

function checkHeader(header: string[], fields: string[], rename: Record<string, string>): void {
  for (const [i, field] of fields.entries()) {
    const where = `, column ${i + 1}`
    const name = JSON.stringify(header[i])
    if (field === '' && Object.hasOwn(rename, header[i] ?? '')) continue
    const isKnown = TEXTS.has(field) || PRODUCTS.includes(field) || IGNORED.has(field) || field === 'custom_fields'
    if (!isKnown && !isCustomField(field))
      throw new FileError(1, `${where}: unknown column ${name}. Known are ${CSV_FIELDS.join(', ')}.`)
    if (fields.indexOf(field) < i)
      throw new FileError(
        1,
        `${where}: the column ${name} is there twice (first as column ${fields.indexOf(field) + 1})`,
      )
  }
  for (const field of REQUIRED) if (!fields.includes(field)) throw new FileError(1, `: there is no column "${field}"`)
  if (!fields.includes('product') && PRODUCTS.some((field) => fields.includes(field)))
    throw new FileError(1, ': there is no column "product" for the other columns about it')
}

/**
 * The values of the columns `custom_fields.KEY`, over those of `custom_fields` (a JSON object). What is no object is
 * sent as it is: the service refuses it and says why.
 */
function customFieldsOf(cells: [field: string, cell: string][]): unknown {
  const cell = cells.find(([field]) => field === 'custom_fields')?.[1]
  const all = cell === undefined ? undefined : jsonOrText(cell)
  if (all !== undefined && !isObject(all)) return all
  const own = cells
    .filter(([field]) => field.startsWith(CUSTOM_FIELD))
    .map(([field, value]): [string, unknown] => [field.slice(CUSTOM_FIELD.length), jsonOrText(value)])
  if (all === undefined && own.length === 0) return undefined
  // A Map first: a key such as `__proto__` is a key as any other.
  return Object.fromEntries(new Map([...Object.entries(all ?? {}), ...own]))
}

/** As the export writes them: the string itself, or JSON for what is no string and for a string that reads as JSON. */
function jsonOrText(cell: string): unknown {
  // Nothing else begins JSON; throwing for each plain word takes longer than all the rest.
  if (!/^[\s\d"[{tfn-]/.test(cell)) return cell
  try {
    return parseExactly(cell)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return cell
    throw error
  }
}

/** `product` holds slugs; the other two columns one value for all of them, or as many, between bars. */
function accessesOf(cells: Map<string, string>): { list: Record<string, unknown>[] } | Reason {
  const slugs = slugsOf(cells.get('product'))
  const list: Record<string, unknown>[] = slugs.map((slug) => ({ slug }))
  for (const column of ['product_status', 'product_due_date']) {
    const cell = cells.get(column)
    if (cell === undefined) continue
    const values = cell.split('|').map((value) => value.trim())
    if (slugs.length === 0) return { column, explanation: 'has a value, and there is no product' }
    if (values.length > 1 && values.length !== slugs.length)
      return { column, explanation: `has ${values.length} values for ${slugs.length} products` }
    for (const [i, access] of list.entries()) {
      const value = values[values.length === 1 ? 0 : i] ?? ''
      if (value === '') continue
      if (column === 'product_status') access['status'] = value
      else access['access_due_date'] = value === 'none' ? null : value
    }
  }
  return { list }
}

function slugsOf(cell = ''): string[] {
  return cell.split(/[\s|]+/).filter((slug) => slug !== '')
}

/** `value` is left out: the file has it, and it may be a person's. */
function reasonsOf(error: unknown, toReason: (field: string, explanation: string) => Reason): Reason[] {
  const details = isObject(error) ? error['details'] : undefined
  const sentence = textIn(error, 'message') ?? 'refused without a reason'
  if (Array.isArray(details) && details.length > 0) {
    return details.map((detail) => toReason(textIn(detail, 'field') ?? '', textIn(detail, 'explanation') ?? sentence))
  }
  // A 400 names the first field that is missing, and its message names them all.
  const field = textIn(details, 'field')
  return [field === undefined ? { column: '', explanation: sentence } : toReason(field, sentence)]
}
