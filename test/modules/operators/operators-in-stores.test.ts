/** What differs for an operator, who has the operations of v1 under /admin. The other tests send them as a token. */
import { describe, expect, it } from 'vitest'
import { createV1, newAccess, newStore, summary, v1User } from '../../support/api.ts'
import { INTEGRATOR, OPERATOR } from '../../support/callers.ts'
import { newProduct, rowsOf, storeNumber } from '../../support/rows.ts'

describe('PUT /admin/stores/{store_id}/product_accesses/{id}', () => {
  it('returns 201 with the access, and 404 with a code for an unknown id', async () => {
    const store = await newStore()
    const access = await newAccess(store)
    const update = (id: string) =>
      OPERATOR.send('PUT', store, `/product_accesses/${id}`, { body: { status: 'without_access' } })
    const { status, json } = await update(access.id)
    expect([status, json]).toEqual([201, { ...access, status: 'without_access' }])
    for (const id of ['999999999999', 'abc']) expect(summary(await update(id))).toBe('404 not_found')
  })
})

describe('POST /admin/stores/{store_id}/product_accesses', () => {
  it('grants once for an idempotency key of the operator, and replays it to no token', async () => {
    const store = await newStore()
    const { json: user } = await createV1(store, v1User())
    const body = { user_id: user.id, product_id: (await newProduct(store)).id }
    const options = { body, headers: { 'X-Idempotency-Key': 'order-1' } }
    const grant = (caller = OPERATOR) => caller.send('POST', store, '/product_accesses', options)
    const [first, again] = [await grant(), await grant()]
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text])
    expect([first, again].map(({ headers }) => headers.get('Idempotent-Replayed'))).toEqual([null, 'true'])
    expect(again.headers.get('ETag')).toBe(first.headers.get('ETag'))
    expect(summary(await grant(INTEGRATOR))).toBe('422 access_exists: product_id')
    const events = await OPERATOR.send('GET', store, '/events?type=product_access.granted')
    expect(events.json.data).toMatchObject([{ actor: { type: 'operator', id: null, name: 'root' } }])
    const claims = await rowsOf('select caller_id from idempotency_keys where store = ?', await storeNumber(store))
    expect(claims).toEqual([{ caller_id: 0 }])
  })
})
