/**
 * Whether a value of a file is the stored one. Reading takes off blanks and marks, and a sheet has no JSON, so an export that
 * nobody has changed would otherwise change people when it is imported.
 */
import { emailKey } from '../../src/lib/emails.ts'
import { jsonCell } from '../../src/modules/csv-files/csv.ts'
import { cleanText } from './clean-text.ts'
import { CUSTOM_FIELD } from './fields.ts'
import { fileValue, sheetValue } from './custom-values.ts'

/**
 * How cells become values. JSON is exact, and so are the columns `custom_fields.KEY` of a text file. Under any other heading
 * it may have been saved of a workbook of the console, which has every value as text.
 */
export type Reading = 'text' | 'saved' | 'sheet' | 'json'

export function isSameValue(
  reading: Reading,
  field: string,
  { stored, value }: { stored: unknown; value: unknown },
): boolean {
  // People are found by it in any letter case, and nobody has asked to change how it is written.
  if (field === 'email' && isSameEmail(stored, value)) return true
  const [before, after] = [toText(stored), toText(field === 'country' ? upperCase(value) : value)]
  if (before === after && isText(stored) === isText(value)) return true
  if (reading === 'json' || stored === undefined || stored === null) return false
  if (!field.startsWith(CUSTOM_FIELD)) return typeof stored === 'string' && cleanText(field, stored) === value
  return readings(reading, field, stored).some((read) => toText(read) === after && isText(read) === isText(value))
}

/** What is read of the cell of a custom field that an export writes. */
function readings(reading: Exclude<Reading, 'json'>, field: string, stored: unknown): unknown[] {
  const text = typeof stored === 'string' ? stored : JSON.stringify(stored)
  // The digits beyond those of a double are not in a cell.
  const number = isText(stored) || !Number.isFinite(Number(text)) ? text : String(Number(text))
  const exact = fileValue(cleanText(field, jsonCell(stored)))
  if (reading === 'text') return [exact]
  const cells = [text, number].map((cell) => cleanText(field, cell))
  // A spreadsheet makes a value of a text that looks like one.
  const values = [exact, ...cells.map(fileValue)]
  return reading === 'saved' ? values : [...values, ...cells.map((cell) => sheetValue(cell, false))]
}

function isSameEmail(stored: unknown, value: unknown): boolean {
  if (typeof stored !== 'string' || typeof value !== 'string') return false
  const key = emailKey(stored)
  return key !== undefined && key === emailKey(value)
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function upperCase(value: unknown): unknown {
  return typeof value === 'string' ? value.toUpperCase() : value
}
