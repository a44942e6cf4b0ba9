/** The tasks about what operators set up: the store itself, products, custom fields, and operators. */
import { iso } from '../reference/state.ts'
import type { Random } from '../world/random.ts'
import type { Row } from '../rows.ts'
import type { Examiner, Expected, Made, Prepared } from './examiner.ts'
import { NO_ID, notFound, ofOperators, type Task, taskOf } from './task.ts'

function some(random: Random, values: Row): Row {
  return Object.fromEntries(Object.entries(values).filter(() => random.chance(0.5)))
}

/** That of the course in client-bulk.ts. */
const SLUG_OF_ANOTHER_STORE = 'bulk'

const taken = (field: string): Expected => ({ status: 422, code: 'already_exists', fields: [field] })

function prepareNewProduct(exam: Examiner, random: Random): Prepared {
  const name = exam.slug('product')
  const given: Row = random.pick([{}, { expiration_days: null }, { expiration_days: 1 }, { expiration_days: 30 }])
  // Another store in the same database has a product with this slug, too.
  const products = [...exam.model.products.values()]
  const isFree = !products.some((product) => product['slug'] === SLUG_OF_ANOTHER_STORE)
  const other = random.chance(0.2) ? products[0]?.['slug'] : undefined
  const slug = other ?? (isFree ? SLUG_OF_ANOTHER_STORE : name)
  return { path: '/products', body: { name, slug, type: 'course', ...given } }
}

function pickProduct(exam: Examiner, random: Random): Row | undefined {
  const products = [...exam.model.products.values()]
  return products.length === 0 ? undefined : random.pick(products)
}

function pathOfProduct(exam: Examiner, random: Random): string {
  const product = pickProduct(exam, random)
  return `/products/${product && !random.chance(0.05) ? String(product['id']) : NO_ID}`
}

function prepareProductUpdate(exam: Examiner, random: Random): Prepared {
  const text = exam.slug('renamed')
  const body = some(random, {
    name: text,
    slug: random.chance(0.3) ? (pickProduct(exam, random)?.['slug'] ?? text) : text,
    type: random.pick(['course', 'bundle']),
    expiration_days: random.pick([null, 7]),
  })
  return { path: pathOfProduct(exam, random), body }
}

const prepareProductDelete = (exam: Examiner, random: Random): Prepared => ({ path: pathOfProduct(exam, random) })

function prepareField(_: Examiner, random: Random): Prepared {
  const key = random.pick(['alpha', 'beta.x', 'Gamma', 'delta', 'epsilon'])
  const body: Row = random.pick([{}, { label: 'A label' }, { label: 'Another label' }])
  return { path: `/custom_fields/${key}`, body }
}

function prepareFieldDelete(exam: Examiner, random: Random): Prepared {
  const keys = [...exam.model.fields.keys()]
  const key = keys.length < 2 || random.chance(0.1) ? 'nobody-defined-this' : random.pick(keys)
  return { path: `/custom_fields/${key}` }
}

function prepareStoreUpdate(_: Examiner, random: Random): Prepared {
  const body = some(random, {
    name: random.pick(['Green', 'Verde']),
    language: random.pick(['EN', 'ES', 'PT']),
    suspended: random.chance(0.5),
    expiry_notice_days: random.pick([0, 3, 7]),
  })
  return { path: '', body }
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
  return { path: '/admin/operators', body, expected, apply: ({ id }) => void exam.hired.add(id) }
}

/** An operator of these tasks; undefined if all are revoked. */
const pickOperator = ({ hired }: Examiner): string | undefined => [...hired][0]

function prepareOperatorUpdate(exam: Examiner): Prepared {
  const id = pickOperator(exam)
  const body = { name: 'A renamed operator' }
  if (id === undefined) return { path: `/admin/operators/${NO_ID}`, body, expected: notFound }
  return { path: `/admin/operators/${id}`, body, expected: { status: 200, json: () => ({ id, ...body }) } }
}

function prepareRevocation(exam: Examiner): Prepared {
  const id = pickOperator(exam)
  if (id === undefined) return { path: `/admin/operators/${NO_ID}`, expected: notFound }
  const apply = () => void exam.hired.delete(id)
  return { path: `/admin/operators/${id}`, expected: { status: 204, text: '' }, apply }
}

const read = (path: string, expected: Expected) => (): Prepared => ({ path, expected })
const isPage = ({ json }: Made): Row => ({
  data: Array.isArray(json['data']) ? [...json['data']] : 'a list',
  next: json['next'] ?? null,
})

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
  taskOf('PATCH /admin/stores/{store_id}', prepareStoreUpdate),
  taskOf('GET /admin/stores/{store_id}', () => ({ path: '' })),
  taskOf('POST /admin/stores', prepareStore),
  taskOf('GET /admin/stores', prepareStores),
  taskOf('POST /admin/operators', prepareOperator),
  taskOf('PATCH /admin/operators/{id}', prepareOperatorUpdate),
  taskOf('DELETE /admin/operators/{id}', prepareRevocation),
  taskOf('GET /admin/operators', read('/admin/operators?limit=100', { status: 200, json: isPage })),
  taskOf('GET /admin/operator', read('/admin/operator', { status: 200 })),
  taskOf(
    'GET /admin/status',
    read('/admin/status', { status: 200, json: () => ({ stores: {}, webhooks: {}, database: {} }) }),
  ),
  taskOf('GET /admin/events', read('/admin/events?limit=100', { status: 200, json: isPage })),
  taskOf('GET /health', read('/health', { status: 200, json: () => ({ status: 'ok' }) })),
]
