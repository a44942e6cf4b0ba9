/** Single accesses: the grant, the update, and the progress (contract, sections 5, 7 and 9). */
import { DAY_MS, LENGTH, MAX_PROGRESS } from '../../../src/limits.ts'
import { type Row, toRow } from '../rows.ts'
import { missingOf } from './input.ts'
import {
  type Call,
  invalid,
  isMatch,
  knownEtag,
  mismatch,
  newEtag,
  newId,
  notFound,
  type Operation,
  type Outcome,
} from './operation.ts'
import { type Access, changesOf, type Event, iso, type State } from './state.ts'
import * as values from './values.ts'
import type { Rule } from './values.ts'

const { optional, ifSent } = values
export const status = values.oneOf(['with_access', 'without_access'])

/** A product is named by its id or by its slug, and not by both. */
export const PRODUCT: Record<string, Rule> = { product_id: optional(values.recordId), slug: optional(values.slug) }

export const GRANT: Record<string, Rule> = {
  user_id: values.recordId,
  ...PRODUCT,
  status: optional(status),
  access_due_date: optional(values.dateTime),
}

const UPDATE: Record<string, Rule> = { status: ifSent(status), access_due_date: optional(values.dateTime) }

const PROGRESS: Record<string, Rule> = {
  started_at: optional(values.dateTime),
  completed_at: optional(values.dateTime),
  progress: ifSent(values.integer(0, MAX_PROGRESS)),
  grade: ifSent(values.grade),
  concept_grade: optional(values.text(LENGTH.grade)),
  passed: ifSent(values.boolean),
  certificate_url: optional(values.httpUrl),
}

/** The id of the product that a body names; undefined if the store has no such product. */
export function productOf({ products }: State, { product_id, slug }: Row): string | undefined {
  if (typeof product_id === 'string') return products.has(product_id) ? product_id : undefined
  return [...products].find(([, product]) => product['slug'] === slug)?.[0]
}

export const fieldOfProduct = ({ slug }: Row) => (slug == null ? 'product_id' : 'slug')

/** The event of an access. */
export function eventOf(type: string, { json, user, product }: Access, more: Row = {}): Event {
  return { type, data: { user_id: user, product_id: product, product_access_id: json['id'], ...more } }
}

interface Granted {
  id: string
  etag: string
  now: number
}

/** The access that a grant makes. Without a date, the product decides how long it lasts; null means no limit. */
export function newAccess(state: State, body: Row, { id, etag, now }: Granted): Access {
  const product = productOf(state, body) ?? ''
  const days = state.products.get(product)?.['expiration_days']
  const byProduct = typeof days === 'number' ? iso(now + days * DAY_MS) : null
  const { access_due_date: due } = body
  const json = {
    id,
    created_at: iso(now),
    started_at: null,
    completed_at: null,
    access_due_date: due === undefined ? byProduct : values.storedTime(due),
    status: body['status'] ?? 'with_access',
    grade: null,
    concept_grade: null,
    passed: false,
    progress: 0,
    certificate_url: null,
  }
  return { json, user: String(body['user_id']), product, etag }
}

/** The fields of a grant that name nothing in the store. */
export function unknownIn(state: State, body: Row): string[] {
  return [
    ...(state.users.has(String(body['user_id'])) ? [] : ['user_id']),
    ...(productOf(state, body) === undefined ? [fieldOfProduct(body)] : []),
  ]
}

function grant(state: State, { body, drawn, now }: Call): Outcome {
  const unknown = unknownIn(state, body)
  if (unknown.length > 0) return invalid(...unknown)
  const existing = state.accessOf(body['user_id'], productOf(state, body))
  if (existing) {
    const headers = { 'X-Existing-Id': String(existing.json['id']) }
    return { status: 422, code: 'access_exists', fields: [fieldOfProduct(body)], headers }
  }
  const id = newId(state, drawn.json['id'] ?? toRow(drawn.events[0]?.['data'])['product_access_id'])
  const access = newAccess(state, body, { id, etag: newEtag(drawn), now })
  state.accesses.set(id, access)
  return {
    status: 201,
    body: state.accessJson(access),
    headers: { ETag: access.etag, 'Idempotent-Replayed': null },
    events: [eventOf('product_access.granted', access)],
    record: id,
  }
}

function read(state: State, { id, drawn }: Call): Outcome {
  const access = state.accesses.get(id)
  return access
    ? { status: 200, body: state.accessJson(access), headers: { ETag: knownEtag(access, drawn) } }
    : notFound
}

/** What differs makes an event and a new ETag; a request that changes nothing makes neither. */
export function change(
  state: State,
  call: Call,
  success: number,
  set: Row,
  event: (changes: Row) => [string, Row],
): Outcome {
  const before = state.accesses.get(call.id)
  if (!before) return notFound
  if (!isMatch(call, before.etag)) return mismatch
  const changes = changesOf(before.json, set)
  const isChanged = Object.keys(changes).length > 0
  const etag = isChanged ? newEtag(call.drawn, before.etag) : before.etag
  const access = { ...before, json: { ...before.json, ...set }, etag }
  state.accesses.set(call.id, access)
  const [type, more] = event(changes)
  const events = isChanged ? [eventOf(type, access, more)] : []
  return { status: success, body: state.accessJson(access), headers: { ETag: etag }, events }
}

/** The fields that a body sets, as they are stored. */
function stored(body: Row, fields: Record<string, Rule>): Row {
  const set = Object.entries(body).filter(([name]) => Object.hasOwn(fields, name))
  return Object.fromEntries(
    set.map(([name, value]) => [name, /_at$|_date$/.test(name) ? values.storedTime(value) : value]),
  )
}

function update(state: State, call: Call): Outcome {
  const event = (changes: Row): [string, Row] => ['product_access.updated', { changes }]
  const outcome = change(state, call, 201, stored(call.body, UPDATE), event)
  // The specification's 404 has no code.
  const isBare = outcome === notFound && call.version === 'v1'
  return isBare ? { status: 404, body: { code: undefined, details: undefined } } : outcome
}

function recordProgress(state: State, call: Call): Outcome {
  const event = (changes: Row): [string, Row] => ['product_access.progressed', { fields: Object.keys(changes) }]
  return change(state, call, 200, stored(call.body, PROGRESS), event)
}

/** Both names of a product are one too many. */
export const oneProduct: Rule = (body) => (PRODUCT_NAMES.every((name) => toRow(body)[name] != null) ? ['slug'] : [])
const PRODUCT_NAMES = Object.keys(PRODUCT)

export const missingInGrant = (body: Row) => [
  ...missingOf('user_id')(body),
  ...(PRODUCT_NAMES.some((name) => body[name] != null) ? [] : ['product_id']),
]

const WRITE = { scope: 'product_accesses:write', role: 'office' } as const

export const ACCESS_OPERATIONS: Record<string, Operation> = {
  'POST /product_accesses': {
    ...WRITE,
    body: GRANT,
    check: oneProduct,
    required: missingInGrant,
    key: 'grant',
    perform: grant,
  },
  'GET /product_accesses/{id}': { scope: 'product_accesses:read', role: 'viewer', perform: read },
  'PUT /product_accesses/{id}': { ...WRITE, body: UPDATE, ignoresUnknown: true, perform: update },
  'PATCH /product_accesses/{id}': { ...WRITE, body: PROGRESS, perform: recordProgress },
}
