import { emailKeyOf } from './batches.ts'
import type { Columns } from './columns.ts'
import { SeenEmails } from './fingerprint.ts'
import type { Row } from './read.ts'

/** Returns the emails that several rows have, in the form in which the service compares emails. */
export async function repeatedEmails(rows: AsyncIterable<Row>, { toItem }: Columns): Promise<Set<string>> {
  const seen = new SeenEmails()
  const repeated = new Set<string>()
  for await (const row of rows) {
    const key = emailKeyOf(toItem(row))
    if (key === undefined) continue
    if (seen.find(key) === undefined) seen.add(key, row.line)
    else repeated.add(key)
  }
  return repeated
}
