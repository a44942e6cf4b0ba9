import { batch, type Db } from '../../db/batch.ts'
import { storeOf } from '../../db/ids.ts'
import { stores } from '../../db/schema.ts'
import { orm, statement } from '../../db/statement.ts'
import { requireRow } from '../errors.ts'
import { readCounts } from '../status.ts'
import type { Report } from './directory.ts'

const selectStore = statement({}, () => orm.select().from(stores))

interface Run {
  now: number
  /** When the store works again. */
  alarm_at: number
  /** As for the status. */
  retentionDays: number | undefined
}

/** What a store with a database of its own reports to the directory. */
export async function readReport(db: Db, { now, alarm_at, retentionDays }: Run): Promise<Report> {
  const { found } = await batch(db, { found: selectStore({}) }, { retry: 'only reads' })
  const store = requireRow(found)
  const counts = await readCounts(db, now, { retentionDays })
  return { ...store, ...counts, number: storeOf(store.id), alarm_at }
}
