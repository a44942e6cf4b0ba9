/** The lists of users, accesses, products and custom fields, page by page (contract, section 7, "Pagination"). */
import { PAGE_LIMIT } from '../../../src/limits.ts'
import { type Row, toRow } from '../rows.ts'
import { FIELD, fieldFilters } from './input.ts'
import { type Call, invalid, notFound, type Operation, type Outcome } from './operation.ts'
import { search, searchText } from './search.ts'
import { type Access, isInForce, type State } from './state.ts'
import * as values from './values.ts'
import type { Rule } from './values.ts'

const { ifSent } = values
export const byId = (a: Row, b: Row) => Number(a['id']) - Number(b['id'])

/** True for users who have the value in the custom field: as a string, or as JSON that is written like this. */
function hasField(user: Row, query: Row): boolean {
  const [name, value] = Object.entries(query).find(([each]) => each.startsWith(FIELD)) ?? []
  if (name === undefined) return true
  const own = Object.getOwnPropertyDescriptor(toRow(user['custom_fields']), name.slice(FIELD.length))?.value
  return own === value || (typeof own !== 'string' && own !== undefined && JSON.stringify(own) === value)
}

/** A filter by a custom field that the store does not define is found wrong once everything else is right. */
export function ofKnownField(perform: Operation['perform']): Operation['perform'] {
  return (state, call) => {
    const unknown = fieldFilters(call.query).filter((name) => !state.fields.has(name.slice(FIELD.length)))
    return unknown.length > 0 ? invalid(...unknown) : perform(state, call)
  }
}

/** The users that a query finds, in their order. */
export function listUsers({ users }: State, { email, external_id, ids, q, ...rest }: Row): Row[] {
  const wanted = typeof ids === 'string' ? ids.split(',') : undefined
  const found = [...users.values()]
    .map(({ json }) => json)
    .filter(
      (user) =>
        (email === undefined || values.emailKey(user['email']) === values.emailKey(email)) &&
        (external_id === undefined || user['external_id'] === external_id) &&
        (wanted === undefined || wanted.includes(String(user['id']))) &&
        hasField(user, rest),
    )
    .toSorted(byId)
  return typeof q === 'string' ? search(found, q) : found
}

/** True if a filter finds the access. The first bound of dates is inclusive and the second is not. */
function matches(access: Access, filter: Row, now: number): boolean {
  const { ids, user_id, user_ids, product_id, status, in_force } = filter
  const listed = (list: unknown, id: unknown) =>
    typeof list === 'string' ? list.split(',').includes(String(id)) : !Array.isArray(list) || list.includes(id)
  const [after, before] = [filter['due_after'], filter['due_before']].map(values.parseDateTime)
  const due = values.parseDateTime(access.json['access_due_date'])
  return (
    (user_id === undefined || access.user === user_id) &&
    listed(ids, access.json['id']) &&
    listed(user_ids, access.user) &&
    (product_id === undefined || access.product === product_id) &&
    (status === undefined || access.json['status'] === status) &&
    (in_force === undefined || (in_force === true || in_force === 'true') === isInForce(access, now)) &&
    (after === undefined || (due !== undefined && due >= after)) &&
    (before === undefined || (due !== undefined && due < before))
  )
}

/** True if a filter finds the access, by what its user has in a custom field too. */
export function finds({ users }: State, access: Access, filter: Row, now: number): boolean {
  const { key, value } = toRow(filter['custom_field'])
  const wanted = typeof key === 'string' ? { [`${FIELD}${key}`]: value } : filter
  return matches(access, filter, now) && hasField(users.get(access.user)?.json ?? {}, wanted)
}

export const accessesWhere = (state: State, filter: Row, now: number): Access[] =>
  [...state.accesses.values()].filter((access) => finds(state, access, filter, now))

export function listAccesses(state: State, query: Row, now: number): Row[] {
  return accessesWhere(state, query, now)
    .map((access) => state.accessJson(access))
    .toSorted(byId)
}

const idOf = (row: Row) => row['key'] ?? row['event_id'] ?? row['id']
const cursorOf = (row: Row | undefined) => String(row && idOf(row))

interface Order {
  usual?: 'asc' | 'desc'
  /** True if a cursor holds a position; otherwise it is the last row that was read. */
  byPosition?: boolean
  /** True if any page may be short: the service may examine a part of the records, or has some that are not known here. */
  mayBeShort?: boolean
}

const positionOf = ({ request, query }: Call, cursor: string) =>
  JSON.stringify([request.path.split('?')[0], { ...query, limit: undefined, after: undefined }, cursor])

function isBeyond(row: Row, after: string, isReversed: boolean): boolean {
  const id = String(idOf(row))
  const isNumber = [id, after].every((each) => /^\d+$/.test(each)) && row['key'] === undefined
  const [a, b] = isNumber ? [Number(id), Number(after)] : [id, after]
  return isReversed ? a < b : a > b
}

/** A page of these rows. If only a part of the records was examined for it, it may be short, but omits nothing. */
export function page(
  rowsOf: (state: State, call: Call) => Row[],
  { usual = 'asc', byPosition, mayBeShort }: Order = {},
) {
  return (state: State, call: Call): Outcome => {
    const { limit = String(PAGE_LIMIT.default), order = usual, q, after, ...filters } = call.query
    const isReversed = order === 'desc'
    const hasPosition = byPosition === true || q !== undefined
    const position = after === undefined ? 0 : state.cursors.get(positionOf(call, after))
    if (hasPosition && position === undefined) return invalid('after')
    const rows = isReversed ? rowsOf(state, call).toReversed() : rowsOf(state, call)
    const isLeft = (row: Row) => after === undefined || isBeyond(row, after, isReversed)
    const rest = hasPosition ? rows.slice(position) : rows.filter(isLeft)
    const { data, next } = call.drawn.json
    const isExamined =
      mayBeShort === true ||
      q !== undefined ||
      Object.keys(filters).some((name) => EXAMINED.has(name) || name.startsWith(FIELD))
    const mayContinue = isExamined && typeof next === 'string'
    const count = mayContinue && Array.isArray(data) ? Math.min(data.length, Number(limit)) : Number(limit)
    const shown = rest.slice(0, count)
    if (hasPosition && typeof next === 'string')
      state.cursors.set(positionOf(call, next), rows.length - rest.length + shown.length)
    const cursor = hasPosition ? (next ?? 'a cursor') : cursorOf(shown.at(-1))
    const following = hasPosition ? undefined : rest[count]
    const omitsOne = mayContinue && following !== undefined && !isBeyond(following, next, isReversed)
    const isRight = mayContinue && !omitsOne
    return { status: 200, body: { data: shown, next: isRight ? next : rest.length > count ? cursor : null } }
  }
}

/** A request with one of these filters examines a limited number of records. */
const EXAMINED = new Set(['status', 'in_force', 'due_after', 'due_before'])

/** A number in a query. */
export const integerText = (min: number, max: number) =>
  values.rule((value) => /^\d+$/.test(String(value)) && Number(value) >= min && Number(value) <= max)
export const order = values.oneOf(['asc', 'desc'])
/** A cursor that holds a position is known to nobody but the service. */
export const opaque = ifSent(values.rule((value) => /^[!-~]+$/.test(String(value))))
export const PAGE = { limit: ifSent(integerText(1, PAGE_LIMIT.max)), after: ifSent(values.recordId) }

const ids = values.rule((value) => {
  const all = String(value).split(',')
  return all.length <= PAGE_LIMIT.max && all.every((id) => values.recordId(id, 0).length === 0)
})

const fieldValue = values.text(1000)

export const USER_FILTERS = {
  email: ifSent(values.email),
  external_id: ifSent(values.text(255)),
  ids: ifSent(ids),
  q: ifSent(searchText),
  [FIELD]: fieldValue,
}
const USERS = { ...USER_FILTERS, order: ifSent(order), ...PAGE, after: opaque }

export const ACCESS_FILTERS = {
  ids: ifSent(ids),
  user_ids: ifSent(ids),
  [FIELD]: fieldValue,
  user_id: ifSent(values.recordId),
  product_id: ifSent(values.recordId),
  status: ifSent(values.oneOf(['with_access', 'without_access'])),
  in_force: ifSent(values.oneOf(['true', 'false'])),
  due_after: ifSent(values.dateTime),
  due_before: ifSent(values.dateTime),
}
const ACCESSES = { ...ACCESS_FILTERS, order: ifSent(order), ...PAGE }

/** A search is not for the value of a custom field as well. */
export const checkFilters: Rule = (query) => (toRow(query)['q'] === undefined ? [] : fieldFilters(toRow(query)))

/** A search has an order and a cursor of its own. */
const checkSearch: Rule = (query, now) => {
  const { q, order, after } = toRow(query)
  if (q === undefined) return ifSent(values.recordId)(after, now).map(() => 'after')
  return [...checkFilters(query, now), ...(order === undefined ? [] : ['order'])]
}

const byKey = (a: Row, b: Row) => (String(a['key']) < String(b['key']) ? -1 : 1)

export const LIST_OPERATIONS: Record<string, Operation> = {
  'GET /users': {
    scope: 'users:read',
    role: 'viewer',
    query: USERS,
    check: checkSearch,
    perform: ofKnownField(page((state, { query }) => listUsers(state, query))),
  },
  'GET /product_accesses': {
    scope: 'product_accesses:read',
    role: 'viewer',
    query: ACCESSES,
    perform: ofKnownField(page((state, { query, now }) => listAccesses(state, query, now))),
  },
  'GET /products': {
    scope: 'products:read',
    role: 'viewer',
    query: { slug: ifSent(values.slug), ...PAGE },
    perform: page(({ products }, { query: { slug } }) =>
      [...products.values()].filter((product) => slug === undefined || product['slug'] === slug).toSorted(byId),
    ),
  },
  'GET /custom_fields': {
    scope: 'products:read',
    role: 'viewer',
    query: { ...PAGE, after: ifSent(values.fieldKey) },
    perform: page(({ fields }) => [...fields.values()].toSorted(byKey)),
  },
}

/**
 * A read of one record that has no entry of its own: who may read the list gets the row of the list that has the id. An
 * operation that answers anything else, such as an ETag, is described in the file of its subject.
 */
export function readFromList(name: string): Operation | undefined {
  const [, list = ''] = /^(GET \/\w+)\/\{id\}$/.exec(name) ?? []
  const operation = LIST_OPERATIONS[list]
  if (operation === undefined) return undefined
  const { scope, role, perform } = operation
  return {
    ...(scope !== undefined && { scope }),
    role,
    perform: (state, call) => rowOf(perform(state, { ...call, query: EVERYTHING }), call.id),
  }
}

const EVERYTHING = { limit: String(Number.MAX_SAFE_INTEGER) }

function rowOf({ body = {} }: Outcome, id: string): Outcome {
  const rows = Array.isArray(body['data']) ? body['data'].map(toRow) : []
  const row = rows.find((each) => each['id'] === id)
  return row === undefined ? notFound : { status: 200, body: row }
}
