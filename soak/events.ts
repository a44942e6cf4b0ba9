/**
 * The reckoning of the events: each change has its one, none is without its change, whoever follows them has seen
 * each once and in order, and each was delivered.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { AccessState, Memory } from './soak-clients.ts'
import type { ReadEvent } from './soak-reader.ts'
import type { Receiver } from './soak-receiver.ts'
import { rows } from './soak-verify.ts'

type Row = Record<string, unknown>
/** A state as the database holds it. */
type State = Record<'status' | 'access_due_date', string | number | null>
type Changes = Partial<Record<keyof State, { from: string | number | null; to: string | number | null }>>

const FIELDS = ['status', 'access_due_date'] as const
const GRANTED: State = { status: 'with_access', access_due_date: null }
const TYPES = new Set(['access_token.created', 'user.created', 'product_access.granted', 'product_access.updated'])

export function verifyEvents(db: DatabaseSync, memory: Memory): string[] {
  const events = rows(db, 'select * from events order by id')
  const ofType = Map.groupBy(events, ({ type }) => String(type))
  const updated = Map.groupBy(ofType.get('product_access.updated') ?? [], (event) => String(event['product_access_id']))
  const accesses = rows(db, 'select * from product_accesses')
  return [
    ...oneEach('user.created', ofType.get('user.created'), 'user_id', rows(db, 'select id from users')),
    ...oneEach('product_access.granted', ofType.get('product_access.granted'), 'product_access_id', accesses),
    ...accesses.flatMap((access) => verifyChain(access, updated.get(String(access['id'])) ?? [])),
    ...[...memory.acknowledged].flatMap(([id, states]) => verifyUpdates(id, states, updated.get(id) ?? [], memory)),
    ...[...updated.keys()]
      .filter((id) => !memory.acknowledged.has(id))
      .map((id) => `events of access ${id}, which is none`),
    ...[...ofType.keys()].filter((type) => !TYPES.has(type)).map((type) => `events of type ${type}`),
  ]
}

/** As many events of the type as there are rows, each of its own row. */
function oneEach(type: string, events: Row[] = [], column: string, of: Row[]): string[] {
  const counts = Map.groupBy(events, (event) => event[column])
  const ids = new Set(of.map(({ id }) => id))
  return [
    ...[...ids]
      .filter((id) => counts.get(id)?.length !== 1)
      .map((id) => `${counts.get(id)?.length ?? 0} × ${type} of ${String(id)}`),
    ...[...counts.keys()].filter((id) => !ids.has(id)).map((id) => `${type} of ${String(id)}, which does not exist`),
  ]
}

/** From the state it was granted in, event by event, to the state it is in; its version counts the events. */
function verifyChain(access: Row, events: Row[]): string[] {
  const wrong: string[] = []
  const state = { ...GRANTED }
  for (const { id, changes } of events) {
    const changed = parseChanges(changes)
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
  const { id, version } = access
  const isLast = FIELDS.every((field) => access[field] === state[field])
  if (!isLast) wrong.push(`access ${String(id)} is ${JSON.stringify(access)}, by its events ${JSON.stringify(state)}`)
  if (version !== events.length + 1)
    wrong.push(`access ${String(id)}: version ${String(version)}, ${events.length} events`)
  return wrong
}

/** What a client was told it has changed: on its own access the very events, one each; on the shared one among them. */
function verifyUpdates(id: string, acknowledged: AccessState[], events: Row[], { sharedAccess }: Memory): string[] {
  const states = acknowledged.map(toState)
  const changes = events.map((event) => parseChanges(event['changes']))
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
export function verifyFollowers(db: DatabaseSync, read: ReadEvent[], { deliveries }: Receiver): string[] {
  const ids = rows(db, 'select id from events order by id').map((row) => String(row['id']))
  const wrong: string[] = []
  const differs = ids.findIndex((id, i) => read[i]?.id !== id)
  if (differs !== -1 || read.length !== ids.length) {
    wrong.push(`read ${read.length} of ${ids.length} events; the first difference is at ${ids[differs] ?? 'the end'}`)
  }
  for (const event of read) {
    const delivery = deliveries.get(event.id)
    if (!delivery || delivery.accepted === 0) wrong.push(`event ${event.id} (${event.type}) was not delivered`)
    else if (delivery.body !== JSON.stringify(event)) wrong.push(`event ${event.id} is not what was delivered`)
  }
  const known = new Set(ids)
  wrong.push(...[...deliveries.keys()].filter((id) => !known.has(id)).map((id) => `delivered ${id}, which is no event`))
  const open = rows(db, "select event_id, state from webhook_deliveries where state <> 'delivered'")
  return [...wrong, ...open.map((row) => `delivery of event ${String(row['event_id'])} is ${String(row['state'])}`)]
}

function toState({ status, access_due_date }: AccessState): State {
  return { status, access_due_date: access_due_date === null ? null : Date.parse(access_due_date) }
}

function parseChanges(changes: unknown): Changes {
  return typeof changes === 'string' ? JSON.parse(changes) : {}
}
