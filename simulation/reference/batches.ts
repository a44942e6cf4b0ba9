/** Many users or accesses in one request (contract, section 12). Each item ends as its single create would. */
import { BATCH } from '../../src/limits.ts'
import { type Row, toRow, toRows } from '../rows.ts'
import { eventOf, GRANT, missingInGrant, newAccess, oneProduct, PRODUCT, productOf, unknownIn } from './accesses.ts'
import * as input from './input.ts'
import { type Call, newId, type Operation, type Outcome } from './operation.ts'
import { type Access, changesOf, type Event, type State } from './state.ts'
import { CREATE_V1, changedUser, newUser, undefinedKeys } from './user-fields.ts'
import * as values from './values.ts'
import type { Rule } from './values.ts'

/** The outcome of an item. */
interface Result {
  status: number
  code?: string
  /** Of the record that was created, or of the one that exists. */
  id?: string
  events?: Event[]
}

const invalidItem: Result = { status: 422, code: 'invalid_parameter' }

/** An item that is being processed. */
interface Item {
  state: State
  call: Call
  item: Row
  index: number
  onExisting: string
  /** The emails, or users and products, of the items that were accepted: a later item may not name them again. */
  accepted: Set<string>
}

function perform(one: (item: Item) => Result) {
  return (store: State, call: Call): Outcome => {
    const { items, dry_run: isDryRun, on_existing } = call.body
    const onExisting = typeof on_existing === 'string' ? on_existing : 'fail'
    const state = isDryRun === true ? store.copy() : store
    const accepted = new Set<string>()
    const results = toRows(items).map((item, index) => one({ state, call, item, index, onExisting, accepted }))
    const shown = results.map(({ status, code, id }, index) => {
      // An item that is rejected because of another one may be rejected for another reason at the second attempt.
      if (code !== undefined && call.drawn.wasResent) return { index }
      const error = code === undefined ? undefined : { code }
      if (status === 201) return { index, status, error, id: isDryRun === true ? undefined : id }
      return { index, status, error, ...(id !== undefined && { id }) }
    })
    const events = isDryRun === true ? [] : results.flatMap((result) => result.events ?? [])
    return { status: 200, body: { dry_run: isDryRun === true, results: shown }, events }
  }
}

/** The id of a new record: in the result of its item, or in the event of its creation. */
function drawnId({ state, call: { body, drawn } }: Item, shown: unknown, type: string, ids: Row): string {
  if (body['dry_run'] === true) return String(state.lastId + 1)
  const created = drawn.events
    .filter((event) => event['type'] === type)
    .map(({ data }) => toRow(data))
    .filter((data) => Object.entries(ids).every(([name, id]) => data[name] === id))
    .map(({ user_id, product_access_id }) => (type === 'user.created' ? user_id : product_access_id))
  return newId(state, shown ?? created.find((id) => Number(id) > state.lastId))
}

const shownId = ({ call, index }: Item) => toRows(call.drawn.json['results'])[index]?.['id']

function oneUser(context: Item): Result {
  const { state, call, item, onExisting, accepted } = context
  if (requiredOfUser(item).length > 0) return { status: 400, code: 'missing_parameter' }
  const nested = toRows(item['product_accesses'])
  const products = nested.map((access) => productOf(state, access))
  const isInvalid =
    input.invalidIn(USER_ITEM, item, call.now).length > 0 ||
    undefinedKeys(state, item['custom_fields']).length > 0 ||
    products.includes(undefined)
  if (isInvalid) return invalidItem
  const key = String(values.emailKey(item['email']))
  if (accepted.has(key)) return { status: 422, code: 'email_taken' }
  const owner = state.userWithEmail(item['email'])
  const same = owner && { id: String(owner.json['id']) }
  if (owner && onExisting === 'fail') return { status: 422, code: 'email_taken', ...same }
  const isTwice = new Set(products).size < products.length
  // As the second of two grants would be. Whoever is skipped gets no access.
  if (isTwice && !(owner && onExisting === 'skip')) return { status: 422, code: 'access_exists' }
  accepted.add(key)
  if (owner && onExisting === 'skip') return { status: 200, ...same }
  const { now } = call
  if (owner && same) {
    // Null has the same effect as an omitted field.
    const { custom_fields, ...fields } = withoutNulls(item, CREATE_V1)
    const custom = custom_fields === undefined ? {} : { custom_fields: withoutNulls(toRow(custom_fields)) }
    const { user, changed } = changedUser(owner, { ...fields, ...custom }, now)
    if (values.isTooLarge(toRow(user.json['custom_fields']))) return invalidItem
    const events = changed.length > 0 ? [{ type: 'user.updated', data: { user_id: same.id, fields: changed } }] : []
    state.users.set(same.id, changed.length > 0 ? { ...user, etag: '' } : user)
    return {
      status: 200,
      ...same,
      events: [...events, ...nested.flatMap((access) => giveAccess(context, access, same.id))],
    }
  }
  const id = drawnId(context, shownId(context), 'user.created', {})
  state.users.set(id, newUser(state, item, { id, etag: '', now }))
  const created = { type: 'user.created', data: { user_id: id } }
  return { status: 201, id, events: [created, ...nested.flatMap((access) => giveAccess(context, access, id))] }
}

/** Grants a nested access, or updates the one that exists. */
function giveAccess(context: Item, access: Row, user_id: string): Event[] {
  const body = { ...access, user_id }
  const existing = context.state.accessOf(user_id, productOf(context.state, body))
  return existing ? updateAccess(context.state, existing, body) : [createAccess(context, body, true).event]
}

function createAccess(context: Item, body: Row, isNested: boolean): { id: string; event: Event } {
  const { state, call } = context
  const data = { user_id: body['user_id'], product_id: productOf(state, body) }
  const id = drawnId(context, isNested ? undefined : shownId(context), 'product_access.granted', data)
  const access = newAccess(state, body, { id, etag: '', now: call.now })
  state.accesses.set(id, access)
  return { id, event: eventOf('product_access.granted', access) }
}

/** What an update changes; null has the same effect as an omitted field. */
function updateAccess(state: State, access: Access, { status, access_due_date: due }: Row): Event[] {
  const set = {
    ...(status != null && { status }),
    ...(due != null && { access_due_date: values.storedTime(due) }),
  }
  const changes = changesOf(access.json, set)
  if (Object.keys(changes).length === 0) return []
  state.accesses.set(String(access.json['id']), { ...access, json: { ...access.json, ...set }, etag: '' })
  return [eventOf('product_access.updated', access, { changes })]
}

function oneGrant(context: Item): Result {
  const { state, call, item, onExisting, accepted } = context
  if (missingInGrant(item).length > 0) return { status: 400, code: 'missing_parameter' }
  const isInvalid =
    input.invalidIn(GRANT, item, call.now, oneProduct).length > 0 || input.unknownIn(GRANT, item).length > 0
  if (isInvalid || unknownIn(state, item).length > 0) return invalidItem
  const product = productOf(state, item)
  const key = `${String(item['user_id'])} ${product}`
  const existing = state.accessOf(item['user_id'], product)
  const taken = { status: 422, code: 'access_exists' }
  if (accepted.has(key)) return taken
  const same = existing && { id: String(existing.json['id']) }
  if (existing && onExisting === 'fail') return { ...taken, ...same }
  accepted.add(key)
  if (!existing) {
    const { id, event } = createAccess(context, item, false)
    return { status: 201, id, events: [event] }
  }
  return { status: 200, ...same, events: onExisting === 'skip' ? [] : updateAccess(state, existing, item) }
}

function withoutNulls(row: Row, fields?: Record<string, Rule>): Row {
  const isSent = ([name, value]: [string, unknown]) => value !== null && (!fields || Object.hasOwn(fields, name))
  return Object.fromEntries(Object.entries(row).filter(isSent))
}

const { user_id: _, ...NESTED } = GRANT

/** A nested access names its product and nothing that is not known. */
const nestedAccess: Rule = (value, now) => {
  const row = toRow(value)
  const hasProduct = Object.keys(PRODUCT).some((name) => row[name] != null)
  const isInvalid = input.invalidIn(NESTED, row, now, oneProduct).length > 0 || input.unknownIn(NESTED, row).length > 0
  return hasProduct && !isInvalid ? [] : ['']
}

const nestedAccesses: Rule = (value, now) =>
  Array.isArray(value) &&
  value.length <= BATCH.accessesOfUser &&
  value.every((each) => nestedAccess(each, now).length === 0)
    ? []
    : ['']

const USER_ITEM = { ...CREATE_V1, product_accesses: values.optional(nestedAccesses) }
const requiredOfUser = input.missingOf('name', 'last_name', 'email')

const items = values.rule((value) => {
  if (!Array.isArray(value) || value.length === 0 || value.length > BATCH.items || !value.every(input.isObject))
    return false
  return toRows(value).filter(({ password }) => password != null).length <= BATCH.passwords
})

const BATCH_OPERATION = {
  role: 'office',
  body: {
    items,
    dry_run: values.optional(values.boolean),
    on_existing: values.optional(values.oneOf(['fail', 'skip', 'update'])),
  },
  required: input.missingOf('items'),
} as const

export const BATCH_OPERATIONS: Record<string, Operation> = {
  'POST /users/batch': { ...BATCH_OPERATION, scope: 'users:write', perform: perform(oneUser) },
  'POST /product_accesses/batch': {
    ...BATCH_OPERATION,
    scope: 'product_accesses:write',
    perform: perform(oneGrant),
  },
}
