/** What an import keeps of each batch, so that it can be taken back: the values before and after, ids and ETags. */
import type { Change } from './changes.ts'

/** A row as it was sent, without its password. */
export interface SentRow {
  line: number
  item: Record<string, unknown>
}

export interface CreatedPerson extends SentRow {
  id: string
  /** That of the creation: nobody has changed the user who still has it. */
  etag: string
}

export interface UndoBatch {
  /** The number of rows before it. */
  first: number
  changes: Change[]
  created: CreatedPerson[]
  /** The rows whose accesses could not be compared before they were changed. */
  uncompared: SentRow[]
  /** The ETags of people whom earlier rows of the import had created, and this batch has changed. */
  etags: Record<string, string>
  /** The ids of the accesses that an earlier undo has closed, as an office does, so that an admin can still erase. */
  closed: string[]
  /** Set if the import has ended before it had the results of the batch. */
  unanswered?: { rows: SentRow[]; lastId: number; since: number } | undefined
}

/** A record has the number of the event that created it, and its ETag names the event of its last change. */
export function etagOfCreation(id: string): string {
  return `"${id}-${id}"`
}

export function toSentRow(line: number, item: Record<string, unknown>): SentRow {
  const { password: _, ...kept } = item
  return { line, item: kept }
}
