/** The state of a run at its end, read through the service itself once no faults occur any more. */
import { isDeepStrictEqual } from 'node:util'
import type { Store } from '../clients/client.ts'
import * as contract from '../contract.ts'
import type { FollowerLog } from '../clients/followers.ts'
import { describe, type History } from '../clients/history.ts'
import type { Delivery } from '../world/receiver.ts'
import { type Row, toRow, toRows } from '../rows.ts'
import type { Database } from '../world/sqlite.ts'
import type { World } from '../world/world.ts'

export interface StoreEvidence {
  store: Store
  followed: FollowerLog[]
  /** All events in the order of their ids: those that the feed still has, and deleted ones that followers have read. */
  events: Row[]
  users: Row[]
  accesses: Row[]
}

/** What most checks need. */
export interface Evidence {
  world: Pick<World, 'now' | 'faults' | 'logs'>
  history: History
  stores: Store[]
  deliveries: Delivery[]
  /** All rows of each table as text, in all databases. */
  tables: Map<string, string>
}

/** What is known in addition about a simulated world. */
export interface SimulatedEvidence extends Evidence {
  world: World
  /** D1. */
  shared: Database
  /** Those of the stores that have one of their own. */
  own: Database[]
  /** The databases of the endpoints' objects, by their ids. */
  endpoints: Map<string, Database>
  /** The rows of a table, in all databases. Ids differ between stores. */
  rows: (table: string) => Row[]
}

/** What is in D1 and in the databases of objects. */
export function contentOf(
  shared: Database,
  { own, endpoints }: { own: Database[]; endpoints: Map<string, Database> },
): Pick<SimulatedEvidence, 'shared' | 'own' | 'endpoints' | 'tables' | 'rows'> {
  const tables = shared.dump()
  for (const each of [...own, ...endpoints.values()]) {
    for (const [table, text] of each.dump()) tables.set(table, `${tables.get(table) ?? ''}\n${text}`)
  }
  return { shared, own, endpoints, tables, rows: (table) => [shared, ...own].flatMap((each) => each.rows(table)) }
}

/** Reads all rows of a list, page by page. */
export async function readAll(history: History, name: string, list: contract.List, store: string): Promise<Row[]> {
  const rows: Row[] = []
  let after: string | undefined
  for (let page = 0; ; page++) {
    const exchange = await history.send(`${name} ${store} ${page}`, list(store, after))
    const { data, next } = exchange.json
    if (exchange.status !== 200 || !Array.isArray(data))
      throw new Error(`the response is not a list: ${describe(exchange)}`)
    rows.push(...toRows(data))
    if (typeof next !== 'string') return rows
    after = next
  }
}

/** As a token and a webhook show an event: the names of operators are only under /admin. */
export function withoutOperatorName(event: Row): Row {
  const { name: _, ...actor } = toRow(event['actor'])
  return actor['type'] === 'operator' && actor['id'] !== null ? Object.assign({}, event, { actor }) : event
}

export async function readEvidence(history: History, store: Store, followed: FollowerLog[]): Promise<StoreEvidence> {
  const kept = (await readAll(history, 'end events', contract.listEvents, store.id)).map(withoutOperatorName)
  const users = await readAll(history, 'end users', contract.listUsers, store.id)
  const accesses = await readAll(history, 'end accesses', contract.listAccesses, store.id)
  const events = new Map<string, Row>()
  for (const event of [...followed.flatMap((each) => each.events), ...kept]) {
    const id = String(event['id'])
    const known = events.get(id)
    // The reference names the fields of an event in another order than the service.
    if (known && !isDeepStrictEqual(known, event)) {
      history.violations.push(
        `${store.id}: event ${id} was shown as ${JSON.stringify(known)} and as ${JSON.stringify(event)}`,
      )
    }
    events.set(id, event)
  }
  const ordered = [...events.values()].toSorted((a, b) => Number(a['id']) - Number(b['id']))
  return { store, followed, events: ordered, users, accesses }
}
