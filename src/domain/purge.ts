import { batch, type Db } from '../db/batch.ts'
import type { Step } from '../db/statement.ts'
import { PURGE } from '../limits.ts'

/** Deletes chunk by chunk; the statement returns what it deleted. Answers how many rows are gone. */
export async function deleteInChunks(db: Db, deleteSome: (limit: number) => Step<unknown>): Promise<number> {
  let total = 0
  for (let chunk = 0; chunk < PURGE.maxChunks; chunk++) {
    const { deleted } = await batch(db, { deleted: deleteSome(PURGE.chunk) })
    total += deleted.length
    if (deleted.length < PURGE.chunk) break
  }
  return total
}
