/** Idempotency keys of bulk changes and of reverts. */
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { newToken, summary } from '../../support/api.ts'
import { bulk, type Campus, carryOut, lostWakes, newCampus, post, read, run } from '../../support/bulk.ts'
import { faultyD1, faultyKv, losesAnswer } from '../../support/faults.ts'
import { claimsOf, eventsOf, rowsOf, storeNumber } from '../../support/rows.ts'

const BODY = { filter: {}, change: { status: 'without_access' } }
const KEY = { headers: { 'X-Idempotency-Key': 'order-1' } }

const send = (campus: Campus, body: unknown = BODY, options: object = {}) =>
  bulk(campus, 'POST', '', body, { ...KEY, ...options })

const rowsIn = async ({ store }: Campus) =>
  rowsOf('select * from bulk_changes where store = ?', await storeNumber(store))

describe.each<[string, object]>([
  ['a bulk change', BODY],
  ['a dry run', { ...BODY, dry_run: true }],
])('An idempotency key of %s', (_, body) => {
  it('returns the first response again, byte for byte, and creates nothing', async () => {
    const campus = await newCampus({ users: 1 })
    const first = await send(campus, body)
    await carryOut(campus)
    const { bindings, stores } = lostWakes()
    const again = await send(campus, body, { bindings })
    expect([again.status, again.text]).toEqual([202, first.text])
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    expect(await rowsIn(campus)).toHaveLength(1)
    expect(await claimsOf(campus.store)).toHaveLength(1)
    expect(stores()).toEqual([])
  })

  it('shows the bulk change as it is now if KV has lost the response', async () => {
    const campus = await newCampus({ users: 1 })
    const { json } = await send(campus, body)
    await carryOut(campus)
    const again = await send(campus, body, { bindings: { REPLAYS: faultyKv(env.REPLAYS, () => 'loses').REPLAYS } })
    expect([again.status, again.json]).toEqual([202, await read(campus, json.id)])
  })

  it('is 422 with another request, and belongs to one caller', async () => {
    const campus = await newCampus({ users: 1 })
    await send(campus, body)
    const other = await send(campus, { ...body, change: { status: 'with_access' } })
    expect(summary(other)).toBe('422 idempotency_key_reused: X-Idempotency-Key')
    const { token } = await newToken(campus.store)
    expect((await send(campus, body, { token })).headers.has('Idempotent-Replayed')).toBe(false)
  })

  it('lets one of concurrent requests create, and the others replay', async () => {
    const campus = await newCampus({ users: 1 })
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(campus, body)))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(202))
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1)
    expect(answers.filter(({ headers }) => !headers.has('Idempotent-Replayed'))).toHaveLength(1)
    expect(await rowsIn(campus)).toHaveLength(1)
  })

  it('is claimed once if the response of the database is lost', async () => {
    const campus = await newCampus({ users: 1 })
    const { DB } = faultyD1(
      env.DB,
      losesAnswer(() => post(campus, BODY)),
    )
    const { status, json } = await send(campus, body, { bindings: { DB } })
    expect(status).toBe(202)
    expect(await rowsIn(campus)).toHaveLength(2)
    expect((await claimsOf(campus.store)).map(({ record_id }) => record_id % 2 ** 32)).toEqual([Number(json.id)])
    const created = (await eventsOf(campus.store)).filter(({ type }) => type === 'bulk_change.created')
    expect(created).toHaveLength('dry_run' in body ? 1 : 2)
  })
})

describe('An idempotency key of a revert', () => {
  it('returns the first response again, and is 422 with another bulk change', async () => {
    const campus = await newCampus({ users: 1 })
    const one = await run(campus, BODY)
    const two = await run(campus, BODY)
    const revert = (id: string, body?: object) => bulk(campus, 'POST', `/${id}/revert`, body, KEY)
    const first = await revert(one.id)
    const again = await revert(one.id, {})
    expect([again.status, again.text, again.headers.get('Idempotent-Replayed')]).toEqual([202, first.text, 'true'])
    expect(summary(await revert(two.id))).toBe('422 idempotency_key_reused: X-Idempotency-Key')
    // The key of a POST is another one: keys belong to one operation.
    expect((await send(campus)).headers.has('Idempotent-Replayed')).toBe(false)
    expect(await rowsIn(campus)).toHaveLength(4)
  })

  it('is used up by a success only', async () => {
    const campus = await newCampus({ users: 1 })
    const { id } = await post(campus, BODY)
    const revert = () => bulk(campus, 'POST', `/${id}/revert`, undefined, KEY)
    expect(summary(await revert())).toBe('422 not_done: id')
    await carryOut(campus)
    expect((await revert()).status).toBe(202)
  })

  it('must be valid', async () => {
    const campus = await newCampus({ users: 1 })
    for (const path of ['', '/1/revert']) {
      const answer = await bulk(campus, 'POST', path, {}, { headers: { 'X-Idempotency-Key': '' } })
      expect(summary(answer)).toBe('400 invalid_header: X-Idempotency-Key')
    }
  })
})
