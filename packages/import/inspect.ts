/** The first pass reads the whole file and throws FileError, so that nothing is sent of a file that cannot be read. */
import { parseDateTime } from '../../src/lib/date-time.ts'
import { brokenIn } from './broken-text.ts'
import { type ColumnOptions, columnsOf } from './columns.ts'
import { Fingerprint } from './fingerprint.ts'
import { openFile } from './read.ts'
import { type SharedEmails, surveyEmails } from './shared-emails.ts'
import type { SheetRow } from './sheet-source.ts'
import type { Source } from './source.ts'
import { type NameSplits, surveySplits } from './name-splits.ts'
import { textIn } from './text-in.ts'

export interface Inspection {
  format: 'csv' | 'ndjson'
  delimiter: string
  hasBom: boolean
  header: string[]
  rows: number
  /** A hash of the content: an import must not continue with another file than it started with. */
  fingerprint: number
  grantsProducts: boolean
  /** True if the rows have ids instead of people and products. */
  hasIds?: boolean
  /** The whole names that are split, if there are any. */
  splits?: NameSplits | undefined
  sharedEmails?: SharedEmails | undefined
  /** The rows with a due date that has passed: their access ends at once. */
  pastDues?: { count: number; first: number } | undefined
  /** The rows with text that an earlier program has broken, and one such text. */
  broken?: { count: number; first: number; example: string } | undefined
  /** How many hidden rows of a sheet are left out. */
  hiddenRows: number
}

interface Options extends Pick<ColumnOptions, 'rename' | 'names'> {
  onBytes?: (bytes: number) => void
}

export async function inspect(source: Source, { rename, names, onBytes }: Options = {}): Promise<Inspection> {
  const counted = withFingerprint(source, onBytes)
  const opened = await openFile(counted.source)
  const columns = columnsOf(opened, { rename, names })
  const emails = surveyEmails()
  let rows = 0
  let past: Inspection['pastDues']
  let broken: Inspection['broken']
  const splits = surveySplits()
  for await (const row of opened.rows) {
    const read = columns.toItem(row)
    const { item } = read
    emails.add(row.line, read)
    splits.add(row.line, read)
    const example = brokenIn(item)
    if (example !== undefined)
      broken = {
        count: (broken?.count ?? 0) + 1,
        first: broken?.first ?? row.line,
        example: broken?.example ?? example,
      }
    if (hasPastDue(item)) past = { count: (past?.count ?? 0) + 1, first: past?.first ?? row.line }
    rows++
  }
  return {
    format: opened.format,
    delimiter: opened.delimiter,
    hasBom: opened.hasBom,
    header: opened.header,
    rows,
    fingerprint: counted.fingerprint.value,
    hiddenRows: counted.hidden(),
    grantsProducts: columns.grantsProducts,
    hasIds: columns.hasIds,
    pastDues: past,
    broken,
    sharedEmails: emails.result(),
    splits: splits.result(),
  }
}

function hasPastDue({ product_accesses: accesses }: Record<string, unknown>): boolean {
  const dues = Array.isArray(accesses) ? accesses.map((access: unknown) => textIn(access, 'access_due_date')) : []
  return dues.some((due) => due !== undefined && (parseDateTime(due) ?? Infinity) < Date.now())
}

export interface CountedSource {
  source: Source
  /** That of the content, once it has been read to its end. */
  fingerprint: Fingerprint
  hidden: () => number
}

/** Returns a source that counts what is read of it. It can be read once. */
export function withFingerprint(source: Source, onBytes?: (bytes: number) => void): CountedSource {
  const fingerprint = new Fingerprint()
  let [bytes, hidden] = [0, 0]
  const { openSheet } = source
  const counted = {
    ...source,
    async *open() {
      for await (const chunk of source.open()) {
        fingerprint.add(chunk)
        onBytes?.((bytes += chunk.length))
        yield chunk
      }
    },
    ...(openSheet && {
      async *openSheet(signal?: AbortSignal) {
        for await (const chunk of openSheet(signal)) {
          for (const row of chunk.rows) fingerprint.addText(rowText(row))
          hidden += chunk.hidden
          onBytes?.(chunk.bytes)
          yield chunk
        }
      },
    }),
  }
  return { source: counted, fingerprint, hidden: () => hidden }
}

/** Two rows with other contents must not have the same text. */
function rowText({ line, cells, values, errors = [] }: SheetRow): string {
  const faults = errors.map(({ cell, error }) => `\u0002${cell}${error}`).join('')
  return `${line}\u0001${cells.join('\u0001')}\u0002${[...values].join()}${faults}\u0003`
}
