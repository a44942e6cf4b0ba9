/** The tasks that create or change many records at once. What each item must return is computed one by one. */
import type { Random } from '../random.ts'
import { type Row, toRow, toRows } from '../rows.ts'
import { eventOf, newAccess, newGrant, dueOf } from './accesses.ts'
import type { Caller, Examiner, ExpectedItem, Made, Prepared } from './examiner.ts'
import { iso, withFields } from './model.ts'
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
  apply?: (made: Made) => void
  events?: (made: Made) => { type: string; data: Row }[]
}

function prepared(path: string, items: Row[], { onExisting, isDryRun }: Batch, outcomes: Outcome[]): Prepared {
  const results = outcomes.map(({ status, code, id }, index) => {
    if (status === ANY) return { index }
    const error = code && { code }
    return { index, status, error, ...(isDryRun ? { id: undefined } : id !== undefined && { id }) }
  })
  const madeOf = ({ json, at }: Made, index: number): Made => {
    const result = toRow(Array.isArray(json['results']) ? json['results'][index] : undefined)
    return { id: String(result['id']), etag: '', json: result, at }
  }
  const events = (made: Made) => outcomes.flatMap((each, i) => each.events?.(madeOf(made, i)) ?? [])
  const apply = (made: Made) => {
    for (const [i, each] of outcomes.entries()) each.apply?.(madeOf(made, i))
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
  const first = fresh()
  const items: Row[] = [
    first,
    { ...fresh(), ...(existing && { email: String(existing.json['email']).toUpperCase() }) },
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
 * Two items with one email. The first names a product twice and is rejected, so the second one may have the email. Only a
 * caller who may grant accesses can send them.
 */
function withAccesses(exam: Examiner, { token }: Caller, person: Row): Row[] {
  const [product_id] = exam.model.products.keys()
  if (product_id === undefined || (token && !token.scopes.includes('product_accesses:write'))) return []
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
  const { json, changed } = changeUser(user, withFields(item, {}))
  if (changed.length === 0) return { status: 200, ...same }
  return {
    status: 200,
    ...same,
    events: () => [{ type: 'user.updated', data: { user_id: same.id, fields: changed } }],
    // No response shows the new ETag.
    apply: ({ at }) =>
      void exam.model.users.set(same.id, { ...user, json: { ...json, updated_at: iso(at) }, etag: '' }),
  }
}

function prepareGrants(exam: Examiner, random: Random): Prepared {
  const batch = pickBatch(random)
  const first = newGrant(exam, random)
  const [existing] = [...exam.model.accesses.values()].slice(-1 - random.below(4))
  const items: Row[] = [
    first,
    { ...first, status: 'with_access' },
    { ...newGrant(exam, random), user_id: NO_ID },
    { ...newGrant(exam, random), status: 'open' },
  ]
  if (existing) items.push({ ...newGrant(exam, random), user_id: existing.user, product_id: existing.product })
  const isNew =
    exam.model.users.has(String(first['user_id'])) && !exam.model.accessOf(first['user_id'], first['product_id'])
  // Only a first item that is new keeps the example simple: two items about one existing access would change it twice.
  const known = isNew && exam.model.products.has(String(first['product_id'])) ? items : items.slice(2)
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
  const access = exam.model.accessOf(item['user_id'], item['product_id'])
  if (item === items[1] && items[0] === first) return { status: 422, code: 'access_exists' }
  if (!access) {
    return {
      status: 201,
      events: (made) => [eventOf('product_access.granted', newAccess(exam, item, made), made.id)],
      apply: (made) => void exam.model.accesses.set(made.id, { ...newAccess(exam, item, made), etag: '' }),
    }
  }
  const id = String(access.json['id'])
  if (onExisting === 'fail') return { status: 422, code: 'access_exists', id }
  // In an update, null has the same effect as an omitted field.
  const { status, access_due_date: due } = item
  const set = { ...(status !== undefined && { status }), ...(due != null && { access_due_date: dueOf(due) }) }
  const next: Row = { ...access.json, ...set }
  const changed = Object.keys(set).filter((name) => next[name] !== access.json[name])
  if (onExisting === 'skip' || changed.length === 0) return { status: 200, id }
  const changes = Object.fromEntries(changed.map((name) => [name, { from: access.json[name], to: next[name] }]))
  return {
    status: 200,
    id,
    events: () => [eventOf('product_access.updated', access, id, { changes })],
    apply: () => void exam.model.accesses.set(id, { ...access, json: next, etag: '' }),
  }
}

export const BATCH_TASKS: Task[] = [
  ...ofStore('POST /users/batch', 'users:write', prepareUsers),
  ...ofStore('POST /product_accesses/batch', 'product_accesses:write', prepareGrants),
]
