/** The first pass reads the whole file and throws FileError, so that nothing is sent of a file that cannot be read. */
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
  /** A hash of the content: an import must not continue with another file than it started with. */
  fingerprint: number
  grantsProducts: boolean
}

export async function inspect(
  source: Source,
  { rename, onBytes }: { rename?: Record<string, string>; onBytes?: (bytes: number) => void } = {},
): Promise<Inspection> {
  const fingerprint = new Fingerprint()
  let bytes = 0
  const counted = {
    ...source,
    async *open() {
      for await (const chunk of source.open()) {
        fingerprint.add(chunk)
        onBytes?.((bytes += chunk.length))
        yield chunk
      }
    },
  }
  const opened = await openFile(counted)
  const columns = columnsOf(opened, { rename })
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
