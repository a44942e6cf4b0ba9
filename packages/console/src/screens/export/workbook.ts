/** A list as an Excel workbook, written in the browser. */
import type { Cell, CellValue, WriteSheet } from 'hucre'
import { localText } from '../../../../../src/calendar.ts'

/** A value with an Excel format of its own. */
type SheetCell = CellValue | { value: CellValue; format: string }

export interface SheetColumn<T> {
  head: string
  /** In characters. */
  width: number
  /** The Excel format of the values that have none of their own. */
  format?: string
  cell: (row: T) => SheetCell
}

export interface Sheet<T> {
  title: string
  columns: SheetColumn<T>[]
  rows: AsyncIterable<T>
}

/**
 * Fails with the error of `rows`. The rows are in memory, because they are sorted, and because a streamed workbook has no
 * format for a single cell.
 */
export async function sheetOf<T>({ title, columns, rows }: Sheet<T>): Promise<WriteSheet> {
  const cells = new Map<string, Partial<Cell>>()
  const values: CellValue[][] = [columns.map(({ head }) => head)]
  columns.forEach((_, x) => cells.set(`0,${x}`, { style: { font: { bold: true } } }))
  for await (const row of rows) {
    const y = values.length
    values.push(
      columns.map(({ cell, format }, x) => {
        const own = cell(row)
        const isFormatted = typeof own === 'object' && own !== null && 'format' in own
        const numFmt = isFormatted ? own.format : format
        if (numFmt !== undefined) cells.set(`${y},${x}`, { style: { numFmt } })
        return isFormatted ? own.value : own
      }),
    )
  }
  const widths = columns.map(({ width }) => ({ width }))
  return { name: sheetName(title), columns: widths, rows: values, cells, freezePane: { rows: 1 } }
}

export async function workbookOf(sheets: WriteSheet[]): Promise<Uint8Array<ArrayBuffer>> {
  // It is as large as the rest of the screen.
  const { writeXlsx } = await import('hucre/xlsx')
  return new Uint8Array(await writeXlsx({ sheets }))
}

/** Excel does not open a workbook whose sheet has one of these characters in its name, or a longer name. */
function sheetName(title: string): string {
  return title.replace(/[[\]:*?/\\]/g, ' ').slice(0, 31)
}

/** The Excel formats of a day and of a time. */
export interface SheetTime {
  day: string
  time: string
}

/**
 * Excel knows no time zones. The cell has what the clocks of the store show, and what ends with a day is that day alone: a
 * spreadsheet would show the last millisecond of a day as the next one.
 */
export function localTime(at: string | null | undefined, zone: string, formats: SheetTime): SheetCell {
  if (at === null || at === undefined) return null
  const [day = '', time] = localText(Date.parse(at), zone).split(' ')
  const value = new Date(`${day}T${time ?? '00:00:00'}Z`)
  return { value, format: time === undefined ? formats.day : formats.time }
}

/** Of parts that may have any characters. */
export function fileNameOf(parts: (string | undefined)[], extension: string): string {
  const name = parts.flatMap((part) => part?.replace(/[\\/:*?"<>|\p{Cc}\s]+/gu, ' ').trim() || []).join(' - ')
  return `${name}.${extension}`
}
