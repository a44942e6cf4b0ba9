/** Writes Excel workbooks of one sheet. What reads them (workbook.ts) gets the same text of every cell. */
import type { Cell, CellValue } from 'hucre'
import { writeXlsx } from 'hucre/xlsx'
import { dayIn } from './due-dates.ts'
import type { DateOrder } from './source.ts'

export interface WrittenCell {
  text: string
  /** True for a number or a boolean. Any other text that looks like one stays text. */
  isValue?: boolean
  isMarked?: boolean
  /** True if a text such as 2027-12-31 becomes a day. */
  isDay?: boolean
  /** The order of day and month, if the text may be a day such as 30/06/2027. */
  dates?: DateOrder | undefined
}

interface Sheet {
  name: string
  header: string[]
  rows: WrittenCell[][]
  /** The columns of long texts, which are wrapped. */
  wide?: number[]
}

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/
const TIME = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d:\d\d$/
/** Before March 1900, the days of Excel are others than those of the calendar. */
const FIRST_DAY = Date.UTC(1900, 2, 1)
const MARK = 'FFC7CE'
const [WIDTH, WIDE] = [20, 60]

export async function writeWorkbook({ name, header, rows, wide = [] }: Sheet): Promise<Uint8Array<ArrayBuffer>> {
  const cells = new Map<string, Partial<Cell>>()
  for (const x of header.keys()) cells.set(`0,${x}`, { style: { font: { bold: true } } })
  const values = rows.map((row, y) =>
    row.map((cell, x) => {
      const { value, numFmt } = valueOf(cell)
      const style = {
        ...(numFmt !== undefined && { numFmt }),
        ...(cell.isMarked && { fill: { type: 'pattern' as const, pattern: 'solid' as const, fgColor: { rgb: MARK } } }),
        ...(wide.includes(x) && { alignment: { wrapText: true, vertical: 'top' as const } }),
      }
      if (Object.keys(style).length > 0) cells.set(`${y + 1},${x}`, { style })
      return value
    }),
  )
  const bytes = await writeXlsx({
    sheets: [
      {
        name,
        columns: header.map((_, x) => ({ width: wide.includes(x) ? WIDE : WIDTH })),
        freezePane: { rows: 1 },
        rows: [header, ...values],
        cells,
      },
    ],
  })
  return new Uint8Array(bytes)
}

function valueOf({ text, isValue = false, isDay: mayBeDay = false, dates }: WrittenCell): {
  value: CellValue
  numFmt?: string
} {
  if (text === '') return { value: null }
  if (isValue && /^(?:true|false)$/i.test(text)) return { value: text.toLowerCase() === 'true' }
  if (isValue && String(Number(text)) === text) return { value: Number(text) }
  // The day alone would lose a time that stands beside it.
  const day = dates === undefined || text.includes(':') ? undefined : dayIn(text, dates)
  if (day !== undefined && day.getTime() >= FIRST_DAY) return { value: day, numFmt: 'dd/mm/yyyy' }
  const isDay = DAY.test(text)
  const date = mayBeDay && (isDay || TIME.test(text)) ? new Date(`${text}Z`.replace(/^(.{10})Z$/, '$1')) : undefined
  if (date === undefined || !isKept(date, text)) return { value: text }
  return { value: date, numFmt: isDay ? 'dd/mm/yyyy' : 'dd/mm/yyyy hh:mm:ss' }
}

/** False for a day such as 30 February, which would become another one, and for one that Excel does not have. */
function isKept(date: Date, text: string): boolean {
  return date.getTime() >= FIRST_DAY && date.toISOString().startsWith(text)
}
