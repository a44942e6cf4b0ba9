/**
 * The state of an import: its file and its current run. The runner writes it, the job keeps it, and the screen shows
 * it.
 */
import type {
  Change,
  DateOrder,
  FileProblem,
  Head,
  Inspection,
  OnExisting,
  Product,
  Recognized,
  RefusedReason,
  Source,
  State,
  Unclear,
  WaitReason,
} from './engine.ts'
import type { FailedLine, SavedRun } from './saved-runs.ts'

export interface ChosenFile {
  file: File
  /** The text of the file in UTF-8; of a workbook, the chosen sheet as CSV. */
  source: Source
  recognized: Recognized
  head: Head
  fingerprint: number
  /** How many hidden rows of a sheet are left out. */
  hiddenRows: number
  rename: Record<string, string>
  /** The fields for which several columns fit; a choice answers the question. */
  unclear: Unclear[]
  onExisting: OnExisting
  /** An update that leaves out the rows which would create somebody. */
  only?: 'update' | undefined
  /** An update moves no due date to an earlier one. */
  isNeverShorten: boolean
  /** A row may rename the person of an earlier row, whose email it has. */
  isRenaming: boolean
  /** Those that cells may name by their names. */
  products: Product[]
  /** What cells of the products name that no product has, with the numbers of their cells. */
  unknown: [text: string, cells: number][]
  /** The slugs of the products that are meant by such texts. */
  aliases: Record<string, string>
  /** The whole names of the file, if it has a column of them. Undefined until the file has been looked through. */
  wholeNames?: WholeNames | undefined
  /** How names are split that the rule would split otherwise (see `splitsOf`). */
  splits: Record<number, number>
  /** Whether the due dates have the day or the month first. */
  dates: Dates
  /** Set if an import of a file with this fingerprint was started before. */
  saved?: SavedRun
}

export interface WholeNames {
  /** The heading of the column. */
  column: string
  /** In the order of the file. */
  names: WholeName[]
}

export interface WholeName {
  line: number
  /** With single blanks. */
  text: string
  isDoubtful: boolean
}

export interface Dates {
  /** Undefined if no date needs it. */
  order: DateOrder | undefined
  /** A date whose day and month could be exchanged. It is set if nothing proves the order, and nobody has chosen it. */
  unclear: string | undefined
}

/** The products by their names, and by the names that the file has for them. */
export function namedProducts({ products, aliases }: Pick<ChosenFile, 'products' | 'aliases'>): Product[] {
  return [...products, ...Object.entries(aliases).map(([name, slug]) => ({ name, slug }))]
}

export interface Run {
  isDryRun: boolean
  /** During `checking` the whole file is read once, before anything is sent. */
  status: 'checking' | 'running' | 'paused' | 'stopped' | 'done'
  inspection?: Inspection
  state?: State
  failed: FailedLines
  /** What it changes of existing users, if it updates them. */
  changes: Change[]
  /** Rows per second since this run was started or resumed. */
  rate: number
  secondsLeft?: number
  /** Set while the run waits before it tries a request again. */
  waiting?: { reason: WaitReason; seconds: number } | undefined
  /** Set if the run stopped because of an error. */
  problem?: Problem
}

/** The failed lines by their numbers. */
export type FailedLines = ReadonlyMap<number, Pick<FailedLine, 'person' | 'reasons' | 'owner'>>

export function noFailedLines(): FailedLines {
  return new Map()
}

/** Why a file cannot be read or a run has stopped. `problem-text.ts` says it in the operator's language. */
export type Problem =
  | { code: 'file'; line: number; problem: FileProblem }
  | { code: 'gave_up'; reason: WaitReason; minutes: number }
  | { code: 'refused'; reason: RefusedReason }
  /** `changed` means that the browser can no longer read the file, and `unexpected` is a defect. */
  | { code: Stopped['code'] | 'changed' | 'unexpected' }

/** Stops a run for a reason that the engine does not know. */
export class Stopped extends Error {
  override name = 'Stopped'
  /**
   * `changed_elsewhere`: another tab has imported rows of the file, or has started it over. `shared_emails`: rows would rename
   * people of earlier rows, and nobody has confirmed that.
   */
  readonly code: 'other_tab' | 'changed_elsewhere' | 'signed_out' | 'shared_emails'

  constructor(code: Stopped['code']) {
    super(code)
    this.code = code
  }
}
