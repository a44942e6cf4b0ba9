/** The tasks that create or change many records at once. */
import * as contract from '../contract.ts'
import type { Caller } from '../reference/operation.ts'
import type { Random } from '../world/random.ts'
import type { Row } from '../rows.ts'
import { newGrant, pickDue, withSlug } from './accesses.ts'
import type { Examiner, Prepared } from './examiner.ts'
import { NO_ID, ofStore, type Task } from './task.ts'
import { newPerson } from './people.ts'
import { pickUser } from './users.ts'

const ON_EXISTING = ['fail', 'skip', 'update']

const batchOf = (path: string, random: Random, items: Row[]): Prepared => ({
  path,
  body: {
    items,
    on_existing: random.pick(ON_EXISTING),
    dry_run: random.chance(0.2),
    ...(random.chance(0.3) && { never_shorten: true }),
  },
})

function prepareUsers(exam: Examiner, random: Random, caller: Caller): Prepared {
  const fresh = () => {
    const { password: _, ...person } = newPerson(exam, random)
    return person
  }
  const existing = pickUser(exam, random)?.json
  const first = random.chance(0.3) ? { ...fresh(), password: contract.passwordOf(random.below(3)) } : fresh()
  const again = fresh()
  const products = [...exam.model.products.values()].filter(() => random.chance(0.6)).slice(0, 3)
  const nested = { product_accesses: products.map((product) => nestedAccess(exam, random, product)) }
  const accesses = mayGrant(caller) && random.chance(0.7) ? nested : {}
  const [product_id] = exam.model.products.keys()
  const twice = { product_accesses: [{ product_id }, { product_id }] }
  return batchOf('/users/batch', random, [
    first,
    { ...fresh(), ...(existing && toExisting(random, existing)), ...withNulls(exam, random), ...accesses },
    { ...fresh(), email: 'nobody' },
    { ...fresh(), email: String(first['email']).toLowerCase() },
    { ...fresh(), custom_fields: { nobody_defined_this: 1 } },
    { ...fresh(), name: null },
    // Two items with one email. The first is rejected, so that the second one may have it.
    mayGrant(caller) ? { ...again, ...twice } : { ...again, last_name: ' ' },
    { ...again, ...accesses },
  ])
}

/**
 * The fields of an item about a user who exists. It may change nothing but the password or the accesses, or the service
 * might find them only because something else has changed.
 */
function toExisting(random: Random, { name, last_name, email }: Row): Row {
  return {
    email: String(email).toUpperCase(),
    ...(random.chance(0.3) && { name, last_name, email }),
    ...(random.chance(0.4) && { password: contract.passwordOf(random.below(3)) }),
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

function nestedAccess(exam: Examiner, random: Random, { id, slug }: Row): Row {
  const named = random.chance(0.3) ? { slug } : { product_id: id }
  const status = random.pick(contract.STATUSES)
  return { ...named, ...random.pick([{}, { status }, { access_due_date: pickDue(exam, random) }]) }
}

/** Only a caller who may grant accesses can send them with a user. */
function mayGrant({ token }: Caller): boolean {
  return !token || token.scopes.includes('product_accesses:write')
}

function prepareGrants(exam: Examiner, random: Random): Prepared {
  const grant = newGrant(exam, random)
  const first = random.chance(0.4) ? withSlug(exam, grant) : grant
  const [existing] = [...exam.model.accesses.values()].slice(-1 - random.below(4))
  return batchOf('/product_accesses/batch', random, [
    first,
    { ...first, status: 'with_access' },
    { ...newGrant(exam, random), user_id: NO_ID },
    { ...newGrant(exam, random), status: 'open' },
    ...(existing ? [{ ...newGrant(exam, random), user_id: existing.user, product_id: existing.product }] : []),
  ])
}

export const BATCH_TASKS: Task[] = [
  ...ofStore('POST /users/batch', prepareUsers),
  ...ofStore('POST /product_accesses/batch', prepareGrants),
]
