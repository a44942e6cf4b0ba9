/**
 * The row of a time zone: when its clocks change. SQL counts days with it (src/modules/time-zones/extended-date.ts). It is
 * written in the batch that gives a store its zone, so a store never has a zone without one.
 */
import { and, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { offsetChanges } from '../../calendar.ts'
import { time_zones } from '../../db/schema/stores.ts'
import { columnsOf, orm, params, type ValuesOf } from '../../db/statement.ts'

/** Dates before this time are not extended: an access that has ended is extended from now. */
const FROM = Date.UTC(2026, 0, 1)
/** After this time, the clocks of the last 28 years repeat (src/modules/time-zones/extended-date.ts). */
export const ZONE_ROWS_UNTIL = Date.UTC(2129, 2, 1)

export const zoneParams = params('time_zone', 'zone_changes')

/** Both are null without a zone. `UTC` has no changes, and no row. */
export function zoneValues(time_zone: string | undefined): ValuesOf<typeof zoneParams> {
  return { time_zone: time_zone ?? null, zone_changes: time_zone === undefined ? null : changesOf(time_zone) }
}

/** A runtime keeps its rules while it runs, and to ask for the 7,500 offsets of a zone takes 15 ms. */
const known = new Map<string, string>()
/** More than there are zones. An operator may write one in many letter cases, which are names of their own here. */
const MAX_KNOWN = 600

/** The offsets of the zone as the runtime knows them; null for `UTC`. */
export function changesOf(zone: string): string | null {
  if (zone === 'UTC') return null
  const kept = known.get(zone)
  if (kept !== undefined) return kept
  if (known.size >= MAX_KNOWN) known.clear()
  const changes = JSON.stringify(offsetChanges(zone, FROM, ZONE_ROWS_UNTIL))
  known.set(zone, changes)
  return changes
}

/** Inserts or renews the row of the zone, once for the row that `from` has where the condition holds. */
export function upsertZone(from: SQLiteTable | SQL, condition: SQL | undefined) {
  const { time_zone: name, zone_changes: changes } = zoneParams
  return orm
    .insert(time_zones)
    .select(
      orm
        .select(columnsOf(time_zones, { name, changes }))
        .from(from)
        .where(and(isNotNull(changes), condition)),
    )
    .onConflictDoUpdate({
      target: time_zones.name,
      set: { changes: sql`excluded.changes` },
      setWhere: sql`${time_zones.changes} <> excluded.changes`,
    })
}
