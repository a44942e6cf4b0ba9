/** Reads the values of custom fields. */
import { isObject, parseLossless } from '../../src/lib/json.ts'
import { CUSTOM_FIELD } from './fields.ts'

/**
 * Returns the values of the columns `custom_fields.KEY`, which override those of `custom_fields` (a JSON object). If
 * that column is not an object, it is sent unchanged, so that the service rejects it with an explanation.
 */
export function customFieldsOf(cells: [field: string, cell: string][], isValue?: (field: string) => boolean): unknown {
  const cell = cells.find(([field]) => field === 'custom_fields')?.[1]
  const all = cell === undefined ? undefined : jsonOrText(cell)
  if (all !== undefined && !isObject(all)) return all
  const own = cells
    .filter(([field]) => field.startsWith(CUSTOM_FIELD))
    .map(([field, value]): [string, unknown] => [
      field.slice(CUSTOM_FIELD.length),
      isValue === undefined ? fileValue(value) : sheetValue(value, isValue(field)),
    ])
  if (all === undefined && own.length === 0) return undefined
  // The Map accepts any key; in an object literal, the key `__proto__` would set the prototype.
  return Object.fromEntries(new Map([...Object.entries(all ?? {}), ...own]))
}

/** As spreadsheets in English, Spanish and Portuguese write a boolean cell into CSV, and pandas any boolean. */
const BOOLEAN = /^(?:(true|verdadeiro|verdadero)|false|falso)$/i

/** The boolean that a cell of a text file has. Words other than those of JSON are in capitals, or they are an answer. */
export function booleanIn(cell: string): boolean | undefined {
  const [found, isTrue] = BOOLEAN.exec(cell) ?? []
  const isWord = /^(?:true|false)$/i.test(cell) || cell === cell.toUpperCase()
  return found === undefined || !isWord ? undefined : isTrue !== undefined
}

/** A workbook has booleans, so the CSV file that a spreadsheet makes of it has them, too. */
export function fileValue(cell: string): unknown {
  return booleanIn(cell) ?? jsonOrText(cell)
}

/** In a sheet, text that looks like a number is text. A boolean is in capitals. Only our export puts a string in quotes. */
export function sheetValue(cell: string, isValue: boolean): unknown {
  if (isValue) return jsonOrText(cell.toLowerCase())
  return cell.startsWith('"') ? jsonOrText(cell) : cell
}

/** Reads a cell as the export writes it: JSON for values that are not strings and for strings that look like JSON. */
export function jsonOrText(cell: string): unknown {
  // JSON starts with one of these characters. For other cells, an exception per cell would take most of the time.
  if (!/^[\s\d"[{tfn-]/.test(cell)) return cell
  try {
    return parseLossless(cell)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return cell
    throw error
  }
}
