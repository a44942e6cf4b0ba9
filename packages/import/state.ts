/** What an import needs, and what it keeps, so that a later run can continue. */
import type { OnExisting } from './batches.ts'
import type { Change } from './changes.ts'
import type { Client } from './client.ts'
import type { Inspection } from './inspect.ts'
import type { Product } from './products.ts'
import type { Row } from './read.ts'
import type { Reason } from './reasons.ts'
import type { Source } from './source.ts'
import type { Effect } from './stored-accesses.ts'
import type { SentRow } from './undo-record.ts'
import type { SplitNames } from './whole-name.ts'

/** With this state, a later run can continue. */
export interface State {
  fingerprint: number
  rows: number
  /** The number of rows that are done. */
  next: number
  /** The rows before the last one of them that are not done, by their indexes. An earlier version had none. */
  waiting?: number[] | undefined
  created: number
  existing: number
  /** Of the existing users, those of whom a row changes a value. They are counted with `update` only. */
  changed: number
  /** Of the existing users, those whose accesses could not be compared. */
  uncompared: number
  /** What the rows change of accesses of existing users. */
  effects: Record<Effect, number>
  failed: number
  /** The rows that would create somebody, if the import only updates. */
  leftOut: number
  /** The number of the first one. */
  firstLeftOut?: number | undefined
  /** `newest`, or the highest id in a response: whom the next batch creates has a higher one. */
  lastId: number
  /** The time of the service at its last response. */
  since: number
  /** The highest id of a user when the import began: whom it creates has a higher one. */
  newest: number
}

export interface FailedRow {
  row: Row
  /** What could be read of the row. */
  item: Record<string, unknown>
  reasons: Reason[]
  /** The id of the user who has the email of the row already. */
  owner?: string | undefined
}

export interface CreatedRow {
  row: Row
  item: Record<string, unknown>
  id: string
}

/** What an undo needs of a batch besides its changes and its rows. */
export interface Results {
  created: CreatedRow[]
  uncompared: Row[]
  /** As in `UndoBatch` (undo-record.ts). */
  etags: Record<string, string>
}

/** Stores failed rows and the state. A resumed run must drop failed rows that were stored after the last state. */
export interface Keeper {
  keepFailed: (rows: FailedRow[]) => Promise<void>
  saveState: (state: State) => Promise<void>
  /** Is called with the rows of the next batch, before they are sent, because its response may be lost. */
  keepSent?: (rows: SentRow[], state: State) => Promise<void>
  /** Is called with the results of a batch, before the state that counts them is saved. */
  keepResults?: (results: Results, state: State) => Promise<void>
  /**
   * Is called with what the next batch changes, before it is sent, and returns it. If a batch is sent again, this must
   * merge it with what was kept for its first row (`mergedChanges`), because the service may have applied that. Without
   * it, an update that is no dry run need not read the users.
   */
  keepChanges?: (changes: Change[], state: State) => Promise<Change[]>
}

export interface Import {
  source: Source
  inspection: Inspection
  client: Client
  keeper: Keeper
  onExisting: OnExisting
  dryRun: boolean
  /** An access that ends later, or never, keeps its date. */
  neverShorten?: boolean
  /** Rows that would create somebody are not sent. It needs `update`. */
  only?: 'update' | undefined
  rename?: Record<string, string>
  /** Those of the store, which a file may name by their names. */
  products?: Product[] | undefined
  /** As in `ColumnOptions` (columns.ts). */
  splits?: Record<number, number> | undefined
  names?: SplitNames | undefined
  /** The saved state of an earlier run. */
  state?: State | undefined
  onProgress?: (state: State) => void
  /** Temporarily rejected rows are sent again after this pause, unless the response requests another one. */
  itemPauseMs?: number
}
