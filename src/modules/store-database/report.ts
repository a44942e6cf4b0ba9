import { batch, type Db } from '../../db/batch.ts'
import { storeOf } from '../../db/ids.ts'
import { type Store, stores } from '../../db/schema.ts'
import { orm, statement } from '../../db/statement.ts'
import { readCounts } from '../status/read-status.ts'
import type { Report } from '../store-directory/directory.ts'

const selectStore = statement({}, () => orm.select().from(stores))

/** The store of a database that has only one; undefined if its creation has not come so far. */
export async function findStore(db: Db): Promise<Store | undefined> {
  const { found } = await batch(db, { found: selectStore({}) }, { retry: 'only reads' })
  return found[0]
}

interface Run {
  now: number
  /** When the store works again. */
  alarm_at: number
  /** As for the status. */
  retentionDays: number | undefined
}

/** What a store with a database of its own reports to the directory. The store is as it was when the run began. */
export async function readReport(db: Db, store: Store, { now, alarm_at, retentionDays }: Run): Promise<Report> {
  const counts = await readCounts(db, now, { retentionDays })
  return { ...store, ...counts, number: storeOf(store.id), alarm_at }
}
