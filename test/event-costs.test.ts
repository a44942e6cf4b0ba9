/** What the history adds to the costs of test/costs.test.ts. */
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { admin, call, createV1, newAccess, newStore, newToken, type TestStore, v1User } from './support/api.ts'
import { measure, type Send } from './support/costs.ts'
import { rowsOf } from './support/rows.ts'

function whoAmI({ token }: TestStore): Send {
  return (bindings) => call('GET', '/v1/token', { token, bindings })
}

const asOperator = (method: string, path: string, body?: unknown): Send => {
  return (bindings) => call(method, `/admin${path}`, { token: env.ADMIN_TOKEN, body, bindings })
}
const sendGrant = (store: TestStore, { user }: any, { product }: any) =>
  asOperator('POST', `/stores/${store.id}/product_accesses`, { user_id: user.id, product_id: product.id })
const sendPatch = (store: TestStore, id: string, body: object) =>
  asOperator('PATCH', `/stores/${store.id}/product_accesses/${id}`, body)

describe('the cost of', () => {
  it('GET /v1/token: the look-up of the token when it is not known, and the token itself, nothing written', async () => {
    const store = await newStore()
    const cost = { outcome: '200', written: 0, kvReads: 0, kvWrites: 0 }
    expect(await measure(whoAmI(store))).toMatchObject({ ...cost, trips: 2 })
    expect(await measure(whoAmI(store))).toMatchObject({ ...cost, trips: 1 })
  })

  it.each<[string, number, (store: TestStore) => Promise<Send>]>([
    ['a grant', 5, async (store) => sendGrant(store, await newAccess(store), await newAccess(store))],
    ['recorded progress', 3, async (store) => sendPatch(store, (await newAccess(store)).id, { progress: 1, grade: 5 })],
    ['recorded progress of {}', 0, async (store) => sendPatch(store, (await newAccess(store)).id, {})],
    ['a new token', 5, async (store) => asOperator('POST', `/stores/${store.id}/tokens`, { name: 'T' })],
    ['a revocation', 3, async (s) => asOperator('DELETE', `/stores/${s.id}/tokens/${(await newToken(s)).id}`)],
  ])("the operator's %s: %i rows, of which the event is two at most", async (_, written, prepare) => {
    const send = await prepare(await newStore())
    expect(await measure(send)).toMatchObject({ written, kvReads: 0, kvWrites: 0 })
  })
})

describe('the cost of a page of events', () => {
  it('stays the same however many events the store and the others have', async () => {
    const store = await newStore()
    for (let i = 0; i < 6; i++) await createV1(store, v1User())
    const { json } = await admin('GET', `/stores/${store.id}/events?limit=2`)
    const read = async () => {
      const path = `/v1/stores/${store.id}/events?limit=2&after=${json.next}`
      return (await measure((bindings) => call('GET', path, { token: store.token, bindings }))).read
    }
    const before = await read()
    for (const { id } of [store, await newStore()]) {
      await rowsOf(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
          insert into events (store_id, type, created_at) select ?1, 'user.created', ?2 from n`,
        id,
        Date.now(),
      )
    }
    expect(await read()).toBe(before)
    expect(before).toBeLessThan(10)
  })
})
