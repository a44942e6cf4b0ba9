/** Checks what is where: of a store with a database of its own, the shared one has only the row of the directory. */
import type { KvData } from '../world/bindings.ts'
import * as contract from '../contract.ts'
import type { SimulatedEvidence } from './evidence.ts'
import { NOT_FOR_ENDPOINTS } from '../world/objects.ts'
import type { Row } from '../rows.ts'
import type { Database } from '../world/sqlite.ts'

/** As many ids as a store has. */
const IDS = 2 ** 32
/** Numbers from here on are those of stores in the EU. */
const FIRST_IN_EU = 2 ** 20 + 2 ** 19

interface Shared extends Pick<SimulatedEvidence, 'stores' | 'shared' | 'own' | 'endpoints'> {
  /** All that was ever stored in KV. */
  stored: KvData
}

export function checkPlaces({ stores, shared, own, endpoints, stored }: Shared): string[] {
  const numbers = new Set(shared.rows('directory').map(({ number }) => Number(number)))
  const people = stores
    .filter(({ place }) => place.place === 'own')
    .map(({ id }) => contract.personal(id, '').trimEnd())
  const tables = [...shared.dump()]
  return [
    ...[shared, ...own].flatMap(checkZones),
    ...tables.flatMap(([table]) => (table === 'directory' ? [] : rowsOfOthers(table, shared.rows(table), numbers))),
    ...tables.flatMap(([table, text]) =>
      people.filter((each) => text.includes(each)).map((each) => `table ${table} of D1 contains ${each}`),
    ),
    ...[...endpoints].flatMap(([name, database]) =>
      [...database.dump()]
        .filter(([, text]) => NOT_FOR_ENDPOINTS.test(text) || people.some((each) => text.includes(each)))
        .map(([table]) => `table ${table} of endpoint ${name} contains more than numbers, types, times and states`),
    ),
    ...[...stored.keys()]
      .filter((key) => Math.floor(Number(key.split(':').at(-1)) / IDS) >= FIRST_IN_EU)
      .map((key) => `a response of a store in the EU is in KV: ${key}`),
  ]
}

/** Without the row of its time zone, next to the store, its days would be counted in UTC. */
function checkZones(database: Database): string[] {
  const known = new Set(database.rows('time_zones').map(({ name }) => name))
  return database
    .rows('stores')
    .filter(({ time_zone: zone }) => zone !== 'UTC' && !known.has(zone))
    .map(({ slug, time_zone: zone }) => `store ${String(slug)} has no row of ${String(zone)}`)
}

/** The rows that belong to a store with one of these numbers: by an id, or by a column that names the store. */
function rowsOfOthers(table: string, rows: Row[], numbers: ReadonlySet<number>): string[] {
  const isOther = (row: Row) =>
    Object.entries(row).some(
      ([name, value]) =>
        typeof value === 'number' && (numbers.has(Math.floor(value / IDS)) || (name === 'store' && numbers.has(value))),
    )
  return rows.filter(isOther).map((row) => `table ${table} of D1 has a row of another place: ${JSON.stringify(row)}`)
}
