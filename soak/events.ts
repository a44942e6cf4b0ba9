/**
 * Checks the events after the soak: their ids have no gap and no duplicate, each refers to the one before it, each
 * change has one event and each event a change. Readers of the feed must have got each event once and in order, and each
 * must have been delivered. Otherwise an integrator would miss a change or process one twice.
 */
import type { DatabaseSync } from 'node:sqlite'
import { numberOf } from '../src/db/ids.ts'
import type { AccessState, Memory } from './memory.ts'
import type { ReadEvent } from './reader.ts'
import type { Receiver } from './receiver.ts'
import { type SoakStore, undelivered } from './store.ts'
import { fullId, type Row, rows } from './verify.ts'

/** This is a state as the database stores it. */
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
    ...verifyIds(events),
    ...[...histories.values()].flatMap(verifyHistory),
    ...verifyRecords('user.created', rows(db, 'select id, event_id from users'), histories),
    ...verifyRecords('product_access.granted', accesses, histories),
    ...accesses.flatMap((access) => verifyStates(access, changes(Number(access['id'])))),
    ...[...memory.acknowledged].flatMap(([id, states]) =>
      verifyUpdates(id, states, changes(fullId(db, id)), memory.sharedAccess),
    ),
    ...verifyLaterStates(memory, changes(fullId(db, memory.sharedAccess))),
  ]
}

/** Each id must occur once without a gap, and no request may have written two events. */
function verifyIds(events: Row[]): string[] {
  const gap = events.findIndex(({ id }, i) => numberOf(Number(id)) !== i + 1)
  const requests = Map.groupBy(events, (event) => event['request_id'])
  return [
    ...(gap === -1 ? [] : [`event ${gap + 1} is missing`]),
    ...[...requests]
      .filter(([, written]) => written.length > 1)
      .map(
        ([id, written]) =>
          `request ${String(id)} wrote the events ${JSON.stringify(written.map((event) => event['id']))}`,
      ),
  ]
}

/** In the history of a record, each event must refer to the one before it, and an erasure must be the last. */
function verifyHistory(history: Row[]): string[] {
  return history.flatMap(({ id, previous_id }, i) => {
    const before = history[i - 1]
    const isFirst = before === undefined
    const follows = isFirst ? previous_id === null : previous_id === before['id'] && before['type'] !== 'user.erased'
    return follows
      ? []
      : [`event ${String(id)} refers to ${String(previous_id)}, but the event before it is ${JSON.stringify(before)}`]
  })
}

/** A record must have the id of its first event and refer to its newest; without a row it must have been erased. */
function verifyRecords(type: string, records: Row[], histories: Map<number, Row[]>): string[] {
  const problems: string[] = []
  const known = new Set(records.map(({ id }) => id))
  for (const { id, event_id } of records) {
    const history = histories.get(Number(id)) ?? []
    if (history[0]?.['id'] !== id || history[0]?.['type'] !== type) problems.push(`${String(id)} has no ${type}`)
    if (history.at(-1)?.['id'] !== event_id)
      problems.push(`${String(id)} refers to ${String(event_id)}, which is not its newest event`)
  }
  const isErased = (id: unknown) => histories.get(Number(id))?.at(-1)?.['type'] === 'user.erased'
  for (const [first] of histories.values()) {
    if (first?.['type'] !== type || known.has(first['id'])) continue
    if (!isErased(first['user_id'] ?? first['id'])) problems.push(`${type} ${String(first['id'])} has no record`)
  }
  return problems
}

/** The events must lead from the granted state to the current state, or one of them is missing or wrong. */
function verifyStates(access: Row, events: Row[]): string[] {
  const problems: string[] = []
  const state = { ...GRANTED }
  for (const { id, data } of events) {
    const changed = changesIn(data)
    if (Object.keys(changed).length === 0) problems.push(`event ${String(id)} changes nothing`)
    for (const field of FIELDS) {
      const change = changed[field]
      if (!change) continue
      if (change.from !== state[field] || change.to === change.from) {
        problems.push(`event ${String(id)}: ${field} from ${change.from} to ${change.to}, but it was ${state[field]}`)
      }
      state[field] = change.to
    }
  }
  const isLast = FIELDS.every((field) => access[field] === state[field])
  return isLast
    ? problems
    : [...problems, `access ${JSON.stringify(access)}, but by its events ${JSON.stringify(state)}`]
}

/** Each acknowledged update must have an event. On a client's own access, no other events may exist. */
function verifyUpdates(id: string, acknowledged: AccessState[], events: Row[], sharedAccess: string): string[] {
  const states = acknowledged.map(toState)
  const changes = events.map((event) => changesIn(event['data']))
  if (id === sharedAccess) {
    const dates = new Set(changes.map(({ access_due_date }) => access_due_date?.to))
    return states
      .filter(({ access_due_date: date }) => date !== null && !dates.has(date))
      .map((state) => `no event for ${JSON.stringify(state)} of access ${id}`)
  }
  const expected = states.flatMap((to, i) => {
    const from = states[i - 1]
    const changed = from ? FIELDS.filter((field) => from[field] !== to[field]) : []
    return from && changed.length > 0 ? [changed.map((field) => [field, from[field], to[field]])] : []
  })
  const found = changes.map((changed) =>
    FIELDS.flatMap((field) => (changed[field] ? [[field, changed[field].from, changed[field].to]] : [])),
  )
  const length = Math.max(expected.length, found.length)
  const different = Array.from({ length }, (_, i) => i).find(
    (i) => JSON.stringify(expected[i]) !== JSON.stringify(found[i]),
  )
  if (different === undefined) return []
  return [
    `access ${id}: change ${different} was ${JSON.stringify(expected[different])}, but its event is ${JSON.stringify(found[different])}`,
  ]
}

/**
 * A response may show a later state than the one that the request set. Then the request has its event, and the ETag names
 * a later one, after which the access was as shown.
 */
function verifyLaterStates({ laterStates, sharedAccess }: Memory, events: Row[]): string[] {
  return laterStates.flatMap(({ requestId, etag, sent, shown }) => {
    const own = events.findIndex((event) => event['request_id'] === requestId)
    const last = events.findIndex(({ id }) => etag === `"${sharedAccess}-${numberOf(Number(id))}"`)
    const isSet = own !== -1 && isSame(stateAfter(events, own), toState(sent))
    const isLater = last > own && isSame(stateAfter(events, last), toState(shown))
    return isSet && isLater
      ? []
      : [
          `the update ${requestId} of ${sharedAccess} to ${JSON.stringify(sent)} showed ${JSON.stringify(shown)} (${etag})`,
        ]
  })
}

/** The state after the event at this position. */
function stateAfter(events: Row[], position: number): State {
  const state = { ...GRANTED }
  for (const { data } of events.slice(0, position + 1)) {
    for (const [field, change] of Object.entries(changesIn(data))) Object.assign(state, { [field]: change.to })
  }
  return state
}

function isSame(a: State, b: State): boolean {
  return FIELDS.every((field) => a[field] === b[field])
}

/** The reader must have got each event once in the order of the commits, and the receiver the same bodies. */
export function verifyReaders(db: DatabaseSync, store: SoakStore, read: ReadEvent[], receiver: Receiver): string[] {
  const { deliveries } = receiver
  const ids = rows(db, 'select id from events order by id').map(({ id }) => String(numberOf(Number(id))))
  const problems = undelivered(store, read, deliveries).map(({ id, type }) => `event ${id} (${type}) was not delivered`)
  const differs = ids.findIndex((id, i) => read[i]?.id !== id)
  if (differs !== -1 || read.length !== ids.length) {
    problems.push(`read ${read.length} of ${ids.length} events; they differ first at ${ids[differs] ?? 'the end'}`)
  }
  const bodies = new Map(read.map((event) => [`${store.store}_${event.id}`, JSON.stringify(event)]))
  for (const [id, { body }] of deliveries) {
    if (bodies.get(id) !== body) problems.push(`delivered ${id}: ${body}, read ${bodies.get(id)}`)
  }
  const open = rows(db, "select event_id, state from webhook_deliveries where state <> 'delivered'")
  return [...problems, ...open.map((row) => `delivery of event ${String(row['event_id'])} is ${String(row['state'])}`)]
}

function toState({ status, access_due_date }: AccessState): State {
  return { status, access_due_date: access_due_date === null ? null : Date.parse(access_due_date) }
}

function changesIn(data: unknown): Changes {
  return typeof data === 'string' ? JSON.parse(data).changes : {}
}
