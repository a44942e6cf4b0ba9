/** What a cell of a workbook contains, or what is wrong with it. */
import { type CellFormat, type CellText, plainNumber } from './cell-format.ts'
import { isoText } from './serial-date.ts'
import type { TextTable } from './text-table.ts'

/** A cell as it is written. */
export interface RawCell {
  x: number
  type: string
  /** The index of its format. */
  style: string | undefined
  hasFormula: boolean
  /** The text of `v`; undefined without one. */
  value: string | undefined
  inline: string
}

export interface ReadCell extends CellText {
  /** What is wrong with the cell. */
  error?: string
}

/** What the cells of a workbook refer to. */
export interface CellContext {
  texts: TextTable
  formats: CellFormat[]
  /** True if the results of formulas are those of a program that cannot calculate. */
  isUncalculated: boolean
}

/** The values of each type of cell. */
const READABLE: Record<string, RegExp> = {
  n: /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:E[-+]?\d+)?\s*$/i,
  s: /^\s*\d+\s*$/,
  b: /^(?:[01]|true|false)$/i,
  d: /^(?:\d{4}-\d\d-\d\d|\d\d:\d\d)/,
  str: /^/,
  inlineStr: /^/,
}
const NO_TEXT = 'a text that the workbook does not have'
const NO_DATE = 'a date that cannot be read'
const PROBLEMS: Record<string, string> = { n: 'a number that cannot be read', s: NO_TEXT, d: NO_DATE }
const UNREADABLE = 'a value that cannot be read'
const UNCALCULATED = 'a formula without a stored result'
const EMPTY: ReadCell = { text: '', isText: true }

/** `isResult` is true for a cell that a formula fills. Undefined if there is nothing in the cell. */
export function readCell(cell: RawCell, isResult: boolean, context: CellContext): ReadCell | undefined {
  const { type, value = '', inline } = cell
  if (isBlank(cell) && type !== 'e') {
    const hasResult = !cell.hasFormula || (type === 'str' && cell.value !== undefined)
    return hasResult ? undefined : errorOf(UNCALCULATED)
  }
  const problem = problemOf(cell)
  if (problem !== undefined) return errorOf(problem)
  switch (type) {
    case 's': {
      const text = context.texts.get(Number(value))
      return text === undefined ? errorOf(NO_TEXT) : textOf(text)
    }
    case 'b':
      return { text: value === '1' || value.toLowerCase() === 'true' ? 'TRUE' : 'FALSE', isText: false }
    case 'd': {
      const text = isoText(value.trim())
      return text === undefined ? errorOf(NO_DATE) : textOf(text)
    }
    case 'n':
      return isResult && context.isUncalculated && Number(value) === 0
        ? errorOf(UNCALCULATED)
        : readNumber(cell, context)
    default:
      return textOf(unescaped(inline === '' ? value : inline))
  }
}

function readNumber({ value = '', style }: RawCell, { formats }: CellContext): ReadCell | undefined {
  const number = Number(value)
  if (!Number.isFinite(number)) return errorOf('a number that no spreadsheet can show')
  // A double has not the digits of a long integer.
  if (Number.isInteger(number) && !Number.isSafeInteger(number) && /^-?\d+$/.test(value.trim()))
    return { text: value.trim(), isText: false }
  const format = formats[Number(style ?? 0)] ?? plainNumber
  const read = format(number)
  if (read === undefined) return errorOf('a date that no spreadsheet can show')
  return read.text === '' ? undefined : read
}

function isBlank({ type, value = '', inline }: RawCell): boolean {
  return inline === '' && (type === 'str' || type === 'inlineStr' ? value : value.trim()) === ''
}

/** What is wrong with the text of a cell. */
function problemOf(cell: RawCell): string | undefined {
  const { type, value = '', inline } = cell
  if (type === 'e') return value === '' ? 'an error' : value
  if (type === 'inlineStr' && value !== '') return UNREADABLE
  if (inline !== '' && value === '' && type !== 'inlineStr' && type !== 'str') return PROBLEMS[type] ?? UNREADABLE
  return READABLE[type]?.test(value) ? undefined : (PROBLEMS[type] ?? UNREADABLE)
}

function textOf(text: string): ReadCell {
  return text === '' ? EMPTY : { text, isText: true }
}

function errorOf(error: string): ReadCell {
  return { text: error.startsWith('#') ? error : '', isText: true, error }
}

/** Characters that XML does not have are written like `_x000D_` (ECMA-376, 22.9.2.19). */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text
  return text.replaceAll(/_x([0-9A-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
