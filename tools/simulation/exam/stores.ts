/** The tasks about what operators set up: the store itself, products, custom fields, and operators. */
import { TIME_ZONES } from '../contract.ts'
import type { Random } from '../world/random.ts'
import type { Row } from '../rows.ts'
import type { Examiner, Prepared } from './examiner.ts'
import { NO_ID, ofOperators, type Task, taskOf } from './task.ts'

function some(random: Random, values: Row): Row {
  return Object.fromEntries(Object.entries(values).filter(() => random.chance(0.5)))
}

/** That of the course in tools/simulation/clients/bulk.ts. */
const SLUG_OF_ANOTHER_STORE = 'bulk'

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
    time_zone: random.pick([...TIME_ZONES, 'Europe', 'America/Nowhere']),
    suspended: random.chance(0.5),
    expiry_notice_days: random.pick([0, 3, 7]),
  })
  return { path: '', body }
}

const PLACES = [{}, { place: 'shared' }, { place: 'own' }, { place: 'own', jurisdiction: 'eu', location: 'weur' }]

function prepareStore(exam: Examiner, random: Random): Prepared {
  const id = random.chance(0.3) ? exam.model.slug : exam.slug('store')
  return { path: '/admin/stores', body: { id, name: 'Another store', language: 'PT', ...random.pick(PLACES) } }
}

const NAME = 'An operator'

function prepareOperator(_: Examiner, random: Random): Prepared {
  return { path: '/admin/operators', body: { name: NAME, role: random.pick(['viewer', 'office', 'admin']) } }
}

/** An operator whom a task has created: of none, if all are revoked. */
function pathOfOperator({ model }: Examiner): string {
  const own = [...model.operators].find(([, { json }]) => json['name'] === NAME && json['revoked_at'] === null)
  return `/admin/operators/${own?.[0] ?? NO_ID}`
}

function prepareOperatorUpdate(exam: Examiner, random: Random): Prepared {
  const body = random.pick([{ role: 'office' }, { role: 'viewer' }, { stores: [exam.model.slug] }, { stores: null }])
  return { path: pathOfOperator(exam), body }
}

const read = (path: string) => (): Prepared => ({ path })

export const STORE_TASKS: Task[] = [
  ofOperators('POST /products', prepareNewProduct),
  ofOperators('PATCH /products/{id}', prepareProductUpdate),
  ofOperators('DELETE /products/{id}', prepareProductDelete),
  ofOperators('PUT /custom_fields/{key}', prepareField),
  ofOperators('DELETE /custom_fields/{key}', prepareFieldDelete),
  taskOf('PATCH /admin/stores/{store_id}', prepareStoreUpdate),
  taskOf('GET /admin/stores/{store_id}', () => ({ path: '' })),
  taskOf('POST /admin/stores', prepareStore),
  taskOf('GET /admin/stores', read('/admin/stores?limit=100')),
  taskOf('POST /admin/operators', prepareOperator),
  taskOf('PATCH /admin/operators/{id}', prepareOperatorUpdate),
  taskOf('DELETE /admin/operators/{id}', (exam) => ({ path: pathOfOperator(exam) })),
  taskOf('GET /admin/operators', read('/admin/operators?limit=100')),
  taskOf('GET /admin/operator', read('/admin/operator')),
  taskOf('GET /admin/status', read('/admin/status')),
  taskOf('GET /admin/events', read('/admin/events?limit=100')),
  taskOf('GET /health', read('/health')),
]
