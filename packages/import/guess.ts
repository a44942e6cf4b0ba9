/** What is guessed of the columns of a file. */

/** The engine's value for a column that is ignored. */
export const NO_FIELD = ''

/** A field that several columns may be, or that one may be which is perhaps about somebody else. */
export interface Unclear {
  field: string
  columns: string[]
}

export interface Guess {
  /** Maps each column to a field, or to NO_FIELD. */
  fields: Record<string, string>
  unclear: Unclear[]
  /** The columns of the console's own workbooks that cannot be imported. */
  ignored: string[]
}
