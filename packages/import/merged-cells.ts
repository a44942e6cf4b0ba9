/** Merged cells: of the columns of a range, the first has the value of the range in each row; the others are empty. */
import { placeOf } from './cell-name.ts'

interface Range {
  left: number
  right: number
  top: number
  bottom: number
}

export class MergedCells<T> {
  /** In the order of their first rows. */
  readonly #ranges: Range[]
  #next = 0
  /** By their first columns: ranges do not overlap. */
  #open = new Map<number, { range: Range; value: T | undefined }>()

  constructor(references: Iterable<string>) {
    this.#ranges = [...rangesOf(references)].toSorted((a, b) => a.top - b.top)
  }

  /** Changes the cells of a row. The rows must come in their order; `y` is from 0. */
  fill(y: number, cells: (T | undefined)[]): void {
    for (
      let range = this.#ranges[this.#next];
      range !== undefined && range.top <= y;
      range = this.#ranges[this.#next]
    ) {
      // A range whose first row is not in the sheet is empty.
      this.#open.set(range.left, { range, value: range.top === y ? cells[range.left] : undefined })
      this.#next++
    }
    for (const [left, { range, value }] of this.#open) {
      if (range.bottom < y) {
        this.#open.delete(left)
        continue
      }
      for (let x = left; x <= Math.min(range.right, cells.length - 1); x++) cells[x] = undefined
      if (value !== undefined) cells[left] = value
    }
  }
}

function* rangesOf(references: Iterable<string>): Generator<Range> {
  for (const reference of references) {
    const [first = '', last = first] = reference.split(':')
    const [[left, top], [right, bottom]] = [placeOf(first), placeOf(last)]
    if (top >= 0 && right >= left && bottom >= top) yield { left, right, top, bottom }
  }
}
