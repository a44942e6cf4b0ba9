/** The tasks that create or change many records at once. What each item must return is computed one by one. */
import * as contract from '../contract.ts'
import type { Random } from '../world/random.ts'
import { type Row, toRow, toRows } from '../rows.ts'
import { dueOf, eventOf, newAccess, newGrant, pickDue, productOf, withSlug } from './accesses.ts'
import type { Caller, Examiner, ExpectedItem, Made, Prepared } from './examiner.ts'
import { type AccessModel, iso } from './model.ts'
import { NO_ID, ofStore, type Task } from './task.ts'
import { createdUser, newPerson } from './people.ts'
import { changeUser, pickUser } from './users.ts'

const ON_EXISTING = ['fail', 'skip', 'update']

/** The status of a result that is not compared. */
const ANY = 0

interface Batch {
  onExisting: string
  isDryRun: boolean
}

function pickBatch(random: Random): Batch {
  return { onExisting: random.pick(ON_EXISTING), isDryRun: random.chance(0.2) }
}

/** The result of an item, and what it does to the model once the id is known. */
interface Outcome extends ExpectedItem {
  apply?: (made: Made, firstId: number) => void
  events?: (made: Made, firstId: number) => { type: string; data: Row }[]
}

function prepared(path: string, items: Row[], { onExisting, isDryRun }: Batch, outcomes: Outcome[]): Prepared {
  const results = outcomes.map(({ status, code, id }, index) => {
    if (status === ANY) return { index }
    const error = code && { code }
    return { index, status, error, ...((isDryRun || id !== undefined) && { id }) }
  })
  const madeOf = ({ json, at }: Made, index: number): Made => {
    const result = toRow(Array.isArray(json['results']) ? json['results'][index] : undefined)
    return { id: String(result['id']), etag: '', json: result, at }
  }
  // The id of the record that the first item creates is that of the first event.
  const firstIdOf = (made: Made) => Number(madeOf(made, 0).id)
  const events = (made: Made) => outcomes.flatMap((each, i) => each.events?.(madeOf(made, i), firstIdOf(made)) ?? [])
  const apply = (made: Made) => {
    for (const [i, each] of outcomes.entries()) each.apply?.(madeOf(made, i), firstIdOf(made))
  }
  const body = { items, on_existing: onExisting, dry_run: isDryRun }
  const expected = { status: 200, json: () => ({ dry_run: isDryRun, results }) }
  return isDryRun ? { path, body, expected } : { path, body, expected: { ...expected, events }, apply }
}

function prepareUsers(exam: Examiner, random: Random, caller: Caller): Prepared {
  const batch = pickBatch(random)
  const fresh = () => {
    const { password: _, ...person } = newPerson(exam, random)
    return person
  }
  const existing = pickUser(exam, random)
  const first = random.chance(0.3) ? { ...fresh(), password: contract.passwordOf(random.below(3)) } : fresh()
  const items: Row[] = [
    first,
    { ...fresh(), ...(existing && toExisting(exam, random, caller, existing.json)), ...withNulls(exam, random) },
    { ...fresh(), email: 'nobody' },
    { ...fresh(), email: String(first['email']).toLowerCase() },
    { ...fresh(), custom_fields: { nobody_defined_this: 1 } },
    { ...fresh(), name: null },
    ...withAccesses(exam, caller, fresh()),
  ]
  const outcomes = items.map((item, index): Outcome => {
    if (index === 2) return { status: 422, code: 'invalid_parameter' }
    if (index === 3) return { status: 422, code: 'email_taken' }
    if (index === 4) return { status: 422, code: 'invalid_parameter' }
    if (index === 5) return { status: 400, code: 'missing_parameter' }
    // If the batch is sent again after a lost response, the next item has the email, and this one has another status.
    if (index === 6) return { status: ANY }
    return index === 1 && existing ? onExistingUser(exam, existing.json, item, batch) : newUser(exam, item)
  })
  return prepared('/users/batch', items, batch, outcomes)
}

/**
 * The fields of an item about a user who exists. It may change nothing but the password or the accesses, or the service
 * might find them only because something else has changed.
 */
function toExisting(exam: Examiner, random: Random, caller: Caller, { name, last_name, email }: Row): Row {
  return {
    email: String(email).toUpperCase(),
    ...(random.chance(0.3) && { name, last_name, email }),
    ...(random.chance(0.4) && { password: contract.passwordOf(random.below(3)) }),
    ...(mayGrant(caller) && random.chance(0.6) && { product_accesses: nestedAccesses(exam, random) }),
  }
}

/** For a user who exists, a null has the same effect as an omitted field. */
function withNulls(exam: Examiner, random: Random): Row {
  const keys = [...exam.model.fields.keys()]
  return {
    ...(random.chance(0.2) && { phone: null, external_id: null }),
    ...(random.chance(0.2) && { custom_fields: Object.fromEntries(keys.map((key) => [key, null])) }),
  }
}

const withoutNulls = (row: Row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))

function nestedAccesses(exam: Examiner, random: Random): Row[] {
  const products = [...exam.model.products.values()].filter(() => random.chance(0.6)).slice(0, 3)
  return products.map((product) => nestedAccess(exam, random, product))
}

function nestedAccess(exam: Examiner, random: Random, { id, slug }: Row): Row {
  const named = random.chance(0.3) ? { slug } : { product_id: id }
  const status = random.pick(contract.STATUSES)
  return { ...named, ...random.pick([{}, { status }, { access_due_date: pickDue(exam, random) }]) }
}

/** Only a caller who may grant accesses can send them with a user. */
function mayGrant({ token }: Caller): boolean {
  return !token || token.scopes.includes('product_accesses:write')
}

/** Two items with one email. The first names a product twice and is rejected, so the second one may have the email. */
function withAccesses(exam: Examiner, caller: Caller, person: Row): Row[] {
  const [product_id] = exam.model.products.keys()
  if (product_id === undefined || !mayGrant(caller)) return []
  const access = { product_id, access_due_date: null }
  return [
    { ...person, product_accesses: [access, access] },
    { ...person, product_accesses: [access] },
  ]
}

/** Its accesses are granted with it. Their ids are in no result: they follow that of the user. */
function newUser(exam: Examiner, { product_accesses, ...item }: Row): Outcome {
  const granted = (made: Made) =>
    toRows(product_accesses).map((access, i) => {
      const id = String(Number(made.id) + 1 + i)
      return newAccess(
        exam,
        { user_id: made.id, product_id: access['product_id'], access_due_date: null },
        { id, etag: '', json: {}, at: made.at },
      )
    })
  return {
    status: 201,
    events: (made) => [
      { type: 'user.created', data: { user_id: made.id } },
      ...granted(made).map((access) => eventOf('product_access.granted', access, String(access.json['id']))),
    ],
    apply: (made) => {
      exam.model.users.set(made.id, { ...createdUser(exam, item, made), etag: '' })
      for (const access of granted(made)) exam.model.accesses.set(String(access.json['id']), access)
    },
  }
}

function onExistingUser(exam: Examiner, { id }: Row, item: Row, { onExisting }: Batch): Outcome {
  const user = exam.model.users.get(String(id))
  const same = { id: String(id) }
  if (!user || onExisting === 'fail') return { status: 422, code: 'email_taken', ...same }
  if (onExisting === 'skip') return { status: 200, ...same }
  const { product_accesses, custom_fields, ...fields } = withoutNulls(item)
  const custom = custom_fields === undefined ? {} : { custom_fields: withoutNulls(toRow(custom_fields)) }
  const { json, changed } = changeUser(user, { ...fields, ...custom })
  const userEvents = changed.length > 0 ? [{ type: 'user.updated', data: { user_id: same.id, fields: changed } }] : []
  const changes = toRows(product_accesses).flatMap(
    (access) => changeAccess(exam, { ...access, product_id: productOf(exam, access), user_id: same.id }).change ?? [],
  )
  // The events follow that of the first item, and the id of a new access is that of its event.
  const accessesOf = ({ at }: Made, firstId: number) =>
    changes.map((change, i) => change({ id: String(firstId + 1 + userEvents.length + i), etag: '', json: {}, at }))
  return {
    status: 200,
    ...same,
    events: (made, firstId) => [...userEvents, ...accessesOf(made, firstId).map(({ event }) => event)],
    apply: (made, firstId) => {
      // No response shows the new ETags.
      const updated_at = changed.length > 0 ? iso(made.at) : user.json['updated_at']
      const password = typeof item['password'] === 'string' ? item['password'] : user.password
      exam.model.users.set(same.id, { json: { ...json, updated_at }, etag: '', password })
      for (const { access } of accessesOf(made, firstId)) exam.model.accesses.set(String(access.json['id']), access)
    },
  }
}

interface AccessChange {
  /** Undefined if the access is new. */
  id?: string
  /** Undefined if the access is already as the item says. A new access gets the id of `made`. */
  change?: (made: Made) => { event: { type: string; data: Row }; access: AccessModel }
}

/** What an item does to the access of its user to its product. */
function changeAccess(exam: Examiner, item: Row): AccessChange {
  const access = exam.model.accessOf(item['user_id'], productOf(exam, item))
  if (!access) {
    return {
      change: (made) => {
        const created = newAccess(exam, item, made)
        return { event: eventOf('product_access.granted', created, made.id), access: { ...created, etag: '' } }
      },
    }
  }
  const id = String(access.json['id'])
  // In an update, null has the same effect as an omitted field.
  const { status, access_due_date: due } = item
  const set = { ...(status !== undefined && { status }), ...(due != null && { access_due_date: dueOf(due) }) }
  const next: Row = { ...access.json, ...set }
  const changed = Object.keys(set).filter((name) => next[name] !== access.json[name])
  if (changed.length === 0) return { id }
  const changes = Object.fromEntries(changed.map((name) => [name, { from: access.json[name], to: next[name] }]))
  const event = eventOf('product_access.updated', access, id, { changes })
  return { id, change: () => ({ event, access: { ...access, json: next, etag: '' } }) }
}

function prepareGrants(exam: Examiner, random: Random): Prepared {
  const batch = pickBatch(random)
  const grant = newGrant(exam, random)
  const first = random.chance(0.4) ? withSlug(exam, grant) : grant
  const [existing] = [...exam.model.accesses.values()].slice(-1 - random.below(4))
  const items: Row[] = [
    first,
    { ...first, status: 'with_access' },
    { ...newGrant(exam, random), user_id: NO_ID },
    { ...newGrant(exam, random), status: 'open' },
  ]
  if (existing) items.push({ ...newGrant(exam, random), user_id: existing.user, product_id: existing.product })
  const isNew =
    exam.model.users.has(String(first['user_id'])) && !exam.model.accessOf(first['user_id'], productOf(exam, first))
  // Only a first item that is new keeps the example simple: two items about one existing access would change it twice.
  const known = isNew && exam.model.products.has(String(productOf(exam, first))) ? items : items.slice(2)
  return prepared(
    '/product_accesses/batch',
    known,
    batch,
    known.map((item) => outcomeOf(exam, item, first, batch, known)),
  )
}

function outcomeOf(exam: Examiner, item: Row, first: Row, { onExisting }: Batch, items: Row[]): Outcome {
  if (item['user_id'] === NO_ID || !exam.model.users.has(String(item['user_id'])) || item['status'] === 'open')
    return { status: 422, code: 'invalid_parameter' }
  if (item === items[1] && items[0] === first) return { status: 422, code: 'access_exists' }
  const { id, change } = changeAccess(exam, item)
  const same = id === undefined ? {} : { id }
  if (id !== undefined && onExisting === 'fail') return { status: 422, code: 'access_exists', ...same }
  if (!change || (id !== undefined && onExisting === 'skip')) return { status: 200, ...same }
  return {
    status: id === undefined ? 201 : 200,
    ...same,
    events: (made) => [change(made).event],
    apply: (made) => {
      const { access } = change(made)
      exam.model.accesses.set(String(access.json['id']), access)
    },
  }
}

export const BATCH_TASKS: Task[] = [
  ...ofStore('POST /users/batch', 'users:write', prepareUsers),
  ...ofStore('POST /product_accesses/batch', 'product_accesses:write', prepareGrants),
]
