/** The tasks about single accesses. */
import * as contract from '../contract.ts'
import type { Random } from '../world/random.ts'
import type { Row } from '../rows.ts'
import { createWithKey } from './claims.ts'
import type { Caller, Examiner, Expected, Made, Prepared } from './examiner.ts'
import { type AccessModel, iso } from './model.ts'
import { NO_ID, notFound, ofStore, type Task } from './task.ts'
import { pickIfMatch, pickUser } from './users.ts'

/** Null, or a date. Some are soon, so that the crons announce them while the examiner works; some use an offset. */
export function pickDue({ now }: Examiner, random: Random): string | null {
  const minute = 60_000
  const onTheMinute = now - (now % minute) + minute * random.below(4)
  const day = contract.DAY_MS
  const times = [
    now + 400 * day,
    now + 5 * day,
    now - 5000,
    onTheMinute,
    onTheMinute - 1,
    onTheMinute + 7 * day,
    onTheMinute + 7 * day + 1,
  ]
  if (random.chance(0.25)) return null
  const time = random.pick(times)
  return random.chance(0.8) ? iso(time) : `${iso(time + 2 * contract.HOUR_MS).slice(0, -1)}+02:00`
}

export const dueOf = (value: unknown) => (typeof value === 'string' ? iso(Date.parse(value)) : null)

/** The id of the product that a grant names, by its id or by its slug. */
export function productOf(exam: Examiner, { product_id, slug }: Row): unknown {
  return product_id ?? [...exam.model.products.values()].find((product) => product['slug'] === slug)?.['id']
}

/** Products of other stores have this slug. */
const SLUG_OF_OTHERS = 'p0'

/** The same grant, which names its product by its slug. */
export function withSlug(exam: Examiner, { product_id, ...grant }: Row): Row {
  return { ...grant, slug: exam.model.products.get(String(product_id))?.['slug'] ?? SLUG_OF_OTHERS }
}

export function newAccess(exam: Examiner, body: Row, { id, etag, at }: Made): AccessModel {
  const product = String(productOf(exam, body))
  const days = exam.model.products.get(product)?.['expiration_days']
  const byProduct = typeof days === 'number' ? iso(at + days * contract.DAY_MS) : null
  const { access_due_date: due, status } = body
  const json = {
    id,
    created_at: iso(at),
    started_at: null,
    completed_at: null,
    access_due_date: due === undefined ? byProduct : dueOf(due),
    status: status ?? 'with_access',
    grade: null,
    concept_grade: null,
    passed: false,
    progress: 0,
    certificate_url: null,
  }
  return { json, user: String(body['user_id']), product, etag: etag || `"${id}-${id}"` }
}

export function eventOf(type: string, { user, product }: AccessModel, id: string, more: Row = {}) {
  return { type, data: { user_id: user, product_id: product, product_access_id: id, ...more } }
}

function expectGrant(exam: Examiner, body: Row): Expected {
  const { user_id } = body
  const product = productOf(exam, body)
  const field = 'slug' in body ? 'slug' : 'product_id'
  const unknown = [
    ...(exam.model.users.has(String(user_id)) ? [] : ['user_id']),
    ...(exam.model.products.has(String(product)) ? [] : [field]),
  ]
  if (unknown.length > 0) return { status: 422, code: 'invalid_parameter', fields: unknown }
  const existing = exam.model.accessOf(user_id, product)
  if (existing) {
    const headers = { 'X-Existing-Id': String(existing.json['id']) }
    return { status: 422, code: 'access_exists', fields: [field], headers }
  }
  return {
    status: 201,
    json: (made) => exam.model.accessJson(newAccess(exam, body, made)),
    headers: { 'Idempotent-Replayed': null },
    events: (made) => [eventOf('product_access.granted', newAccess(exam, body, made), made.id)],
  }
}

/** A user and a product who have no access yet, if possible. */
function pickPair(exam: Examiner, random: Random): Row {
  const products = [...exam.model.products.keys()]
  for (let tries = 0; tries < 6; tries++) {
    const user = pickUser(exam, random)?.json['id'] ?? NO_ID
    const product = products.length > 0 ? random.pick(products) : NO_ID
    if (tries === 5 || !exam.model.accessOf(user, product)) return { user_id: user, product_id: product }
  }
  return {}
}

export function newGrant(exam: Examiner, random: Random): Row {
  const status = random.pick(contract.STATUSES)
  const access_due_date = pickDue(exam, random)
  return {
    ...pickPair(exam, random),
    ...random.pick([{}, {}, { status }, { access_due_date }, { status, access_due_date }]),
  }
}

function prepareGrant(exam: Examiner, random: Random, caller: Caller): Prepared {
  const path = '/product_accesses'
  const body = newGrant(exam, random)
  const toApply = (sent: Row) => (made: Made) => void exam.model.accesses.set(made.id, newAccess(exam, sent, made))
  const variant = random.weighted({ valid: 4, taken: 1, unknown: 0.5, missing: 0.5, both: 0.2, invalid: 0.5, keyed: 3 })
  const [taken] = exam.model.accesses.values()
  if (variant === 'taken' && taken) Object.assign(body, { user_id: taken.user, product_id: taken.product })
  if (variant === 'unknown') body[random.pick(['user_id', 'product_id'])] = NO_ID
  if (variant === 'missing') {
    const missing = random.pick(['user_id', 'product_id'])
    return {
      path,
      body: { ...body, [missing]: null },
      expected: { status: 400, code: 'missing_parameter', fields: [missing] },
    }
  }
  if (variant === 'both') {
    const expected = { status: 422, code: 'invalid_parameter', fields: ['slug'] }
    return { path, body: { ...body, ...withSlug(exam, body), product_id: body['product_id'] }, expected }
  }
  if (variant === 'invalid') {
    const wrong = { ...body, status: 'open', access_due_date: '2026-02-30T00:00:00Z' }
    return {
      path,
      body: wrong,
      expected: { status: 422, code: 'invalid_parameter', fields: ['status', 'access_due_date'] },
    }
  }
  const expect = (sent: Row) => expectGrant(exam, sent)
  const grant = random.chance(0.4) ? withSlug(exam, body) : body
  if (variant === 'keyed')
    return createWithKey({ exam, random, caller, operation: 'grant', path, body: grant, expect, toApply })
  return { path, body: grant, expected: expect(grant), apply: toApply(grant) }
}

export function pickAccess(exam: Examiner, random: Random): AccessModel | undefined {
  const accesses = [...exam.model.accesses.values()]
  return accesses.length === 0 ? undefined : random.pick(accesses)
}

const idOf = ({ json }: AccessModel) => String(json['id'])

function prepareRead(exam: Examiner, random: Random): Prepared {
  const access = pickAccess(exam, random)
  if (!access) return { path: `/product_accesses/${NO_ID}`, expected: notFound }
  const json = () => exam.model.accessJson(access)
  return { path: `/product_accesses/${idOf(access)}`, expected: { status: 200, json, headers: { ETag: access.etag } } }
}

interface Change {
  status: number
  set: Row
  /** The event of a change, with the fields that differ. */
  event: (access: AccessModel, changed: string[], next: Row) => { type: string; data: Row }
}

/** Changes an access: what differs gets an event and a new ETag. */
function change(exam: Examiner, random: Random, body: Row, { status, set, event }: Change): Prepared {
  const access = pickAccess(exam, random)
  if (!access || random.chance(0.05)) return { path: `/product_accesses/${NO_ID}`, body, expected: notFound }
  const id = idOf(access)
  const path = `/product_accesses/${id}`
  const { headers, matches } = pickIfMatch(random, access.etag)
  if (!matches) return { path, headers, body, expected: { status: 412, code: 'etag_mismatch' } }
  const changed = Object.keys(set).filter((name) => set[name] !== access.json[name])
  const next = { ...access.json, ...set }
  const json = () => exam.model.accessJson({ ...access, json: next })
  const apply = ({ etag }: Made) => void exam.model.accesses.set(id, { ...access, json: next, etag })
  if (changed.length === 0)
    return { path, headers, body, expected: { status, json, headers: { ETag: access.etag } }, apply }
  return { path, headers, body, expected: { status, json, events: () => [event(access, changed, next)] }, apply }
}

function prepareUpdate(exam: Examiner, random: Random): Prepared {
  const status = random.pick(contract.STATUSES)
  const access_due_date = pickDue(exam, random)
  const body: Row = random.pick([{}, { status }, { access_due_date }, { status, access_due_date }])
  const set = { ...body, ...('access_due_date' in body && { access_due_date: dueOf(access_due_date) }) }
  return change(exam, random, body, {
    status: 201,
    set,
    event: (access, changed, next) => {
      const changes = changed.map((name) => [name, { from: access.json[name], to: next[name] }])
      return eventOf('product_access.updated', access, idOf(access), { changes: Object.fromEntries(changes) })
    },
  })
}

function prepareProgress(exam: Examiner, random: Random): Prepared {
  const values: Row = {
    started_at: random.pick([null, '2026-11-20T08:00:00.000Z']),
    completed_at: random.pick([null, '2026-11-21T09:00:00.000Z']),
    progress: random.pick([0, 50, 100]),
    grade: random.pick([null, 9.5, 'A', true, '9.5']),
    concept_grade: random.pick([null, 'good']),
    passed: random.chance(0.5),
    certificate_url: random.pick([null, 'https://cdn.example.com/1.pdf']),
  }
  const body = Object.fromEntries(Object.entries(values).filter(() => random.chance(0.4)))
  if (random.chance(0.1)) {
    const access = pickAccess(exam, random)
    const expected = { status: 422, code: 'invalid_parameter', fields: ['progress'] }
    return { path: `/product_accesses/${access ? idOf(access) : NO_ID}`, body: { ...body, progress: 101 }, expected }
  }
  return change(exam, random, body, {
    status: 200,
    set: body,
    event: (access, changed) => eventOf('product_access.progressed', access, idOf(access), { fields: changed }),
  })
}

export const ACCESS_TASKS: Task[] = [
  ...ofStore('POST /product_accesses', 'product_accesses:write', prepareGrant),
  ...ofStore('GET /product_accesses/{id}', 'product_accesses:read', prepareRead),
  ...ofStore('PUT /product_accesses/{id}', 'product_accesses:write', prepareUpdate, { acceptsUnknown: true }),
  ...ofStore('PATCH /product_accesses/{id}', 'product_accesses:write', prepareProgress),
]
