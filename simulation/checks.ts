/** What must hold at the end of a run, read through the service itself once everything is calm. */
import * as contract from './contract.ts'
import { describe, type History } from './history.ts'
import { findViolation } from './linearize.ts'
import type { Delivery } from './receiver.ts'
import type { Store } from './clients.ts'
import type { World } from './world.ts'

type Row = Record<string, unknown>

export interface Evidence {
  world: World
  history: History
  stores: Store[]
  deliveries: Delivery[]
  /** Of each store what was read of its events, by each of its followers. */
  followed: Map<string, string[][]>
}

/** All rows of a list, page by page. */
export async function readAll(
  history: History,
  name: string,
  list: (store: string, after?: string) => contract.Ask,
  store: string,
): Promise<Row[]> {
  const rows: Row[] = []
  let after: string | undefined
  for (let page = 0; ; page++) {
    const told = await history.ask(`${name} ${store} ${page}`, list(store, after))
    const { data, next } = told.json
    if (told.status !== 200 || !Array.isArray(data)) throw new Error(`no list: ${describe(told)}`)
    rows.push(...data)
    if (typeof next !== 'string') return rows
    after = next
  }
}

export function checkHistories({ operations }: History): string[] {
  return [...operations].flatMap(([key, history]) => {
    const violation = findViolation<unknown>(null, history)
    return violation === undefined ? [] : [`${key}: ${violation}`]
  })
}

/** One event per change, no change without one; none skipped by a follower; each delivered. */
export async function checkStore({ history, followed, deliveries }: Evidence, store: Store): Promise<string[]> {
  const events = await readAll(history, 'end events', contract.listEvents, store.id)
  const users = await readAll(history, 'end users', contract.listUsers, store.id)
  const accesses = await readAll(history, 'end accesses', contract.listAccesses, store.id)
  const ids = events.map(({ id }) => String(id))
  return [
    ...checkOrder(ids),
    ...checkPairs('user.created', events, 'user_id', users),
    ...checkPairs('product_access.granted', events, 'product_access_id', accesses),
    ...checkErasures(events, users, accesses),
    ...accesses.flatMap((access) => checkChain(access, events)),
    ...checkEmails(users),
    ...checkRequests(history, events),
    ...(followed.get(store.id) ?? []).flatMap((read) => checkFollower(read, ids)),
    ...events.flatMap((event) => checkDelivery(event, deliveries)),
  ].map((text) => `${store.id}: ${text}`)
}

function checkOrder(ids: string[]): string[] {
  const step = (i: number) => Number(ids[i]) - Number(ids[i - 1])
  return ids.flatMap((id, i) => {
    const isFine = i === 0 || (contract.OFFERS.gaplessEvents ? step(i) === 1 : step(i) > 0)
    return isFine ? [] : [`event ${id} follows ${ids[i - 1]}`]
  })
}

/** Whoever was erased is gone, with all accesses. */
function checkErasures(events: Row[], users: Row[], accesses: Row[]): string[] {
  const erased = erasedUsers(events)
  return [
    ...users.filter(({ id }) => erased.has(id)).map(({ id }) => `user ${String(id)} is back after the erasure`),
    ...accesses
      .filter(({ user }) => erased.has(toRow(user)['id']))
      .map(({ id }) => `access ${String(id)} outlives its user's erasure`),
  ]
}

function erasedUsers(events: Row[]): Set<unknown> {
  return new Set(events.filter(({ type }) => type === 'user.erased').map((event) => dataOf(event)['user_id']))
}

/** As many events of the type as there are rows, each of its own row, unless its user was erased. */
function checkPairs(type: string, events: Row[], field: string, rows: Row[]): string[] {
  const erased = erasedUsers(events)
  const own = events.filter((event) => event['type'] === type)
  const told = own.map((event) => String(dataOf(event)[field]))
  const expected = own
    .filter((event) => !erased.has(dataOf(event)['user_id']))
    .map((event) => String(dataOf(event)[field]))
  const there = rows.map(({ id }) => String(id))
  return [
    ...told.filter((id, i) => told.indexOf(id) !== i).map((id) => `${type} of ${id} twice`),
    ...expected.filter((id) => !there.includes(id)).map((id) => `${type} of ${id}, which is not there`),
    ...there.filter((id) => !told.includes(id)).map((id) => `${id} is there without ${type}`),
  ]
}

/** From what it was granted as, change by change, to what it is. */
function checkChain(access: Row, events: Row[]): string[] {
  const own = events.filter(
    (event) => dataOf(event)['product_access_id'] === access['id'] && event['type'] === 'product_access.updated',
  )
  const state: Row = { status: 'with_access', access_due_date: null }
  const wrong: string[] = []
  for (const event of own) {
    const changes = Object.entries(toRow(dataOf(event)['changes']))
    if (changes.length === 0) wrong.push(`event ${String(event['id'])} changes nothing`)
    for (const [field, change] of changes) {
      const { from, to } = toRow(change)
      if (state[field] !== from || from === to) {
        wrong.push(
          `event ${String(event['id'])}: ${field} from ${String(from)} to ${String(to)}, was ${String(state[field])}`,
        )
      }
      state[field] = to
    }
  }
  for (const [field, value] of Object.entries(state)) {
    if (access[field] === value) continue
    wrong.push(`access ${String(access['id'])}: ${field} is ${String(access[field])}, by its events ${String(value)}`)
  }
  return wrong
}

function checkEmails(users: Row[]): string[] {
  const emails = users.map(({ email }) => String(email).toLowerCase())
  return emails.filter((email, i) => emails.indexOf(email) !== i).map((email) => `two users have ${email}`)
}

/** What was refused left no event; no request left two of one kind. */
function checkRequests({ told }: History, events: Row[]): string[] {
  const refused = new Map(
    told
      .filter(({ status }) => status !== undefined && status >= 400 && status < 500)
      .map((each) => [each.headers.get('X-Request-Id'), each]),
  )
  const seen = new Set<string>()
  return events.flatMap((event) => {
    const { request_id, type } = event
    if (typeof request_id !== 'string') return []
    const key = `${request_id} ${String(type)}`
    const isTwice = seen.has(key)
    seen.add(key)
    const refusal = refused.get(request_id)
    return [
      ...(isTwice ? [`two events of ${key}`] : []),
      ...(refusal ? [`event ${String(event['id'])} is of a refused request: ${describe(refusal)}`] : []),
    ]
  })
}

function checkFollower(read: string[], ids: string[]): string[] {
  const at = ids.findIndex((id, i) => read[i] !== id)
  if (at === -1 && read.length === ids.length) return []
  return [`a follower has read ${read.length} of ${ids.length} events; instead of ${ids[at]} came ${read[at]}`]
}

/** Of the person's and the access's events: an endpoint is told of what came after it. */
function isAnnounced({ type }: Row): boolean {
  return /^(user|product_access)\./.test(String(type))
}

export function isDelivered(event: Row, deliveries: Delivery[]): boolean {
  const body = JSON.stringify(event)
  return deliveries.some((delivery) => delivery.body === body && delivery.status === 204)
}

function checkDelivery(event: Row, deliveries: Delivery[]): string[] {
  if (!isAnnounced(event)) return []
  const id = String(event['id'])
  if (!isDelivered(event, deliveries)) return [`event ${id} was not delivered`]
  const body = JSON.stringify(event)
  const names = new Set(deliveries.filter((delivery) => delivery.body === body).map((delivery) => delivery.id))
  return names.size === 1 ? [] : [`event ${id} was delivered under ${[...names].join(' and ')}`]
}

/** Nothing personal in a log line or a webhook, nothing of one store in an answer to another. */
export function checkSecrecy({ world, history, stores, deliveries }: Evidence): string[] {
  const lines = world.logs.filter((line) => line.includes(contract.PERSONAL))
  const bodies = deliveries.filter(({ body }) => body.includes(contract.PERSONAL))
  const leaks = history.told.filter(({ ask: { path, token }, text }) =>
    stores.some(
      (store) =>
        text.includes(contract.personal(store.id, '').trimEnd()) &&
        !path.includes(`/stores/${store.id}/`) &&
        !store.tokens.includes(token),
    ),
  )
  return [
    ...lines.map((line) => `a log line is personal: ${line}`),
    ...bodies.map(({ body }) => `a webhook is personal: ${body}`),
    ...leaks.map((told) => `an answer holds another store's data: ${describe(told)}`),
  ]
}

function dataOf(event: Row): Row {
  return toRow(event['data'])
}

function toRow(value: unknown): Row {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
