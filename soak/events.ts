/**
 * The reckoning of the events: their numbers have no gap and none is used twice, each names the one before it, each
 * change has its one and none is without its change; whoever follows them has seen each once and in order, and each was
 * delivered.
 */
import type { DatabaseSync } from 'node:sqlite'
import { numberOf } from '../src/db/ids.ts'
import type { AccessState, Memory } from './memory.ts'
import type { ReadEvent } from './reader.ts'
import type { Receiver } from './receiver.ts'
import { type SoakStore, undelivered } from './store.ts'
import { fullId, type Row, rows } from './verify.ts'

/** A state as the database holds it. */
type State = Record<'status' | 'access_due_date', string | number | null>
type Changes = Partial<Record<keyof State, { from: string | number | null; to: string | number | null }>>

const FIELDS = ['status', 'access_due_date'] as const
const GRANTED: State = { status: 'with_access', access_due_date: null }

export function verifyEvents(db: DatabaseSync, memory: Memory): string[] {
  const events = rows(db, 'select * from events order by id')
  const histories = Map.groupBy(events, (event) => Number(event['subject_id']))
  const accesses = rows(db, 'select * from product_accesses')
  const changes = (id: number) => (histories.get(id) ?? []).filter(({ type }) => type === 'product_access.updated')
  return [
    ...verifyNumbers(events),
    ...[...histories.values()].flatMap(verifyHistory),
    ...verifyRecords('user.created', rows(db, 'select id, event_id from users'), histories),
    ...verifyRecords('product_access.granted', accesses, histories),
    ...accesses.flatMap((access) => verifyChain(access, changes(Number(access['id'])))),
    ...[...memory.acknowledged].flatMap(([id, states]) =>
      verifyUpdates(id, states, changes(fullId(db, id)), memory.sharedAccess),
    ),
  ]
}

/** Each number once and none left out; and no request has made one change twice. */
function verifyNumbers(events: Row[]): string[] {
  const gap = events.findIndex(({ id }, i) => numberOf(Number(id)) !== i + 1)
  const requests = Map.groupBy(events, (event) => event['request_id'])
  return [
    ...(gap === -1 ? [] : [`event ${gap + 1} is missing`]),
    ...[...requests]
      .filter(([, made]) => made.length > 1)
      .map(
        ([id, made]) => `request ${String(id)} has made the events ${JSON.stringify(made.map((event) => event['id']))}`,
      ),
  ]
}

/** Of one record: from the event that made it, each naming the one before it, and nothing after its erasure. */
function verifyHistory(history: Row[]): string[] {
  return history.flatMap(({ id, previous_id }, i) => {
    const before = history[i - 1]
    const isFirst = before === undefined
    const follows = isFirst ? previous_id === null : previous_id === before['id'] && before['type'] !== 'user.erased'
    return follows
      ? []
      : [`event ${String(id)} names ${String(previous_id)} before it, which is ${JSON.stringify(before)}`]
  })
}

/** Each record has the number of the event that made it, and bears the newest; what has an event and no row is erased. */
function verifyRecords(type: string, records: Row[], histories: Map<number, Row[]>): string[] {
  const wrong: string[] = []
  const known = new Set(records.map(({ id }) => id))
  for (const { id, event_id } of records) {
    const history = histories.get(Number(id)) ?? []
    if (history[0]?.['id'] !== id || history[0]?.['type'] !== type) wrong.push(`${String(id)} has no ${type}`)
    if (history.at(-1)?.['id'] !== event_id) wrong.push(`${String(id)} bears ${String(event_id)}, not its newest event`)
  }
  const isErased = (id: unknown) => histories.get(Number(id))?.at(-1)?.['type'] === 'user.erased'
  for (const [made] of histories.values()) {
    if (made?.['type'] !== type || known.has(made['id'])) continue
    if (!isErased(made['user_id'] ?? made['id'])) wrong.push(`${type} ${String(made['id'])}, which does not exist`)
  }
  return wrong
}

/** From the state it was granted in, event by event, to the state it is in. */
function verifyChain(access: Row, events: Row[]): string[] {
  const wrong: string[] = []
  const state = { ...GRANTED }
  for (const { id, data } of events) {
    const changed = changesIn(data)
    if (Object.keys(changed).length === 0) wrong.push(`event ${String(id)} changes nothing`)
    for (const field of FIELDS) {
      const change = changed[field]
      if (!change) continue
      if (change.from !== state[field] || change.to === change.from) {
        wrong.push(`event ${String(id)}: ${field} from ${change.from} to ${change.to}, was ${state[field]}`)
      }
      state[field] = change.to
    }
  }
  const isLast = FIELDS.every((field) => access[field] === state[field])
  return isLast ? wrong : [...wrong, `access ${JSON.stringify(access)}, by its events ${JSON.stringify(state)}`]
}

/** What a client was told it has changed: on its own access the very events, one each; on the shared one among them. */
function verifyUpdates(id: string, acknowledged: AccessState[], events: Row[], sharedAccess: string): string[] {
  const states = acknowledged.map(toState)
  const changes = events.map((event) => changesIn(event['data']))
  if (id === sharedAccess) {
    const dates = new Set(changes.map(({ access_due_date }) => access_due_date?.to))
    return states
      .filter(({ access_due_date: date }) => date !== null && !dates.has(date))
      .map((state) => `no event of ${JSON.stringify(state)} on access ${id}`)
  }
  const expected = states.flatMap((to, i) => {
    const from = states[i - 1]
    const changed = from ? FIELDS.filter((field) => from[field] !== to[field]) : []
    return from && changed.length > 0 ? [changed.map((field) => [field, from[field], to[field]])] : []
  })
  const found = changes.map((changed) =>
    FIELDS.flatMap((field) => (changed[field] ? [[field, changed[field].from, changed[field].to]] : [])),
  )
  const at = Math.max(expected.length, found.length)
  const different = Array.from({ length: at }, (_, i) => i).find(
    (i) => JSON.stringify(expected[i]) !== JSON.stringify(found[i]),
  )
  if (different === undefined) return []
  return [
    `access ${id}: change ${different} was ${JSON.stringify(expected[different])}, its event says ${JSON.stringify(found[different])}`,
  ]
}

/** Each event once, in the order of the commits, as it was delivered. */
export function verifyFollowers(db: DatabaseSync, store: SoakStore, read: ReadEvent[], receiver: Receiver): string[] {
  const { deliveries } = receiver
  const ids = rows(db, 'select id from events order by id').map(({ id }) => String(numberOf(Number(id))))
  const wrong = undelivered(store, read, deliveries).map(({ id, type }) => `event ${id} (${type}) was not delivered`)
  const differs = ids.findIndex((id, i) => read[i]?.id !== id)
  if (differs !== -1 || read.length !== ids.length) {
    wrong.push(`read ${read.length} of ${ids.length} events; the first difference is at ${ids[differs] ?? 'the end'}`)
  }
  const bodies = new Map(read.map((event) => [`${store.store}_${event.id}`, JSON.stringify(event)]))
  for (const [id, { body }] of deliveries) {
    if (bodies.get(id) !== body) wrong.push(`delivered ${id}: ${body}, read ${bodies.get(id)}`)
  }
  const open = rows(db, "select event_id, state from webhook_deliveries where state <> 'delivered'")
  return [...wrong, ...open.map((row) => `delivery of event ${String(row['event_id'])} is ${String(row['state'])}`)]
}

function toState({ status, access_due_date }: AccessState): State {
  return { status, access_due_date: access_due_date === null ? null : Date.parse(access_due_date) }
}

function changesIn(data: unknown): Changes {
  return typeof data === 'string' ? JSON.parse(data).changes : {}
}
