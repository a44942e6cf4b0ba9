/**
 * Every change that an operator can make, sent again because its answer was lost: with nobody in between, with another
 * writer of the store or of the same record, with its undoing, and after the operator was revoked. It is made once, and
 * answered as made.
 */
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { admin, type Answer, newStore, type TestStore } from '../support/api.ts'
import { CHANGES, sendChange } from '../support/changes.ts'
import { faultyD1, losesAnswer } from '../support/faults.ts'
import { newOperator, OPERATIONS, type Operator } from '../support/operators.ts'
import { rowsOf, storeNumber } from '../support/rows.ts'

const TABLES = [
  'stores',
  'access_tokens',
  'custom_fields',
  'users',
  'products',
  'product_accesses',
  'webhook_endpoints',
  'events',
]

/**
 * All rows of a store, without what two runs of one test differ in: times, secrets, who asked, the store's number, and
 * how far the queue has come.
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

/** The change in a new store; others act after it or, where the answer is lost, before it is sent again. */
async function make(operation: string, isLost: boolean, others: Others) {
  const { prepare, body } = CHANGES[operation] ?? { status: 0 }
  const store = await newStore()
  const operator = await newOperator('admin')
  const id = (await prepare?.(store)) ?? 'rank'
  const meanwhile = () => others({ store, operator, id })
  const { DB, roundTrips } = faultyD1(env.DB, isLost ? losesAnswer(meanwhile) : undefined)
  const answer = await sendChange(operation, { store, id, body }, { token: operator.token, bindings: { DB } })
  if (!isLost) await meanwhile()
  return { answer, trips: roundTrips(), state: await stateOf(store) }
}

/** What came of the change where nothing was lost, and where its answer was. */
async function makeTwice(operation: string, others: Others) {
  const clean = await make(operation, false, others)
  const lost = await make(operation, true, others)
  expect([clean.answer.status, clean.trips, lost.trips]).toEqual([CHANGES[operation]?.status, 1, 2])
  return { clean, lost }
}

const others: Record<string, Others> = {
  nobody: async () => {},
  'another writer': ({ store }) => admin('PUT', `/stores/${store.id}/custom_fields/elsewhere`, {}),
  'a revocation of the operator': ({ operator }) => admin('DELETE', `/operators/${operator.id}`),
}
const cases = Object.keys(CHANGES).flatMap((operation) => Object.keys(others).map((between) => [operation, between]))

it.each(cases)('%s, whose answer was lost, with %s in between: is made once', async (operation = '', between = '') => {
  const { clean, lost } = await makeTwice(operation, others[between] ?? fail)
  expect(lost.state).toEqual(clean.state)
  expect(lost.answer.status).toBe(clean.answer.status)
  expect(Object.keys(lost.answer.json ?? {})).toEqual(Object.keys(clean.answer.json ?? {}))
})

const undone = Object.entries(CHANGES).flatMap(([operation, { undo }]) => (undo ? [{ operation, ...undo }] : []))

it.each(undone)('$operation, whose answer was lost, undone in between: is not made again', async (change) => {
  const { clean, lost } = await makeTwice(change.operation, ({ store, id }) => change.act(store, id))
  expect(lost.state).toEqual(clean.state)
  expect(lost.answer.status).toBe(change.status)
})

const rewritten = Object.entries(CHANGES).flatMap(([operation, { rewrite }]) =>
  rewrite ? [{ operation, rewrite }] : [],
)

it.each(rewritten)('$operation, whose answer was lost, then by another: stays as that one set it', async (change) => {
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

it('is rewritten wherever a record is changed', () => {
  const changes = Object.keys(CHANGES).filter((operation) => /^(PATCH|PUT) /.test(operation))
  expect(rewritten.map(({ operation }) => operation)).toEqual(changes)
})

function fail(): never {
  throw new Error('others who do not exist')
}

/** Tested where the record is no row of a store that was there before, or where nothing is changed. */
const ELSEWHERE = [
  'POST /admin/stores/:store_id/users/verify_password',
  'POST /admin/stores/:store_id/webhook_endpoints/:id/test',
  'POST /admin/stores/:store_id/webhook_endpoints/:id/deliveries/:event_id/redeliver',
  'POST /admin/stores', // test/admin/stores.test.ts
  'POST /admin/operators', // test/admin/operators.test.ts
  'DELETE /admin/operators/:id',
  'POST /admin/stores/:store_id/users/batch', // test/domain/change/batch-items-faults.test.ts
  'POST /admin/stores/:store_id/product_accesses/batch',
]

it('holds for every change that is served', () => {
  const changes = OPERATIONS.filter((operation) => !operation.startsWith('GET '))
  expect(changes.toSorted()).toEqual([...Object.keys(CHANGES), ...ELSEWHERE].toSorted())
})
