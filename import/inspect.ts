/** The first pass: reads the whole file, sends nothing, and throws FileError for whatever makes it unreadable. */
import { columnsOf } from './columns.ts'
import { Fingerprint } from './fingerprint.ts'
import { openFile } from './read.ts'
import type { Source } from './source.ts'

export interface Inspection {
  format: 'csv' | 'ndjson'
  delimiter: string
  hasBom: boolean
  header: string[]
  rows: number
  /** Tells this content from any other: an import goes on only with the file that it began with. */
  fingerprint: number
  grantsProducts: boolean
}

export async function inspect(
  source: Source,
  { rename, onBytes }: { rename?: Record<string, string>; onBytes?: (bytes: number) => void } = {},
): Promise<Inspection> {
  const fingerprint = new Fingerprint()
  let bytes = 0
  const watched = {
    ...source,
    async *open() {
      for await (const chunk of source.open()) {
        fingerprint.add(chunk)
        onBytes?.((bytes += chunk.length))
        yield chunk
      }
    },
  }
  const opened = await openFile(watched)
  const columns = columnsOf(opened, rename)
  let rows = 0
  for await (const row of opened.rows) {
    columns.toItem(row)
    rows++
  }
  return {
    format: opened.format,
    delimiter: opened.delimiter,
    hasBom: opened.hasBom,
    header: opened.header,
    rows,
    fingerprint: fingerprint.value,
    grantsProducts: columns.grantsProducts,
  }
}
