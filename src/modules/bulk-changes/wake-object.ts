import { bulkObject, type BulkBindings, wakeObject } from '../../db/places.ts'
import { describeError, log } from '../../lib/log.ts'

/**
 * Wakes the objects that carry out the bulk changes of these stores. If a call is lost, the every-minute job finds the bulk
 * changes that have stopped.
 */
export async function wakeBulkChanges(env: BulkBindings, stores: Iterable<number>): Promise<void> {
  for (const store of new Set(stores)) {
    await wakeObject(bulkObject(env, store).wake(store)).catch((error: unknown) =>
      log('warning', { code: 'bulk_changes_not_woken', store, error: describeError(error) }),
    )
  }
}
