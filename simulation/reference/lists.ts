/** The lists of users, accesses, products and custom fields, page by page (contract, section 7, "Pagination"). */
import { PAGE_LIMIT } from '../../src/limits.ts'
import { type Row, toRow } from '../rows.ts'
import { type Call, invalid, type Operation, type Outcome } from './operation.ts'
import { search, searchText } from './search.ts'
import { type Access, isInForce, type State } from './state.ts'
import * as values from './values.ts'
import type { Rule } from './values.ts'

const { ifSent } = values
const byId = (a: Row, b: Row) => Number(a['id']) - Number(b['id'])

/** The users that a query finds, in their order. */
export function listUsers({ users }: State, { email, external_id, ids, q }: Row): Row[] {
  const wanted = typeof ids === 'string' ? ids.split(',') : undefined
  const found = [...users.values()]
    .map(({ json }) => json)
    .filter(
      (user) =>
        (email === undefined || values.emailKey(user['email']) === values.emailKey(email)) &&
        (external_id === undefined || user['external_id'] === external_id) &&
        (wanted === undefined || wanted.includes(String(user['id']))),
    )
    .toSorted(byId)
  return typeof q === 'string' ? search(found, q) : found
}

/** The accesses that a query finds. The first bound of dates is inclusive and the second is not. */
export function listAccesses(state: State, query: Row, now: number): Row[] {
  const { user_id, product_id, status, in_force } = query
  const [after, before] = [query['due_after'], query['due_before']].map(values.parseDateTime)
  const matches = (access: Access) => {
    const due = values.parseDateTime(access.json['access_due_date'])
    return (
      (user_id === undefined || access.user === user_id) &&
      (product_id === undefined || access.product === product_id) &&
      (status === undefined || access.json['status'] === status) &&
      (in_force === undefined || isInForce(access, now) === (in_force === 'true')) &&
      (after === undefined || (due !== undefined && due >= after)) &&
      (before === undefined || (due !== undefined && due < before))
    )
  }
  const found = [...state.accesses.values()].filter(matches)
  return found.map((access) => state.accessJson(access)).toSorted(byId)
}

const cursorOf = (row: Row | undefined) => String(row?.['key'] ?? row?.['id'])

/** The rows of a list after a cursor. That of a search holds a position; every other one is the last row that was read. */
function rowsAfter(state: State, call: Call, rows: Row[]): Row[] {
  const { after, order, q } = call.query
  if (after === undefined) return rows
  if (q !== undefined) return rows.slice(state.cursors.get(positionOf(call, after)))
  const isBeyond = (row: Row) => {
    const isKey = row['key'] !== undefined
    const [a, b] = isKey ? [String(row['key']), after] : [Number(row['id']), Number(after)]
    return order === 'desc' ? a < b : a > b
  }
  return rows.filter(isBeyond)
}

const positionOf = ({ query }: Call, cursor: string) =>
  JSON.stringify([{ ...query, limit: undefined, after: undefined }, cursor])

/** A page of these rows. If only a part of the records was examined for it, it may be short. */
export function page(rowsOf: (state: State, call: Call) => Row[]) {
  return (state: State, call: Call): Outcome => {
    const { limit = String(PAGE_LIMIT.default), order, q, after, ...filters } = call.query
    const rows = rowsOf(state, call)
    if (q !== undefined && after !== undefined && !state.cursors.has(positionOf(call, after))) return invalid('after')
    const rest = rowsAfter(state, call, order === 'desc' ? rows.toReversed() : rows)
    const { data, next } = call.drawn.json
    const isExamined =
      q !== undefined || ['status', 'in_force', 'due_after', 'due_before'].some((name) => name in filters)
    const mayContinue = isExamined && typeof next === 'string'
    const count = mayContinue && Array.isArray(data) ? Math.min(data.length, Number(limit)) : Number(limit)
    const shown = rest.slice(0, count)
    if (q !== undefined && typeof next === 'string')
      state.cursors.set(positionOf(call, next), rows.length - rest.length + shown.length)
    const end = rest.length > count ? cursorOf(shown.at(-1)) : null
    return { status: 200, body: { data: shown, next: mayContinue ? next : end } }
  }
}

const limit = values.rule(
  (value) => /^\d+$/.test(String(value)) && Number(value) >= 1 && Number(value) <= PAGE_LIMIT.max,
)
const order = values.oneOf(['asc', 'desc'])
export const PAGE = { limit: ifSent(limit), after: ifSent(values.recordId) }

const ids = values.rule((value) => {
  const all = String(value).split(',')
  return all.length <= PAGE_LIMIT.max && all.every((id) => values.recordId(id, 0).length === 0)
})

const USERS = {
  email: ifSent(values.email),
  external_id: ifSent(values.text(255)),
  ids: ifSent(ids),
  q: ifSent(searchText),
  order: ifSent(order),
  ...PAGE,
  after: ifSent(values.rule(() => true)),
}

const ACCESSES = {
  user_id: ifSent(values.recordId),
  product_id: ifSent(values.recordId),
  status: ifSent(values.oneOf(['with_access', 'without_access'])),
  in_force: ifSent(values.oneOf(['true', 'false'])),
  due_after: ifSent(values.dateTime),
  due_before: ifSent(values.dateTime),
  order: ifSent(order),
  ...PAGE,
}

/** A search has an order and a cursor of its own. */
const checkSearch: Rule = (query, now) => {
  const { q, order, after } = toRow(query)
  if (q === undefined) return ifSent(values.recordId)(after, now).map(() => 'after')
  return order === undefined ? [] : ['order']
}

/** What the list shows of an endpoint, besides its health. */
const shownEndpoint = ({ id, url, types, created_at }: Row): Row => ({ id, url, types, created_at, secret: undefined })

const byKey = (a: Row, b: Row) => (String(a['key']) < String(b['key']) ? -1 : 1)

export const LIST_OPERATIONS: Record<string, Operation> = {
  'GET /users': {
    scope: 'users:read',
    role: 'viewer',
    query: USERS,
    check: checkSearch,
    perform: page((state, { query }) => listUsers(state, query)),
  },
  'GET /product_accesses': {
    scope: 'product_accesses:read',
    role: 'viewer',
    query: ACCESSES,
    perform: page((state, { query, now }) => listAccesses(state, query, now)),
  },
  'GET /products': {
    scope: 'products:read',
    role: 'viewer',
    query: { slug: ifSent(values.slug), ...PAGE },
    perform: page(({ products }, { query: { slug } }) =>
      [...products.values()].filter((product) => slug === undefined || product['slug'] === slug).toSorted(byId),
    ),
  },
  'GET /webhook_endpoints': {
    scope: 'webhooks:read',
    role: 'viewer',
    query: PAGE,
    perform: page(({ endpoints }) => [...endpoints.values()].map(shownEndpoint).toSorted(byId)),
  },
  'GET /custom_fields': {
    scope: 'products:read',
    role: 'viewer',
    query: { ...PAGE, after: ifSent(values.fieldKey) },
    perform: page(({ fields }) => [...fields.values()].toSorted(byKey)),
  },
}
