/**
 * Maps columns in both directions: cells become an item of the batch API, and a field that the API rejects becomes the
 * name of its column, because a user of the import knows only the file.
 */
import { isObject } from '../../src/lib/json.ts'
import { accessesOf } from './accesses.ts'
import { lowerEmail } from '../../src/lib/emails.ts'
import { countryCode } from './countries.ts'
import { customFieldsOf } from './custom-values.ts'
import { isSameValue } from './same-value.ts'
import { ACCESS_IDS, CUSTOM_FIELD, IGNORED, JSON_FIELDS, PRODUCTS, REQUIRED, TEXTS } from './fields.ts'
import { FileError } from './file-error.ts'
import { languageCode } from './languages.ts'
import { accessIdsOf, type AccessIds, isNamedExport, NAME_COLUMN } from './own-accesses.ts'
import { findProducts, type Product } from './products.ts'
import type { Opened, Row } from './read.ts'
import { cleanText, textProblem } from './clean-text.ts'
import { type Reason, reasonsOf } from './reasons.ts'
import { textIn } from './text-in.ts'
import {
  FULL_NAME,
  isSurnameFirst,
  NAME_COLUMNS,
  SECOND_LAST_NAME,
  setBy,
  type SplitName,
  type SplitNames,
  splitName,
  splitsOf,
} from './whole-name.ts'

/** If there are reasons, the row cannot be sent, and the item has the rest of it. */
export interface Item {
  item: Record<string, unknown>
  /** The days and times of the store among the due dates of its accesses, by their indexes, as an export writes them. */
  localDates?: ReadonlyMap<number, string>
  /** The first and the last name, with one blank between them, if the file has both in one column. */
  wholeName?: string
  /** That column, with single blanks. */
  unsplit?: string
  /** Set if the row names somebody who keeps the stored name. The reasons say why it cannot create that person. */
  keptName?: { reasons: Reason[] }
  /** Set if the row has ids instead of a person and a product. */
  ids?: AccessIds
  reasons: Reason[]
}

export interface Columns {
  toItem: (row: Row) => Item
  /** Returns the errors of an item in the response, with the names of columns instead of fields. */
  toReasons: (error: unknown, item: Record<string, unknown>) => Reason[]
  /** True if reading what an export writes for the stored value results in the value, so that nothing would change. */
  isSame: (field: string, stored: unknown, value: unknown) => boolean
  /** Returns the column of a field, or the field if no column has it. */
  nameOf: (field: string) => string
  grantsProducts: boolean
  /** True if the rows have ids instead of people and products. */
  hasIds: boolean
}

const CSV_FIELDS = [...TEXTS, ...NAME_COLUMNS, ...PRODUCTS, 'custom_fields', 'custom_fields.KEY']

interface Names {
  texts: Partial<SplitName>
  wholeName?: string
  unsplit?: string
  keptName?: { reasons: Reason[] }
  reasons: Reason[]
}

export interface ColumnOptions {
  /** Maps a column of the file to a field; an empty field means that the column is ignored. */
  rename?: Record<string, string> | undefined
  /** Without the products of the store, they can be named by slugs only. */
  products?: Product[] | undefined
  /** How whole names are split that the rule would split otherwise: by the numbers of their rows, indexes in `splitsOf`. */
  splits?: Record<number, number> | undefined
  /** The same by the whole names, with single blanks. */
  names?: SplitNames | undefined
}

export function columnsOf(
  opened: Pick<Opened, 'format' | 'header'> & Partial<Opened>,
  options: ColumnOptions = {},
): Columns {
  return opened.format === 'csv' ? csvColumns(opened, options) : jsonColumns(options)
}

function csvColumns(
  { header, dates, timeZone = 'UTC', isSheet = false }: Pick<Opened, 'header'> & Partial<Opened>,
  { rename = {}, products, splits = {}, names: splitNames }: ColumnOptions,
): Columns {
  const fields = header.map((name) => (Object.hasOwn(rename, name) ? (rename[name] ?? '') : name))
  const hasIds = ACCESS_IDS.every((field) => fields.includes(field))
  const find = hasIds ? () => [{ slug: '' }] : findProducts(products)
  const keepsNames = isNamedExport(header) && header[fields.indexOf(FULL_NAME)] === NAME_COLUMN
  checkHeader(header, fields, rename)
  const names = new Map(
    fields.flatMap((field, i) => [field, ...setBy(field)].map((each) => [each, header[i] ?? field])),
  )

  function nameOf(field: string): string {
    return names.get(field) ?? field
  }

  function cellsOf(row: Row): [field: string, cell: string][] {
    const cells = 'cells' in row ? row.cells : []
    return fields
      .map((field, i): [string, string] => [field, cleanText(field, cells[i] ?? '')])
      .filter(([field, cell]) => cell !== '' && field !== '' && !IGNORED.has(field))
  }

  /** What is wrong with cells before they are read. */
  function cellProblems(row: Row, cells: [field: string, cell: string][]): Reason[] {
    const isRead = (index: number) => fields[index] !== '' && !IGNORED.has(fields[index] ?? '')
    const errors = 'cells' in row ? (row.errors ?? []).filter(({ index }) => isRead(index)) : []
    const isError = (field: string) => errors.some(({ index }) => fields[index] === field)
    return [
      ...errors.map(({ index, cell, error }) => ({
        column: header[index] ?? '',
        field: fields[index] ?? '',
        code: 'cell_error',
        about: cell,
        explanation: `the cell ${cell} contains ${error}`,
      })),
      ...cells.flatMap(([field, cell]) => {
        const problem = isError(field) ? undefined : textProblem(field, cell)
        return problem ? [{ column: nameOf(field), field, ...problem }] : []
      }),
    ]
  }

  function toItem(row: Row): Item {
    if (row.problem) return { item: {}, reasons: [row.problem] }
    const all = cellsOf(row)
    const problems = cellProblems(row, all)
    const isFaulty = (name: string) => problems.some(({ field }) => field === name)
    const cells = all.filter(([field]) => !isFaulty(field))
    const accesses = accessesOf(new Map(cells), { dates, zone: timeZone, find, isFaulty: isFaulty('product'), nameOf })
    const { texts, reasons, ...about } = namesOf(new Map(cells), row.line, isFaulty(FULL_NAME))
    const ids = accessIdsOf(fields, new Map(cells))
    const values = 'cells' in row ? row.values : undefined
    const custom = customFieldsOf(cells, values && ((field) => values.has(fields.indexOf(field))))
    return {
      item: {
        ...Object.fromEntries(
          cells.filter(([field]) => TEXTS.has(field)).map(([field, cell]) => [field, textOf(field, cell)]),
        ),
        ...texts,
        ...(custom !== undefined && { custom_fields: custom }),
        ...(accesses.list.length > 0 && { product_accesses: accesses.list }),
      },
      ...(accesses.local.size > 0 && { localDates: accesses.local }),
      ...about,
      ...(ids && { ids }),
      reasons: [...problems, ...reasons, ...accesses.reasons],
    }
  }

  /** The names of a row in other columns than those of the API. */
  function namesOf(cells: Map<string, string>, line: number, isFaulty: boolean): Names {
    if (fields.includes(FULL_NAME)) {
      const { texts, ...whole } = wholeNameOf(cells.get(FULL_NAME), line, isFaulty)
      return keepsNames ? { texts, keptName: { reasons: whole.reasons }, reasons: [] } : { texts, ...whole }
    }
    const surnames = ['last_name', SECOND_LAST_NAME].flatMap((field) => cells.get(field) ?? [])
    return { texts: surnames.length === 0 ? {} : { last_name: surnames.join(' ') }, reasons: [] }
  }

  function wholeNameOf(cell: string | undefined, line: number, isFaulty: boolean): Names {
    if (isFaulty) return { texts: {}, reasons: [] }
    const column = nameOf(FULL_NAME)
    const text = cell?.replaceAll(/\s+/gu, ' ')
    if (text === undefined)
      return {
        texts: {},
        reasons: [{ column, field: FULL_NAME, code: 'missing_parameter', explanation: 'is missing' }],
      }
    const own = splitNames?.get(text) ?? splitsOf(text, column)[splits[line] ?? -1]
    // Somebody has asked for this split, so it replaces the stored one.
    if (own) return { texts: { ...own }, unsplit: text, reasons: [] }
    const split = splitName(text, column)
    if (split) return { texts: { ...split }, wholeName: `${split.name} ${split.last_name}`, unsplit: text, reasons: [] }
    return {
      texts: { name: text },
      unsplit: text,
      reasons: [{ column, field: FULL_NAME, ...wholeNameProblem(column) }],
    }
  }

  function toReason(item: Record<string, unknown>, field: string, explanation: string): Reason {
    const [, index, part] = /^product_accesses(?:\.(\d+)(?:\.(\w+))?)?$/.exec(field) ?? []
    if (field.startsWith('product_accesses')) {
      const column = { status: 'product_status', access_due_date: 'product_due_date' }[part ?? ''] ?? 'product'
      const accesses = item['product_accesses']
      const slug = textIn(Array.isArray(accesses) ? accesses[Number(index)] : undefined, 'slug')
      return {
        column: nameOf(column),
        explanation: slug === undefined ? explanation : `${slug}: ${explanation}`,
        ...(slug !== undefined && { about: slug }),
      }
    }
    const column = names.get(field)
    if (column !== undefined || !field.startsWith(CUSTOM_FIELD)) return { column: column ?? field, explanation }
    return {
      column: names.get('custom_fields') ?? field,
      explanation: `${field.slice(CUSTOM_FIELD.length)}: ${explanation}`,
      about: field.slice(CUSTOM_FIELD.length),
    }
  }

  return {
    toItem,
    toReasons: (error, item) => reasonsOf(error, item, (field, explanation) => toReason(item, field, explanation)),
    isSame(field, stored, value) {
      const reading = isSheet ? 'sheet' : nameOf(field) === field ? 'text' : 'saved'
      return isSameValue(reading, field, { stored, value })
    },
    nameOf,
    grantsProducts: names.has('product'),
    hasIds,
  }
}

function jsonColumns({ rename = {} }: ColumnOptions): Columns {
  const names = new Map(Object.entries(rename).map(([name, field]) => [field, name]))
  return {
    toItem(row) {
      if (row.problem) return { item: {}, reasons: [row.problem] }
      const object = 'object' in row ? row.object : {}
      const entries = Object.entries(object)
        .map(([name, value]): [string, string, unknown] => [
          name,
          Object.hasOwn(rename, name) ? (rename[name] ?? '') : name,
          value,
        ])
        .filter(([, field]) => field !== '' && !IGNORED.has(field))
      const unknown = entries.find(([, field]) => !JSON_FIELDS.has(field) && !isCustomField(field))
      if (unknown) throw new FileError(row.line, { code: 'unknown_field', name: unknown[0], known: [...JSON_FIELDS] })
      const plain = entries.filter(([, field]) => !isCustomField(field))
      const own = entries.filter(([, field]) => isCustomField(field))
      const item = Object.fromEntries(plain.map(([, field, value]) => [field, textOf(field, value)]))
      return { item: own.length === 0 ? item : withCustomFields(item, own), reasons: [] }
    },
    toReasons: (error, item) =>
      reasonsOf(error, item, (field, explanation) => ({ column: names.get(field) ?? field, explanation })),
    isSame: (field, stored, value) => isSameValue('json', field, { stored, value }),
    nameOf: (field) => names.get(field) ?? field,
    // Each object may have product_accesses; if the token lacks the scope, the service rejects the batch.
    grantsProducts: false,
    hasIds: false,
  }
}

/** A country and a language may be written by their names. Many lists have emails in capitals, which nobody wants to read. */
function textOf(field: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (field === 'email') return lowerEmail(value)
  if (field === 'country') return countryCode(value)
  return field === 'language' ? languageCode(value) : value
}

function isCustomField(field: string): boolean {
  return field.startsWith(CUSTOM_FIELD) && field.length > CUSTOM_FIELD.length
}

/** Single fields override those in `custom_fields`. If that is not an object, it is sent, and the service rejects it. */
function withCustomFields(
  item: Record<string, unknown>,
  own: [name: string, field: string, value: unknown][],
): Record<string, unknown> {
  const all = item['custom_fields'] ?? {}
  if (!isObject(all)) return item
  const values = own.map(([, field, value]): [string, unknown] => [field.slice(CUSTOM_FIELD.length), value])
  return { ...item, custom_fields: Object.fromEntries(new Map([...Object.entries(all), ...values])) }
}

function wholeNameProblem(column: string): Pick<Reason, 'code' | 'explanation'> {
  return isSurnameFirst(column)
    ? {
        code: 'surname_first',
        explanation:
          'cannot be split into a first and a last name; put one comma behind the surnames, as in "García López, José"',
      }
    : {
        code: 'whole_name',
        explanation:
          'cannot be split into a first and a last name; write both with a space between them, or "García López, José" with one comma',
      }
}

function checkHeader(header: string[], fields: string[], rename: Record<string, string>): void {
  const hasIds = ACCESS_IDS.every((field) => fields.includes(field))
  for (const [i, field] of fields.entries()) {
    const name = header[i] ?? ''
    if (field === '' && Object.hasOwn(rename, name)) continue
    const isKnown =
      TEXTS.has(field) ||
      NAME_COLUMNS.includes(field) ||
      PRODUCTS.includes(field) ||
      IGNORED.has(field) ||
      (hasIds && ACCESS_IDS.some((id) => id === field)) ||
      field === 'custom_fields'
    if (!isKnown && !isCustomField(field))
      throw new FileError(1, { code: 'unknown_column', column: i + 1, name, known: CSV_FIELDS })
    const set = setBy(field)
    const first = fields.findIndex((other) => setBy(other).some((each) => set.includes(each))) + 1
    if (first <= i) throw new FileError(1, { code: 'repeated_column', column: i + 1, name, first })
  }
  const all = new Set(fields.flatMap(setBy))
  for (const field of REQUIRED) if (!all.has(field)) throw new FileError(1, { code: 'missing_column', field })
  if (!all.has('product') && PRODUCTS.some((field) => fields.includes(field)))
    throw new FileError(1, { code: 'missing_product' })
}
