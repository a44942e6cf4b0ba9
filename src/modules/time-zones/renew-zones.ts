/** The runtime gets new rules of time zones with its updates: then the rows of the zones are written anew. */
import { asc, eq, gt } from 'drizzle-orm'
import { batch, type Db } from '../../db/batch.ts'
import { time_zones } from '../../db/schema/stores.ts'
import { orm, params, statement } from '../../db/statement.ts'
import type { Positions } from '../../jobs/job-runs.ts'
import { pause } from '../../lib/pause.ts'
import { isTimeZone } from '../../calendar.ts'
import { changesOf } from './zone-rows.ts'

/** How many rows of time zones a run of the hourly job compares with the runtime, each of which takes 10 ms. */
const ZONES_RENEWED_AT_ONCE = 100

const nameParam = params('name')

const selectZones = statement(nameParam, () =>
  orm
    .select()
    .from(time_zones)
    .where(gt(time_zones.name, nameParam.name))
    .orderBy(asc(time_zones.name))
    .limit(ZONES_RENEWED_AT_ONCE),
)

const rowParams = { ...nameParam, ...params('changes') }

const updateZone = statement(rowParams, () =>
  orm.update(time_zones).set({ changes: rowParams.changes }).where(eq(time_zones.name, rowParams.name)),
)

interface Renewed {
  renewed: number
  /** The name after which the next run continues, unless it starts from the beginning. */
  positions: Positions
}

/** Compares the rows after this name with what the runtime knows now. A zone that it no longer knows keeps its row. */
export async function renewZones(db: Db, after: string): Promise<Renewed> {
  const { zones } = await batch(db, { zones: selectZones({ name: after }) }, { retry: 'only reads' })
  let renewed = 0
  for (const { name, changes } of zones) {
    const now = isTimeZone(name) ? changesOf(name) : changes
    if (now !== changes) {
      await batch(db, { zone: updateZone({ name, changes: now }) }, { retry: 'idempotent' })
      renewed++
    }
    // Requests of the same instance are served between two zones.
    await pause(0)
  }
  const last = zones.length === ZONES_RENEWED_AT_ONCE ? zones.at(-1) : undefined
  return { renewed, positions: last === undefined ? {} : { time_zones: last.name } }
}
