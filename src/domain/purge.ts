import { type Bound, type Db, run } from '../db/client.ts'
import { PURGE } from '../limits.ts'

/** Deletes chunk by chunk; the statement returns what it deleted. Answers how many rows are gone. */
export async function deleteInChunks(db: Db, deleteSome: (limit: number) => Bound<unknown>): Promise<number> {
  let deleted = 0
  for (let chunk = 0; chunk < PURGE.maxChunks; chunk++) {
    const [rows] = await run(db, [deleteSome(PURGE.chunk)])
    deleted += rows.length
    if (rows.length < PURGE.chunk) break
  }
  return deleted
}
