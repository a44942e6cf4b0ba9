/** Many accesses in one request, and the accesses of the users of a batch. */
import type { Row } from '../rows.ts'
import {
  eventOf,
  fieldOfProduct,
  GRANT,
  missingInGrant,
  newAccess,
  oneProduct,
  productOf,
  unknownIn,
} from './accesses.ts'
import { batchOf, drawnId, invalidItem, type Item, missingInItem, type Result, shownId } from './batches.ts'
import * as input from './input.ts'
import type { Operation } from './operation.ts'
import { type Access, changesOf, type Event } from './state.ts'
import * as values from './values.ts'

/** Grants an access that a user of a batch brings, or updates the one that exists. */
export function giveAccess(context: Item, access: Row, user_id: string): Event[] {
  const body = { ...access, user_id }
  const existing = context.state.accessOf(user_id, productOf(context.state, body))
  // No result shows its id.
  return existing ? update(context, existing, body) : [create(context, body, undefined).event]
}

function create(context: Item, body: Row, shown: unknown): { id: string; event: Event } {
  const { state, call } = context
  const ids = { user_id: body['user_id'], product_id: productOf(state, body) }
  const id = drawnId(context, shown, 'product_access.granted', ids)
  const access = newAccess(state, body, { id, etag: '', now: call.now })
  state.accesses.set(id, access)
  return { id, event: eventOf('product_access.granted', access) }
}

/** Null has the same effect as an omitted field. */
function update({ state, call }: Item, access: Access, { status, access_due_date: due }: Row): Event[] {
  const set = {
    ...(status != null && { status }),
    ...(due != null &&
      !(call.body['never_shorten'] === true && endsLater(access, due)) && { access_due_date: values.storedTime(due) }),
  }
  const changes = changesOf(access.json, set)
  if (Object.keys(changes).length === 0) return []
  state.accesses.set(String(access.json['id']), { ...access, json: { ...access.json, ...set }, etag: '' })
  return [eventOf('product_access.updated', access, { changes })]
}

/** True for an access that ends after the given date, or never. */
function endsLater({ json }: Access, due: unknown): boolean {
  const end = json['access_due_date']
  return typeof end !== 'string' || Date.parse(end) > Date.parse(String(values.storedTime(due)))
}

function oneGrant(context: Item): Result {
  const { state, call, item, onExisting, accepted } = context
  const missing = missingInGrant(item)
  if (missing.length > 0) return missingInItem(missing)
  const invalid = [...input.invalidIn(GRANT, item, call.now, oneProduct), ...input.unknownIn(GRANT, item)]
  if (invalid.length > 0) return invalidItem(invalid)
  // What only the database knows comes once everything else is valid.
  const unknown = unknownIn(state, item)
  if (unknown.length > 0) return invalidItem(unknown)
  const product = productOf(state, item)
  const key = `${String(item['user_id'])} ${product}`
  const existing = state.accessOf(item['user_id'], product)
  const taken = { status: 422, code: 'access_exists', fields: [fieldOfProduct(item)] }
  if (accepted.has(key)) return taken
  const same = existing && { id: String(existing.json['id']) }
  if (existing && onExisting === 'fail') return { ...taken, ...same }
  accepted.add(key)
  if (existing) return { status: 200, ...same, events: onExisting === 'skip' ? [] : update(context, existing, item) }
  const { id, event } = create(context, item, shownId(context))
  return { status: 201, id, events: [event] }
}

export const ACCESS_BATCH: Record<string, Operation> = {
  'POST /product_accesses/batch': batchOf('product_accesses:write', oneGrant),
}
