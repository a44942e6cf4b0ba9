/**
 * Every change that an operator can make, sent again because its answer was lost: with nobody in between, with another
 * writer, with its undoing, and after the operator was revoked. It is made once, and answered as made.
 */
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { admin, newStore, type TestStore } from '../support/api.ts'
import { faultyD1, losesAnswer } from '../support/faults.ts'
import { CHANGES, newOperator, OPERATIONS, type Operator, sendChange } from '../support/operators.ts'
import { rowsOf, storeNumber } from '../support/rows.ts'

const TABLES = ['stores', 'access_tokens', 'custom_fields', 'users', 'products', 'product_accesses', 'events']

/** All rows of a store, without what two runs of one test differ in: times, secrets, who asked, the store's number. */
async function stateOf(store: TestStore): Promise<any[][]> {
  const number = await storeNumber(store)
  const tables = TABLES.map((table) => rowsOf(`select * from ${table} where id >> 32 = ? order by id`, number))
  return (await Promise.all(tables)).map((rows) => rows.map(normalize))
}

function normalize(row: Record<string, any>): object {
  const { store: _, actor_id: __, ...columns } = row
  return Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, normalizeValue(name, value)]))
}

function normalizeValue(name: string, value: any): unknown {
  if (value === null) return null
  if (name === 'request_id') return value.slice(36)
  if (name === 'older_hashes') return Object.keys(JSON.parse(value)).length
  if (name === 'hash' || name.endsWith('_at') || /^store-/.test(value)) return name
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

async function expectOnce(operation: string, others: Others, status = CHANGES[operation]?.status) {
  const clean = await make(operation, false, others)
  const lost = await make(operation, true, others)
  expect(clean.answer.status).toBe(CHANGES[operation]?.status)
  expect(lost.answer.status).toBe(status)
  if (status === clean.answer.status)
    expect(Object.keys(lost.answer.json ?? {})).toEqual(Object.keys(clean.answer.json ?? {}))
  expect({ trips: clean.trips, state: clean.state }).toEqual({ trips: 1, state: lost.state })
  expect(lost.trips).toBe(2)
}

const writeElsewhere: Others = ({ store }) => admin('PUT', `/stores/${store.id}/custom_fields/elsewhere`, {})

describe.each(Object.keys(CHANGES))('%s, whose answer was lost', (operation) => {
  it('is made once', () => expectOnce(operation, async () => {}))

  it('is made once with another writer in between', () => expectOnce(operation, writeElsewhere))

  it('is made once, and answered as made, when the operator is revoked in between', () =>
    expectOnce(operation, ({ operator }) => admin('DELETE', `/operators/${operator.id}`)))

  const { undo } = CHANGES[operation] ?? {}
  if (undo) {
    it('is not made again when it is undone in between', () =>
      expectOnce(operation, ({ store, id }) => undo.act(store, id), undo.status))
  }
})

/** Tested where the record is no row of a store that was there before. */
const ELSEWHERE = [
  'POST /admin/stores', // test/admin/stores.test.ts
  'POST /admin/operators', // test/admin/operators.test.ts
  'DELETE /admin/operators/:id',
]

it('holds for every change that is served', () => {
  const changes = OPERATIONS.filter((operation) => !operation.startsWith('GET '))
  expect(changes.toSorted()).toEqual([...Object.keys(CHANGES), ...ELSEWHERE].toSorted())
})
