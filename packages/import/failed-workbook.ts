/** Writes failed rows as an Excel workbook, so that an office can correct them there and import that file. */
import { booleanIn } from './custom-values.ts'
import { CUSTOM_FIELD } from './fields.ts'
import { keptOf } from './failed.ts'
import type { Row } from './read.ts'
import type { Reason } from './reasons.ts'
import { type WrittenCell, writeWorkbook } from './write-workbook.ts'
import type { DateOrder } from './source.ts'

export interface FailedSheet {
  header: string[]
  /** Maps the columns to fields. */
  rename: Record<string, string>
  dates: DateOrder | undefined
  rows: AsyncIterable<{ row: Row; reasons: Reason[] }>
  textOf: (reason: Reason) => string
  /** The headings of the number of the row and of its reasons, and the name of the sheet. */
  titles: { row: string; reasons: string; sheet: string }
}

/** Beside the row, so that they are in view however many columns there are. Behind it, values that are too many would be. */
const OWN = 2
const NUMBER = /^-?\d+(?:\.\d+)?$/

export async function failedWorkbook(sheet: FailedSheet): Promise<Uint8Array<ArrayBuffer>> {
  const { header, rename, dates, textOf, titles } = sheet
  const { kept, cellsOf } = keptOf(header)
  const names = kept.map((i) => header[i] ?? '')
  const rows: WrittenCell[][] = []
  for await (const { row, reasons } of sheet.rows) {
    const faulty = new Set(reasons.map(({ column }) => column))
    const values = 'cells' in row ? row.values : undefined
    const cells = cellsOf(row).map((text, x): WrittenCell => {
      const name = names[x]
      const field = name === undefined ? '' : (rename[name] ?? name)
      const isDue = field === 'product_due_date'
      // In a text file, a custom field is a number or a boolean if it looks like one.
      const value = values === undefined && field.startsWith(CUSTOM_FIELD) ? booleanIn(text) : undefined
      return {
        text: value === undefined ? text : String(value),
        isValue:
          values?.has(kept[x] ?? -1) ?? (value !== undefined || (field.startsWith(CUSTOM_FIELD) && NUMBER.test(text))),
        isMarked: name !== undefined && faulty.has(name),
        // In a text file, any other day is a text, and must not become another one in a spreadsheet.
        isDay: isDue || values !== undefined,
        dates: isDue ? dates : undefined,
      }
    })
    rows.push([{ text: String(row.line), isValue: true }, { text: reasons.map(textOf).join('\n') }, ...cells])
  }
  return writeWorkbook({ name: titles.sheet, header: [titles.row, titles.reasons, ...names], rows, wide: [OWN - 1] })
}
