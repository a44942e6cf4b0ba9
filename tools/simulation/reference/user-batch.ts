/** Many users in one request. A user may bring accesses. */
import { BATCH } from '../../../src/limits.ts'
import { type Row, toRow, toRows } from '../rows.ts'
import { giveAccess } from './access-batch.ts'
import { fieldOfProduct, GRANT, oneProduct, PRODUCT, productOf } from './accesses.ts'
import { batchOf, drawnId, invalidItem, type Item, missingInItem, type Result, shownId } from './batches.ts'
import * as input from './input.ts'
import type { Operation } from './operation.ts'
import type { Event, User } from './state.ts'
import { CREATE_V1, changedUser, newUser, undefinedKeys } from './user-fields.ts'
import * as values from './values.ts'
import type { Rule } from './values.ts'

const required = input.missingOf('name', 'last_name', 'email')

function oneUser(context: Item): Result {
  const { state, call, item, onExisting, accepted } = context
  const missing = [...required(item), ...missingInNested(item['product_accesses'])]
  if (missing.length > 0) return missingInItem(missing)
  const invalid = input.invalidIn(ITEM, item, call.now)
  if (invalid.length > 0) return invalidItem(invalid)
  const accesses = toRows(item['product_accesses'])
  const products = accesses.map((access) => productOf(state, access))
  // What only the database knows comes once everything else is valid.
  const keys = undefinedKeys(state, item['custom_fields'])
  const paths = accesses.flatMap((access, i) =>
    products[i] === undefined ? [`product_accesses.${i}.${fieldOfProduct(access)}`] : [],
  )
  if (keys.length + paths.length > 0) return invalidItem([...keys, ...paths])
  const key = String(values.emailKey(item['email']))
  const taken = { status: 422, code: 'email_taken', fields: ['email'] }
  if (accepted.has(key)) return taken
  const owner = state.userWithEmail(item['email'])
  const same = owner && { id: String(owner.json['id']) }
  if (owner && onExisting === 'fail') return { ...taken, ...same }
  const isSkipped = owner && onExisting === 'skip'
  // As the second of two grants would be. Whoever is skipped gets no access.
  if (!isSkipped && new Set(products).size < products.length) return { status: 422, code: 'access_exists' }
  accepted.add(key)
  if (isSkipped) return { status: 200, ...same }
  return owner ? update(context, owner) : create(context)
}

function create(context: Item): Result {
  const { state, call, item } = context
  const id = drawnId(context, shownId(context), 'user.created', {})
  state.users.set(id, newUser(state, item, { id, etag: '', now: call.now }))
  return { status: 201, id, events: [{ type: 'user.created', data: { user_id: id } }, ...giveAccesses(context, id)] }
}

/** What a PATCH would do; null has the same effect as an omitted field. */
function update(context: Item, owner: User): Result {
  const { state, call, item } = context
  const id = String(owner.json['id'])
  const { custom_fields, ...fields } = withoutNulls(item)
  const custom = custom_fields === undefined ? {} : { custom_fields: withoutNulls(toRow(custom_fields)) }
  const known = Object.fromEntries(Object.entries(fields).filter(([name]) => Object.hasOwn(CREATE_V1, name)))
  const { user, changed } = changedUser(owner, { ...known, ...custom }, call.now)
  if (values.isTooLarge(toRow(user.json['custom_fields']))) return invalidItem(['custom_fields'])
  const events = changed.length > 0 ? [{ type: 'user.updated', data: { user_id: id, fields: changed } }] : []
  state.users.set(id, changed.length > 0 ? { ...user, etag: '' } : user)
  return { status: 200, id, events: [...events, ...giveAccesses(context, id)] }
}

const giveAccesses = (context: Item, id: string): Event[] =>
  toRows(context.item['product_accesses']).flatMap((access) => giveAccess(context, access, id))

const withoutNulls = (row: Row): Row => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))

const { user_id: _, ...NESTED } = GRANT

/** The invalid fields of a nested access. */
function invalidInNested(value: unknown, now: number): string[] {
  if (!input.isObject(value)) return ['']
  const row = toRow(value)
  return [...input.invalidIn(NESTED, row, now, oneProduct), ...input.unknownIn(NESTED, row)]
}

/** The service does not look into a list that is too long. */
function missingInNested(accesses: unknown): string[] {
  if (!Array.isArray(accesses) || accesses.length > BATCH.accessesOfUser) return []
  return accesses.flatMap((access, i) => {
    const hasProduct = !input.isObject(access) || Object.keys(PRODUCT).some((name) => toRow(access)[name] != null)
    return hasProduct ? [] : [`product_accesses.${i}.product_id`]
  })
}

const nested: Rule = (value, now) => {
  if (!Array.isArray(value) || value.length > BATCH.accessesOfUser) return ['']
  return value.flatMap((each, i) => invalidInNested(each, now).map((path) => (path === '' ? `${i}` : `${i}.${path}`)))
}

const ITEM = { ...CREATE_V1, product_accesses: values.optional(nested) }

export const USER_BATCH: Record<string, Operation> = { 'POST /users/batch': batchOf('users:write', oneUser) }
