/**
 * These tests lose the response of each change that an operator can make, so that it is sent again. In between,
 * another one writes to the store or to the same record, undoes the change, or revokes the operator. A change that is
 * applied twice, or reported as failed although it was applied, fails here.
 */
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import type { Answer } from '../support/openapi.ts'
import { admin, newStore } from '../support/api.ts'
import { CHANGES, sendChange } from '../support/changes.ts'
import { faultyD1, losesAnswer } from '../support/faults.ts'
import { newOperator, OPERATIONS, type Operator } from '../support/operators.ts'
import { inStore } from '../support/places.ts'
import { rowsOf, storeNumber, type TestStore } from '../support/rows.ts'

const TABLES = [
  'stores',
  'access_tokens',
  'custom_fields',
  'users',
  'products',
  'product_accesses',
  'webhook_endpoints',
  'bulk_changes',
  'events',
]

/**
 * Returns all rows of a store without what differs between two runs of a test: times, secrets, the operator, the
 * number of the store, and the position of the queue.
 */
async function stateOf(store: TestStore): Promise<any[][]> {
  const number = await storeNumber(store)
  const tables = TABLES.map((table) => rowsOf(`select * from ${table} where id >> 32 = ? order by id`, number))
  return (await Promise.all(tables)).map((rows) => rows.map(normalize))
}

function normalize(row: Record<string, any>): object {
  const { store: _, actor_id: __, cursor: ___, ...columns } = row
  return Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, normalizeValue(name, value)]))
}

function normalizeValue(name: string, value: any): unknown {
  if (value === null) return null
  if (name === 'request_id') return value.slice(36)
  if (name === 'canceled_by') return name
  if (name === 'older_hashes' || name === 'older_secrets') return Object.keys(JSON.parse(value)).length
  if (name === 'hash' || name === 'secret' || name.endsWith('_at') || String(value).startsWith('store-')) return name
  if (typeof value === 'string') return value.replaceAll(/\d{13}/g, 'time')
  return typeof value === 'number' ? value % 2 ** 32 : value
}

interface Meanwhile {
  store: TestStore
  operator: Operator
  id: string
}

type Others = (meanwhile: Meanwhile) => Promise<unknown>

/** Makes the change in a new store. Others act after it or, if its response is lost, before it is sent again. */
async function make(operation: string, isLost: boolean, others: Others) {
  const { prepare, body } = CHANGES[operation] ?? { status: 0 }
  const store = await newStore()
  const operator = await newOperator('admin')
  const id = (await prepare?.(store)) ?? 'rank'
  const meanwhile = () => others({ store, operator, id })
  const { DB, roundTrips } = faultyD1(env.DB, isLost ? inStore(losesAnswer(meanwhile)) : undefined)
  const answer = await sendChange(operation, { store, id, body }, { token: operator.token, bindings: { DB } })
  if (!isLost) await meanwhile()
  return { answer, trips: roundTrips(), state: await stateOf(store) }
}

/** Makes the change twice, once without a fault and once with a lost response. */
async function makeTwice(operation: string, others: Others) {
  const clean = await make(operation, false, others)
  const lost = await make(operation, true, others)
  expect([clean.answer.status, clean.trips, lost.trips]).toEqual([CHANGES[operation]?.status, 2, 3])
  return { clean, lost }
}

const others: Record<string, Others> = {
  nothing: async () => {},
  'another write': ({ store }) => admin('PUT', `/stores/${store.id}/custom_fields/elsewhere`, {}),
  'the revocation of the operator': ({ operator }) => admin('DELETE', `/operators/${operator.id}`),
}

/** One change of each shape is tried with everything between; each of the others with what tells most. */
const SHAPES = new Set([
  'POST /admin/stores/:store_id/users',
  'PATCH /admin/stores/:store_id/users/:id',
  'DELETE /admin/stores/:store_id/users/:id',
  'PUT /admin/stores/:store_id/product_accesses/:id',
  'PUT /admin/stores/:store_id/custom_fields/:key',
  'POST /admin/stores/:store_id/bulk_changes',
])

const cases = Object.entries(CHANGES).flatMap(([operation, { undo, rewrite }]) => {
  const between = SHAPES.has(operation) ? Object.keys(others) : (rewrite ?? undo) ? [] : ['another write']
  return between.map((other) => [operation, other])
})

it.each(cases)('%s is applied once if its response is lost with %s between', async (operation = '', between = '') => {
  const { clean, lost } = await makeTwice(operation, others[between] ?? fail)
  expect(lost.state).toEqual(clean.state)
  expect(lost.answer.status).toBe(clean.answer.status)
  expect(Object.keys(lost.answer.json ?? {})).toEqual(Object.keys(clean.answer.json ?? {}))
})

const undone = Object.entries(CHANGES).flatMap(([operation, { undo, rewrite }]) =>
  undo && (SHAPES.has(operation) || rewrite === undefined) ? [{ operation, ...undo }] : [],
)

it.each(undone)('$operation is not applied again when its response is lost and it is undone', async (change) => {
  const { clean, lost } = await makeTwice(change.operation, ({ store, id }) => change.act(store, id))
  expect(lost.state).toEqual(clean.state)
  expect(lost.answer.status).toBe(change.status)
})

const rewritten = Object.entries(CHANGES).flatMap(([operation, { rewrite }]) =>
  rewrite ? [{ operation, rewrite }] : [],
)

it.each(rewritten)('$operation does not overwrite a later change when its response is lost', async (change) => {
  let theirs: Answer | undefined
  const others: Others = async ({ store, id }) => {
    theirs = await sendChange(change.operation, { store, id, body: change.rewrite })
  }
  const { clean, lost } = await makeTwice(change.operation, others)
  expect(lost.state).toEqual(clean.state)
  expect(lost.answer.status).toBe(clean.answer.status)
  expect(lost.answer.json).toEqual(theirs?.json)
  expect(lost.answer.json).not.toEqual(clean.answer.json)
})

it('every change of a record has a test with a later change by another operator', () => {
  const changes = Object.keys(CHANGES).filter((operation) => /^(PATCH|PUT) /.test(operation))
  expect(rewritten.map(({ operation }) => operation)).toEqual(changes)
})

function fail(): never {
  throw new Error('others who do not exist')
}

/** The changes below create their store or operator, change nothing, or are batches. Other files test them. */
const ELSEWHERE = [
  'POST /admin/stores/:store_id/users/verify_password',
  'POST /admin/stores/:store_id/webhook_endpoints/:id/test',
  'POST /admin/stores/:store_id/webhook_endpoints/:id/deliveries/:event_id/redeliver',
  'POST /admin/stores', // test/modules/stores/stores.test.ts
  'POST /admin/operators', // test/modules/operators/operators.test.ts
  'DELETE /admin/operators/:id',
  'PATCH /admin/operators/:id', // test/modules/operators/update-operator.test.ts
  'POST /admin/stores/:store_id/users/batch', // test/change/many-records-faults.test.ts
  'POST /admin/stores/:store_id/product_accesses/batch',
]

it('every change that the service offers has a test here or in another file', () => {
  const changes = OPERATIONS.filter((operation) => !operation.startsWith('GET '))
  expect(changes.toSorted()).toEqual([...Object.keys(CHANGES), ...ELSEWHERE].toSorted())
})
