/** The rows of a sheet, in one pass over its XML. Nothing is kept but the row that is being read. */
import { cellName, placeOf } from './cell-name.ts'
import { FileError } from './file-error.ts'
import type { MergedCells } from './merged-cells.ts'
import { type CellContext, type RawCell, type ReadCell, readCell } from './sheet-cell.ts'
import type { CellError, SheetRow } from './sheet-source.ts'
import { trimCell } from './trim.ts'
import { type Attributes, BrokenXml, isTrue, readXml, type XmlHandler } from './xml.ts'

export interface SheetContext extends CellContext {
  merged: MergedCells<ReadCell>
  withHidden: boolean
}

const BROKEN = 'the XML of the sheet is broken'
const NO_VALUES: ReadonlySet<number> = new Set()

/** Yields after each chunk what it has completed. Throws FileError, which names the cell. */
export async function* readSheetXml(
  chunks: AsyncIterable<Uint8Array>,
  context: SheetContext,
): AsyncGenerator<{ rows: SheetRow[]; hidden: number }> {
  const sheet = new SheetReader(context)
  try {
    for await (const _ of readXml(chunks, sheet)) yield sheet.take()
  } catch (error) {
    throw error instanceof BrokenXml ? sheet.problem(BROKEN) : error
  }
}

class SheetReader implements XmlHandler {
  readonly #context: SheetContext
  readonly #open: string[] = []
  #rows: SheetRow[] = []
  #hidden = 0
  /** The number of the row, from 0. A row is complete when another one begins, since some writers write it in parts. */
  #y = -1
  #x = -1
  #cells: (ReadCell | undefined)[] = []
  #seen: boolean[] = []
  #isHidden = false
  #cell: RawCell | undefined
  /** The ranges that an array formula fills. Its result stands in cells without a formula, too. */
  #arrays: { left: number; right: number; bottom: number }[] = []
  #values: ReadonlySet<number> = NO_VALUES

  constructor(context: SheetContext) {
    this.#context = context
  }

  take(): { rows: SheetRow[]; hidden: number } {
    const taken = { rows: this.#rows, hidden: this.#hidden }
    this.#rows = []
    this.#hidden = 0
    return taken
  }

  problem(message: string): FileError {
    const cell = this.#y < 0 || this.#x < 0 ? undefined : cellName(this.#x, this.#y)
    return new FileError(Math.max(1, this.#y + 1), { code: 'workbook', message, cell })
  }

  open = (name: string, attributes: Attributes): void => {
    const parent = this.#open.at(-1)
    this.#open.push(name)
    if (name === 'c' && parent === 'row') this.#startCell(attributes)
    else if (name === 'row' && parent === 'sheetData') this.#startRow(attributes)
    else if (this.#cell === undefined) return
    else if (name === 'v') this.#cell.value ??= ''
    else if (name === 'f') this.#addFormula(this.#cell, attributes)
  }

  text = (text: string): void => {
    const cell = this.#cell
    if (cell === undefined) return
    const name = this.#open.at(-1)
    if (name === 'v') cell.value += text
    // How an inline text is pronounced is no part of it.
    else if (name === 't' && !this.#open.includes('rPh')) cell.inline += text
  }

  close = (name: string): void => {
    this.#open.pop()
    if (name === 'c' && this.#open.at(-1) === 'row') this.#endCell()
    else if (name === 'sheetData') this.#endRow()
  }

  #startRow(attributes: Attributes): void {
    const { r, hidden, ht } = attributes
    const y = Number(r) > 0 ? Number(r) - 1 : this.#y + 1
    if (y !== this.#y) {
      this.#endRow()
      if (y < this.#y) {
        this.#y = y
        throw this.problem('the rows of the sheet are not in their order')
      }
      this.#y = y
    }
    this.#x = -1
    // A row of no height is one that somebody has hidden.
    this.#isHidden ||= isTrue(hidden) || (ht !== undefined && Number(ht) === 0)
  }

  #startCell(attributes: Attributes): void {
    const r = attributes['r']
    if (r === undefined) this.#x++
    else {
      const [x, y] = placeOf(r)
      if (x < 0) throw this.problem(`the sheet has no cell ${JSON.stringify(r)}`)
      this.#x = x
      if (y !== this.#y) throw this.problem('the cell is in another row')
    }
    if (this.#seen[this.#x]) throw this.problem('the sheet has the same cell twice')
    this.#seen[this.#x] = true
    this.#cell = {
      x: this.#x,
      type: attributes['t'] ?? 'n',
      style: attributes['s'],
      hasFormula: false,
      value: undefined,
      inline: '',
    }
  }

  #addFormula(cell: RawCell, attributes: Attributes): void {
    cell.hasFormula = true
    const range = attributes['ref']
    if (range === undefined || attributes['t'] === 'shared' || !this.#context.isUncalculated) return
    const [first = '', last = first] = range.split(':')
    const [[left], [right, bottom]] = [placeOf(first), placeOf(last)]
    this.#arrays.push({ left, right, bottom })
  }

  #endCell(): void {
    const cell = this.#cell
    if (cell === undefined) return
    this.#cell = undefined
    const { x } = cell
    const isResult = cell.hasFormula || this.#arrays.some(({ left, right }) => left <= x && x <= right)
    const read = readCell(cell, isResult, this.#context)
    if (read === undefined) return
    while (this.#cells.length < x) this.#cells.push(undefined)
    this.#cells[x] = read
  }

  #endRow(): void {
    const cells = this.#cells
    const isEmpty = !cells.some(hasValue)
    if (this.#y >= 0) this.#context.merged.fill(this.#y, cells)
    if (this.#isHidden && !this.#context.withHidden) this.#hidden += isEmpty ? 0 : 1
    else if (!isEmpty) this.#rows.push(this.#rowOf(cells))
    this.#cells = []
    this.#seen = []
    this.#isHidden = false
    if (this.#arrays.length > 0) this.#arrays = this.#arrays.filter(({ bottom }) => bottom > this.#y)
  }

  #rowOf(cells: (ReadCell | undefined)[]): SheetRow {
    const texts: string[] = []
    const values: number[] = []
    let errors: CellError[] | undefined
    for (let x = 0; x < cells.length; x++) {
      const cell = cells[x]
      texts.push(cell?.text ?? '')
      if (cell === undefined) continue
      if (!cell.isText) values.push(x)
      if (cell.error !== undefined) (errors ??= []).push({ index: x, cell: cellName(x, this.#y), error: cell.error })
    }
    return { line: this.#y + 1, cells: texts, values: this.#setOf(values), ...(errors && { errors }) }
  }

  /** Most rows have the same columns of numbers, so they share one set. */
  #setOf(values: number[]): ReadonlySet<number> {
    if (values.length === 0) return NO_VALUES
    const isSame = values.length === this.#values.size && values.every((x) => this.#values.has(x))
    if (!isSame) this.#values = new Set(values)
    return this.#values
  }
}

function hasValue(cell: ReadCell | undefined): boolean {
  return cell !== undefined && (trimCell(cell.text) !== '' || cell.error !== undefined)
}
