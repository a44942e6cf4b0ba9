/** The rows of a sheet, as they are handed from whoever reads workbooks to the import. A browser does that in a worker. */

/** A row has the number that it has in the sheet, even if it has line breaks in its cells. */
export interface SheetRow {
  line: number
  cells: string[]
  /** The columns of numbers and booleans, from 0. Any other cell is text, even if it looks like a number. */
  values: ReadonlySet<number>
  /** The cells that are errors. */
  errors?: CellError[]
}

export interface CellError {
  index: number
  /** The name of the cell, such as D2. */
  cell: string
  error: string
}

export interface SheetChunk {
  rows: SheetRow[]
  /** How many hidden rows were left out since the chunk before. Rows without a value do not count. */
  hidden: number
  /** How many bytes of the sheet have been read, of the `size` of the source. */
  bytes: number
}

/** Reads the sheet from its start. It may be called several times. Throws FileError if the sheet cannot be read. */
export type OpenSheet = (signal?: AbortSignal) => AsyncGenerator<SheetChunk>
