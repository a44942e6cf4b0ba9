/** The first pass reads the whole file and throws FileError, so that nothing is sent of a file that cannot be read. */
import { parseDateTime } from '../../src/lib/date-time.ts'
import { columnsOf } from './columns.ts'
import { Fingerprint } from './fingerprint.ts'
import { openFile } from './read.ts'
import { type SharedEmails, surveyEmails } from './shared-emails.ts'
import type { SheetRow } from './sheet-source.ts'
import type { Source } from './source.ts'
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
  /** The whole names that are split: how many, and the first ones. */
  splits?: { count: number; first: NameSplit[] } | undefined
  sharedEmails?: SharedEmails | undefined
  /** The rows with a due date that has passed: their access ends at once. */
  pastDues?: { count: number; first: number } | undefined
  /** How many hidden rows of a sheet are left out. */
  hiddenRows: number
}

export interface NameSplit {
  line: number
  name: string
  last_name: string
}

/** So many are shown before anything is sent. */
const SHOWN_SPLITS = 20

export async function inspect(
  source: Source,
  { rename, onBytes }: { rename?: Record<string, string>; onBytes?: (bytes: number) => void } = {},
): Promise<Inspection> {
  const counted = withFingerprint(source, onBytes)
  const opened = await openFile(counted.source)
  const columns = columnsOf(opened, { rename })
  const emails = surveyEmails()
  let rows = 0
  let past: Inspection['pastDues']
  const splits: NonNullable<Inspection['splits']> = { count: 0, first: [] }
  for await (const row of opened.rows) {
    const read = columns.toItem(row)
    const { item, wholeName } = read
    emails.add(row.line, read)
    if (wholeName !== undefined && splits.count++ < SHOWN_SPLITS)
      splits.first.push({
        line: row.line,
        name: textIn(item, 'name') ?? '',
        last_name: textIn(item, 'last_name') ?? '',
      })
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
    sharedEmails: emails.result(),
    ...(splits.count > 0 && { splits }),
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
