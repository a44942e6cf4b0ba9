/** The tasks about what operators set up: the store itself, products, custom fields, and operators. */
import type { Random } from '../world/random.ts'
import type { Row } from '../rows.ts'
import type { Examiner, Expected, Made, Prepared } from './examiner.ts'
import { iso } from './model.ts'
import { NO_ID, notFound, ofOperators, type Task } from './task.ts'

/** The fields that differ, as an event shows them. */
export function changesOf(before: Row, after: Row): Row {
  const names = Object.keys(after).filter(
    (name) => JSON.stringify(after[name]) !== JSON.stringify(before[name] ?? null),
  )
  return Object.fromEntries(names.map((name) => [name, { from: before[name] ?? null, to: after[name] }]))
}

/** What an update returns, with its event if anything differs. */
export function updated(before: Row, set: Row, event: (changes: Row) => { type: string; data: Row }): Expected {
  const changes = changesOf(before, set)
  const isChanged = Object.keys(changes).length > 0
  return { status: 200, json: () => ({ ...before, ...set }), ...(isChanged && { events: () => [event({ changes })] }) }
}

function some(random: Random, values: Row): Row {
  return Object.fromEntries(Object.entries(values).filter(() => random.chance(0.5)))
}

/** That of the course in client-bulk.ts. */
const SLUG_OF_ANOTHER_STORE = 'bulk'

const taken = (field: string): Expected => ({ status: 422, code: 'already_exists', fields: [field] })

function prepareNewProduct(exam: Examiner, random: Random): Prepared {
  const path = '/products'
  const name = exam.slug('product')
  const given: Row = random.pick([{}, { expiration_days: null }, { expiration_days: 1 }, { expiration_days: 30 }])
  // Another store in the same database has a product with this slug, too.
  const isFree = ![...exam.model.products.values()].some((product) => product['slug'] === SLUG_OF_ANOTHER_STORE)
  const slug = isFree ? SLUG_OF_ANOTHER_STORE : name
  const body: Row = { name, slug, type: 'course', ...given }
  const [other] = exam.model.products.values()
  if (other && random.chance(0.2)) return { path, body: { ...body, slug: other['slug'] }, expected: taken('slug') }
  if (random.chance(0.1)) {
    const expected = { status: 422, code: 'invalid_parameter', fields: ['slug', 'expiration_days'] }
    return { path, body: { ...body, slug: 'No Slug', expiration_days: 0 }, expected }
  }
  const json = ({ id, at }: Made) => ({
    id,
    name,
    slug,
    type: 'course',
    expiration_days: given['expiration_days'] ?? null,
    created_at: iso(at),
  })
  const events = ({ id }: Made) => [{ type: 'product.created', data: { product_id: id } }]
  const apply = (made: Made) => void exam.model.products.set(made.id, json(made))
  return { path, body, expected: { status: 201, json, events }, apply }
}

function pickProduct(exam: Examiner, random: Random): Row | undefined {
  const products = [...exam.model.products.values()]
  return products.length === 0 ? undefined : random.pick(products)
}

function prepareProductUpdate(exam: Examiner, random: Random): Prepared {
  const product = pickProduct(exam, random)
  const other = pickProduct(exam, random)
  const text = exam.slug('renamed')
  const body = some(random, {
    name: text,
    slug: text,
    type: random.pick(['course', 'bundle']),
    expiration_days: random.pick([null, 7]),
  })
  if (!product || random.chance(0.05)) return { path: `/products/${NO_ID}`, body, expected: notFound }
  const id = String(product['id'])
  const path = `/products/${id}`
  if (other && other !== product && random.chance(0.2))
    return { path, body: { ...body, slug: other['slug'] }, expected: taken('slug') }
  const expected = updated(product, body, (changes) => ({
    type: 'product.updated',
    data: { product_id: id, ...changes },
  }))
  return { path, body, expected, apply: () => void exam.model.products.set(id, { ...product, ...body }) }
}

function prepareProductDelete(exam: Examiner, random: Random): Prepared {
  const product = pickProduct(exam, random)
  if (!product) return { path: `/products/${NO_ID}`, expected: notFound }
  const id = String(product['id'])
  const isUsed = [...exam.model.accesses.values()].some((access) => access.product === id)
  if (isUsed) return { path: `/products/${id}`, expected: { status: 422, code: 'in_use', fields: ['id'] } }
  const events = () => [{ type: 'product.deleted', data: { product_id: id } }]
  return {
    path: `/products/${id}`,
    expected: { status: 204, text: '', events },
    apply: () => void exam.model.products.delete(id),
  }
}

function prepareField(exam: Examiner, random: Random): Prepared {
  const key = random.pick(['alpha', 'beta.x', 'Gamma', 'delta', 'epsilon'])
  const body: Row = random.pick([{}, { label: 'A label' }, { label: 'Another label' }])
  const path = `/custom_fields/${key}`
  const known = exam.model.fields.get(key)
  const save = (json: Row) => () => void exam.model.fields.set(key, json)
  if (known) {
    const expected = updated(known, body, (changes) => ({
      type: 'custom_field.updated',
      data: { custom_field_key: key, ...changes },
    }))
    return { path, body, expected, apply: save({ ...known, ...body }) }
  }
  const field = { key, label: body['label'] ?? null, created_at: iso(exam.now) }
  const events = () => [{ type: 'custom_field.created', data: { custom_field_key: key } }]
  return { path, body, expected: { status: 201, json: () => field, events }, apply: save(field) }
}

function prepareFieldDelete(exam: Examiner, random: Random): Prepared {
  const keys = [...exam.model.fields.keys()]
  const key = keys.length < 2 || random.chance(0.1) ? 'nobody-defined-this' : random.pick(keys)
  const path = `/custom_fields/${key}`
  if (!exam.model.fields.has(key)) return { path, expected: notFound }
  const events = () => [{ type: 'custom_field.deleted', data: { custom_field_key: key } }]
  return { path, expected: { status: 204, text: '', events }, apply: () => void exam.model.fields.delete(key) }
}

function prepareStoreUpdate(exam: Examiner, random: Random): Prepared {
  const { json, suspended } = exam.model
  const { expiry_notice_days = 7 } = json
  const before: Row = { ...json, suspended, expiry_notice_days }
  const body = some(random, {
    name: random.pick(['Green', 'Verde']),
    language: random.pick(['EN', 'ES', 'PT']),
    suspended: random.chance(0.5),
    expiry_notice_days: random.pick([0, 3, 7]),
  })
  const changes = changesOf(before, body)
  const apply = () => {
    exam.model.json = { ...json, ...body }
    exam.model.suspended = body['suspended'] === undefined ? suspended : body['suspended'] === true
  }
  const events = () => [{ type: 'store.updated', data: { store_id: exam.model.slug, changes } }]
  const expected = { status: 200, json: () => ({ ...before, ...body }) }
  return { path: '', body, expected: Object.keys(changes).length > 0 ? { ...expected, events } : expected, apply }
}

function prepareStoreRead(exam: Examiner): Prepared {
  const { json, suspended } = exam.model
  return { path: '', expected: { status: 200, json: () => ({ ...json, suspended }) } }
}

const PLACES = [{}, { place: 'shared' }, { place: 'own' }, { place: 'own', jurisdiction: 'eu', location: 'weur' }]

function prepareStore(exam: Examiner, random: Random): Prepared {
  const id = exam.slug('store')
  const path = '/admin/stores'
  const body = { id, name: 'Another store', language: 'PT', ...random.pick(PLACES) }
  if (random.chance(0.3)) return { path, body: { ...body, id: exam.model.slug }, expected: taken('id') }
  return { path, body, expected: { status: 201, json: ({ at }) => ({ ...body, created_at: iso(at) }) } }
}

function prepareOperator(exam: Examiner, random: Random): Prepared {
  const role = random.pick(['viewer', 'office', 'admin'])
  const body = { name: 'An operator', role }
  const expected: Expected = {
    status: 201,
    json: ({ id, at }) => ({ id, ...body, created_at: iso(at), revoked_at: null }),
  }
  const apply = ({ id }: Made) => void exam.operatorEvents.push({ type: 'operator.created', data: { operator_id: id } })
  return { path: '/admin/operators', body, expected, apply }
}

function prepareOperatorUpdate(exam: Examiner): Prepared {
  const id = exam.operatorEvents.find(({ type }) => type === 'operator.created')?.data['operator_id']
  const isRevoked = exam.operatorEvents.some(
    ({ type, data }) => type === 'operator.revoked' && data['operator_id'] === id,
  )
  const body = { name: 'A renamed operator' }
  if (typeof id !== 'string' || isRevoked) return { path: `/admin/operators/${NO_ID}`, body, expected: notFound }
  return { path: `/admin/operators/${id}`, body, expected: { status: 200, json: () => ({ id, ...body }) } }
}

function prepareRevocation(exam: Examiner): Prepared {
  const created = exam.operatorEvents
    .filter(({ type }) => type === 'operator.created')
    .map(({ data }) => String(data['operator_id']))
  const revoked = new Set(
    exam.operatorEvents
      .filter(({ type }) => type === 'operator.revoked')
      .map(({ data }) => String(data['operator_id'])),
  )
  const id = created.find((each) => !revoked.has(each))
  if (id === undefined) return { path: `/admin/operators/${NO_ID}`, expected: notFound }
  const apply = () => void exam.operatorEvents.push({ type: 'operator.revoked', data: { operator_id: id } })
  return { path: `/admin/operators/${id}`, expected: { status: 204, text: '' }, apply }
}

const read = (path: string, expected: Expected) => (): Prepared => ({ path, expected })
const isPage = ({ json }: Made): Row => ({
  data: Array.isArray(json['data']) ? [...json['data']] : 'a list',
  next: json['next'] ?? null,
})

function task(operation: string, prepare: Task['prepare'], options: Partial<Task> = {}): Task {
  return { operation, mount: 'admin', prepare, ...options }
}

/** An operator who is limited to stores sees no others. */
function prepareStores(exam: Examiner, random: Random): Prepared {
  const path = '/admin/stores?limit=100'
  const { limited } = exam.operators
  if (random.chance(0.5)) return { path, expected: { status: 200, json: isPage } }
  const json = () => ({ data: [{ id: exam.model.slug }], next: null })
  return { path, caller: limited, expected: { status: 200, json } }
}

export const STORE_TASKS: Task[] = [
  ofOperators('POST /products', prepareNewProduct),
  ofOperators('PATCH /products/{id}', prepareProductUpdate),
  ofOperators('DELETE /products/{id}', prepareProductDelete),
  ofOperators('PUT /custom_fields/{key}', prepareField),
  ofOperators('DELETE /custom_fields/{key}', prepareFieldDelete),
  task('PATCH /admin/stores/{store_id}', prepareStoreUpdate),
  task('GET /admin/stores/{store_id}', prepareStoreRead),
  task('POST /admin/stores', prepareStore),
  task('GET /admin/stores', prepareStores),
  task('POST /admin/operators', prepareOperator, { isRootOnly: true }),
  task('PATCH /admin/operators/{id}', prepareOperatorUpdate, { isRootOnly: true }),
  task('DELETE /admin/operators/{id}', prepareRevocation, { isRootOnly: true }),
  task('GET /admin/operators', read('/admin/operators?limit=100', { status: 200, json: isPage })),
  task('GET /admin/operator', read('/admin/operator', { status: 200 })),
  task(
    'GET /admin/status',
    read('/admin/status', { status: 200, json: () => ({ stores: {}, webhooks: {}, database: {} }) }),
  ),
  task('GET /admin/events', read('/admin/events?limit=100', { status: 200, json: isPage })),
  {
    operation: 'GET /health',
    mount: 'none',
    prepare: read('/health', { status: 200, json: () => ({ status: 'ok' }) }),
  },
]
