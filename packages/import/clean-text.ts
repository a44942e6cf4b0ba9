/**
 * What every cell goes through, whoever wrote the file: a spreadsheet that saves our own export again rounds numbers and
 * drops the marks by which it could be known.
 */
import { CUSTOM_FIELD } from './fields.ts'
import type { Reason } from './reasons.ts'
import { trimCell } from './trim.ts'

/**
 * What programs and spreadsheets (in English, Spanish and Portuguese) write instead of a value, `###` for one that is wider
 * than its column. A person may be called Null, but not NULL.
 */
const NO_VALUE =
  /^(?:#N\/[AD]|#GETTING_DATA|#¡?(?:REF|VALUE|VALOR|DIV\/0|NULL|NULO|N[UÚ]M|SPILL|DESBORDAMIENTO|CALC|C[AÁ]LC|FIELD|CAMPO|BLOCKED|CONNECT|UNKNOWN|BUSY|ERROR)!|#¿?(?:NAME|NOMBRE|NOME)\?|#{3,}|Erro?:\d{3}|NULL|<NA>|\\N)$/
/** What programs make of a missing value, where it can be none. */
const MISSING = /^(?:none|null|nil|nan|nat|n\/a|undefined)$/i
/** What a spreadsheet makes of a long number: its last digits are lost. An id may be 4E2. */
const EXPONENT = /^[+-]?\d+(?:[.,]\d+E[+-]?|E[+-])\d+$/i
/** JSON has numbers like 1e+21. Those of programs that have read an id as a number have all digits of a double, or a capital E. */
const LONG_EXPONENT = /^[+-]?(?:\d+(?:[.,]\d+)?E\+\d+|\d[.,]?\d{14,}e\+(?:1\d|20))$/
/** A column of numbers with an empty cell becomes one of fractions in some programs. A grade may be 5.0. */
const FRACTION = /^\+?\d+[.,]0$/
const LONG_FRACTION = /^[+-]?\d{8,}[.,]0$/
const INVISIBLE = /[\p{White_Space}\p{Cf}]/u
/** The export for spreadsheets puts a `'` before these, as `disarm` in src/modules/csv-files/csv.ts does. */
const ARMED = /(?<=^|[\n\r;\t,])'(?=[=+\-@\t\r])/g

/** How programs keep a spreadsheet from taking digits for a number: `="08001"` and, in Shopify, `'08001`. */
const SHIELDED = /^="([^"]*)"$|^'(\+?\d[\d\s().-]*)$/

/** Blanks, and a `'` that begins a text, may be a part of a password. */
export function cleanText(field: string, cell: string): string {
  if (field === 'password') return cell
  const armed = trimCell(cell)
  const [shielded, formula, digits = formula] = SHIELDED.exec(armed) ?? []
  // A text of digits is not the number.
  if (shielded !== undefined && digits !== undefined)
    return field.startsWith(CUSTOM_FIELD) && digits !== '' ? JSON.stringify(digits) : digits.trim()
  const text = trimCell(armed.replaceAll(ARMED, ''))
  // An address does not end with a joiner, which a name may.
  return field === 'email' ? text.replace(/[\u200c\u200d]+$/, '') : text
}

/** What is wrong with a cell before it is read. */
export function textProblem(field: string, cell: string): Pick<Reason, 'code' | 'explanation'> | undefined {
  // The error of a due date lists what is accepted.
  const isNone = NO_VALUE.test(cell) || ((field === 'phone' || field === 'external_id') && MISSING.test(cell))
  if (isNone && field !== 'product_due_date') return { code: 'no_value', explanation: `${cell} is not a value` }
  if (isRounded(field, cell))
    return { code: 'rounded', explanation: 'a spreadsheet has rounded the number; format the column as text' }
  const at = field === 'email' ? cell.search(INVISIBLE) : -1
  if (at < 0) return undefined
  const code = `U+${(cell.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  const explanation = `contains a blank or an invisible character (${code}) as character ${at + 1}`
  return { code: 'invisible', explanation }
}

function isRounded(field: string, cell: string): boolean {
  if (field === 'phone' || field === 'external_id') return EXPONENT.test(cell) || FRACTION.test(cell)
  return field.startsWith(CUSTOM_FIELD) && (LONG_EXPONENT.test(cell) || LONG_FRACTION.test(cell))
}
