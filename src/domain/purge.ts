import { batch, type Db } from '../db/batch.ts'
import type { Step } from '../db/statement.ts'
import { PURGE } from '../limits.ts'

/**
 * Deletes rows in chunks, and returns their number. The statement deletes at most `limit` rows and returns each of them.
 * What is left after the last chunk of a run is deleted by the next run.
 */
export async function deleteInChunks(db: Db, deleteChunk: (limit: number) => Step<unknown>): Promise<number> {
  let total = 0
  for (let chunk = 0; chunk < PURGE.maxChunks; chunk++) {
    const { deleted } = await batch(db, { deleted: deleteChunk(PURGE.chunk) })
    total += deleted.length
    if (deleted.length < PURGE.chunk) break
  }
  return total
}
