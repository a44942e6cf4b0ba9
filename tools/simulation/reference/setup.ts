/** What operators set up in a store: its own fields, products and custom fields (contract, section 7). */
import { LENGTH, MAX_EXPIRATION_DAYS, MAX_EXPIRY_NOTICE_DAYS } from '../../../src/limits.ts'
import type { Row } from '../rows.ts'
import { missingOf } from './input.ts'
import { type Call, invalid, newId, notFound, type Operation, type Outcome } from './operation.ts'
import { changesOf, type Event, iso, type State } from './state.ts'
import * as values from './values.ts'

const { filled, ifSent, optional } = values

/** The outcome of an update: it has an event if anything differs. */
export function updated(before: Row, set: Row, type: string, ids: Row): { outcome: Outcome; json: Row } {
  const changes = changesOf(before, set)
  const json = { ...before, ...set }
  const events: Event[] = Object.keys(changes).length > 0 ? [{ type, data: { ...ids, changes } }] : []
  return { outcome: { status: 200, body: json, events }, json }
}

const done = (type: string, data: Row): Outcome => ({ status: 204, text: '', events: [{ type, data }] })

function updateStore(state: State, { body, now }: Call): Outcome {
  const { outcome, json } = updated(state.json, body, 'store.updated', { store_id: state.slug })
  state.json = json
  if (outcome.events?.length) state.changedAt = now
  return outcome
}

const hasSlug = ({ products }: State, slug: unknown, id?: string) =>
  [...products].some(([other, product]) => other !== id && product['slug'] === slug)
const slugTaken: Outcome = { status: 422, code: 'already_exists', fields: ['slug'] }

function createProduct(state: State, { body, drawn, now }: Call): Outcome {
  if (hasSlug(state, body['slug'])) return slugTaken
  const id = newId(state, drawn.json['id'] ?? drawn.events.map(idOfProduct)[0])
  const { name, slug, type, expiration_days = null } = body
  const json = { id, name, slug, type, expiration_days, created_at: iso(now) }
  state.products.set(id, json)
  return { status: 201, body: json, events: [{ type: 'product.created', data: { product_id: id } }], record: id }
}

const idOfProduct = (event: Row) => Object(event['data'])['product_id']

function updateProduct(state: State, { id, body }: Call): Outcome {
  const product = state.products.get(id)
  if (!product) return notFound
  if (hasSlug(state, body['slug'], id)) return slugTaken
  const { outcome, json } = updated(product, body, 'product.updated', { product_id: id })
  state.products.set(id, json)
  return outcome
}

function deleteProduct(state: State, { id }: Call): Outcome {
  if (!state.products.has(id)) return notFound
  const isUsed = [...state.accesses.values()].some(({ product }) => product === id)
  if (isUsed) return { status: 422, code: 'in_use', fields: ['id'] }
  state.products.delete(id)
  return done('product.deleted', { product_id: id })
}

function putField(state: State, { id: key, body: { label = null }, now }: Call): Outcome {
  if (values.fieldKey(key, 0).length > 0) return invalid('key')
  const known = state.fields.get(key)
  if (known) {
    // A label that is omitted stays as it is.
    const { outcome, json } = updated(known, label === null ? {} : { label }, 'custom_field.updated', {
      custom_field_key: key,
    })
    state.fields.set(key, json)
    return outcome
  }
  const json = { key, label, created_at: iso(now) }
  state.fields.set(key, json)
  return { status: 201, body: json, events: [{ type: 'custom_field.created', data: { custom_field_key: key } }] }
}

/** New values of the field are invalid from now on; those that users have stay. */
function deleteField(state: State, { id: key }: Call): Outcome {
  return state.fields.delete(key) ? done('custom_field.deleted', { custom_field_key: key }) : notFound
}

const expiration_days = optional(values.integer(1, MAX_EXPIRATION_DAYS))

export const SETUP_OPERATIONS: Record<string, Operation> = {
  'GET /admin/stores/{store_id}': { role: 'viewer', perform: ({ json }) => ({ status: 200, body: json }) },
  'PATCH /admin/stores/{store_id}': {
    role: 'admin',
    body: {
      name: ifSent(filled(LENGTH.name)),
      language: ifSent(values.language),
      time_zone: ifSent(values.timeZone),
      suspended: ifSent(values.boolean),
      expiry_notice_days: ifSent(values.integer(0, MAX_EXPIRY_NOTICE_DAYS)),
    },
    perform: updateStore,
  },
  'POST /products': {
    role: 'admin',
    body: { name: filled(LENGTH.name), slug: values.slug, type: filled(LENGTH.name), expiration_days },
    required: missingOf('name', 'slug', 'type'),
    perform: createProduct,
  },
  'PATCH /products/{id}': {
    role: 'admin',
    body: {
      name: ifSent(filled(LENGTH.name)),
      slug: ifSent(values.slug),
      type: ifSent(filled(LENGTH.name)),
      expiration_days,
    },
    perform: updateProduct,
  },
  'DELETE /products/{id}': { role: 'admin', perform: deleteProduct },
  'PUT /custom_fields/{key}': { role: 'admin', body: { label: optional(filled(LENGTH.name)) }, perform: putField },
  'DELETE /custom_fields/{key}': { role: 'admin', perform: deleteField },
}
