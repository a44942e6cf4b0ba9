/** Dry runs, the order of a store's bulk changes, cancel, and the list. */
import { describe, expect, it } from 'vitest'
import { admin, summary, v1User } from '../../support/api.ts'
import { listRunnable, processChunk } from '../../../src/modules/bulk-changes/process-chunk.ts'
import { bulk, carryOut, copyBulkChange, lostWakes, newCampus, post, read, revert, run } from '../../support/bulk.ts'
import { sharedDb } from '../../support/db.ts'
import { accessesOf, eventsOf, revokeToken, storeNumber, suspendStore } from '../../support/rows.ts'
import { operate } from '../../support/webhooks.ts'

const CLOSE = { status: 'without_access' }
const OPEN = { status: 'with_access' }

describe('A dry run', () => {
  it('counts, and changes no access and writes no event', async () => {
    const campus = await newCampus({ users: 3 })
    const before = { accesses: await accessesOf(campus.store), events: await eventsOf(campus.store) }
    const ended = await run(campus, { filter: {}, change: CLOSE, dry_run: true })
    expect(ended).toMatchObject({ dry_run: true, state: 'done', progress: 100, matched: 3, changed: 3, unchanged: 0 })
    expect(await run(campus, { filter: {}, change: OPEN, dry_run: true })).toMatchObject({ changed: 0, unchanged: 3 })
    const { json } = await bulk(campus, 'POST', '', { filter: {}, change: CLOSE, dry_run: true })
    expect((await bulk(campus, 'POST', `/${json.id}/cancel`)).json.state).toBe('canceled')
    expect({ accesses: await accessesOf(campus.store), events: await eventsOf(campus.store) }).toEqual(before)
  })

  it('does not wait for a bulk change, and none waits for it: they take turns', async () => {
    const campus = await newCampus({ users: 1 })
    const number = await storeNumber(campus.store)
    const dry = await post(campus, { filter: {}, change: CLOSE, dry_run: true })
    const first = await post(campus, { filter: {}, change: CLOSE })
    const second = await post(campus, { filter: {}, change: CLOSE })
    const runnable = await listRunnable(sharedDb(), number)
    expect(runnable.map(({ id }) => String(id % 2 ** 32))).toEqual([dry.id, first.id])
    await carryOut(campus)
    for (const { id } of [dry, first, second]) expect(await read(campus, id)).toMatchObject({ state: 'done' })
    expect((await read(campus, second.id)).changed).toBe(0)
  })

  it('is rejected while 20 bulk changes of the store have not ended, and so are bulk changes and reverts', async () => {
    const campus = await newCampus({ users: 1 })
    const dryRun = { filter: {}, change: CLOSE, dry_run: true }
    const key = { headers: { 'X-Idempotency-Key': 'first' } }
    const ended = await run(campus, { filter: {}, change: OPEN })
    const { json: first } = await bulk(campus, 'POST', '', dryRun, key)
    await copyBulkChange(campus, first.id, 18)
    await post(campus, { filter: {}, change: CLOSE })
    expect(summary(await bulk(campus, 'POST', '', dryRun))).toBe('422 limit_reached: filter')
    expect(summary(await bulk(campus, 'POST', '', { filter: {}, change: CLOSE }))).toBe('422 limit_reached: filter')
    expect(summary(await bulk(campus, 'POST', `/${ended.id}/revert`))).toBe('422 limit_reached: id')
    expect((await bulk(campus, 'POST', '', dryRun, key)).json.id).toBe(first.id)
    await bulk(campus, 'POST', `/${first.id}/cancel`)
    await post(campus, dryRun)
    expect(summary(await bulk(campus, 'POST', '', dryRun))).toBe('422 limit_reached: filter')
    await carryOut(campus)
    await post(campus, dryRun)
  })

  it('has a revert that is done with 0', async () => {
    const campus = await newCampus({ users: 1 })
    const { id } = await run(campus, { filter: {}, change: CLOSE, dry_run: true })
    expect(await revert(campus, id)).toMatchObject({
      state: 'done',
      reverts: id,
      matched: 0,
      changed: 0,
      progress: 100,
    })
  })
})

describe('The bulk changes of a store', () => {
  it('run one after the other, in the order of their requests', async () => {
    const campus = await newCampus({ users: 1 })
    const first = await post(campus, { filter: {}, change: CLOSE })
    const second = await post(campus, { filter: {}, change: OPEN })
    const db = sharedDb()
    const [running] = await listRunnable(db, await storeNumber(campus.store))
    if (running) await processChunk(db, running, { run_id: 'run', now: Date.now() })
    expect(await read(campus, first.id)).toMatchObject({ state: 'done', changed: 1 })
    expect(await read(campus, second.id)).toMatchObject({ state: 'queued', started_at: null })
    await carryOut(campus)
    expect(await read(campus, second.id)).toMatchObject({ state: 'done', changed: 1 })
  })

  it('do not wait for those of another store', async () => {
    const [campus, other] = [await newCampus({ users: 1 }), await newCampus({ users: 1 })]
    await post(campus, { filter: {}, change: CLOSE })
    expect(await run(other, { filter: {}, change: CLOSE })).toMatchObject({ state: 'done' })
  })

  it('are canceled if the token is revoked and the store suspended', async () => {
    const campus = await newCampus({ users: 1 })
    const { id } = await post(campus, { filter: {}, change: CLOSE })
    await revokeToken(campus.store)
    await suspendStore(campus.store)
    await carryOut(campus)
    const { json } = await operate(campus.store, 'GET', `/bulk_changes/${id}`)
    expect(json).toMatchObject({ state: 'canceled', changed: 0 })
  })

  it('have their object woken when one is created', async () => {
    const campus = await newCampus({ users: 1 })
    const { bindings, stores } = lostWakes()
    await bulk(campus, 'POST', '', { filter: {}, change: CLOSE }, { bindings })
    expect(stores()).toEqual([await storeNumber(campus.store)])
  })
})

describe('POST /v1/stores/{store_id}/bulk_changes/{id}/cancel', () => {
  it('ends a queued bulk change, which then changes nothing', async () => {
    const campus = await newCampus({ users: 1 })
    const { id } = await post(campus, { filter: {}, change: CLOSE })
    const { status, json } = await bulk(campus, 'POST', `/${id}/cancel`)
    expect(status).toBe(200)
    expect(json).toMatchObject({ id, state: 'canceled', matched: 0, started_at: null })
    expect(json.finished_at).not.toBeNull()
    await carryOut(campus)
    expect(await read(campus, id)).toEqual(json)
    expect((await eventsOf(campus.store)).slice(-2).map(({ type }) => type)).toEqual([
      'bulk_change.created',
      'bulk_change.canceled',
    ])
  })

  it('returns 422 not_running once it has ended, and 404 for an unknown one', async () => {
    const campus = await newCampus({ users: 1 })
    const { id } = await run(campus, { filter: {}, change: CLOSE })
    const answer = await bulk(campus, 'POST', `/${id}/cancel`)
    expect(summary(answer)).toBe('422 not_running: id')
    expect(answer.json.details[0].value).toBe(id)
    expect(summary(await bulk(campus, 'POST', '/4294967294/cancel'))).toBe('404 not_found')
    expect(summary(await bulk(campus, 'POST', `/${id}/cancel`, { reason: 'x' }))).toBe('422 invalid_parameter: reason')
  })

  it('has the next one of the store begin', async () => {
    const campus = await newCampus({ users: 1 })
    const first = await post(campus, { filter: {}, change: CLOSE })
    await post(campus, { filter: {}, change: CLOSE })
    const { bindings, stores } = lostWakes()
    await bulk(campus, 'POST', `/${first.id}/cancel`, undefined, { bindings })
    expect(stores()).toEqual([await storeNumber(campus.store)])
  })
})

it('No two records of a store have the same number, even after dry runs, which have no event, and an erasure', async () => {
  const campus = await newCampus()
  const numbers: number[] = []
  const create = async (list: string, body: object) => {
    const { json } = await admin('POST', `/stores/${campus.store.id}/${list}`, body)
    numbers.push(Number(json.id))
    return json.id
  }
  for (const slug of ['algebra', 'biology']) {
    await post(campus, { filter: {}, change: CLOSE, dry_run: true })
    await post(campus, { filter: {}, change: CLOSE, dry_run: true })
    numbers.push(Number((await post(campus, { filter: {}, change: CLOSE })).id))
    const user_id = await create('users', v1User())
    const product_id = await create('products', { name: slug, slug, type: 'course' })
    await create('product_accesses', { user_id, product_id })
    await create('tokens', { name: slug })
    await create('webhook_endpoints', { url: `https://example.com/${slug}`, types: ['store.restored'] })
    await admin('DELETE', `/stores/${campus.store.id}/users/${user_id}`)
  }
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
})

describe('GET /v1/stores/{store_id}/bulk_changes', () => {
  it('lists the newest first, or the oldest first', async () => {
    const campus = await newCampus({ users: 1 })
    const ids: string[] = []
    for (const dry_run of [false, true, true, false, true]) {
      ids.push((await post(campus, { filter: {}, change: CLOSE, dry_run })).id)
    }
    expect(new Set(ids).size).toBe(5)
    for (const [query, expected] of [
      ['', ids.toReversed()],
      ['&order=desc', ids.toReversed()],
      ['&order=asc', ids],
    ] as const) {
      const found: string[] = []
      for (let after = ''; ;) {
        const { json } = await bulk(campus, 'GET', `?limit=2${query}${after}`)
        found.push(...json.data.map(({ id }: any) => id))
        if (json.next === null) break
        after = `&after=${json.next}`
      }
      expect(found).toEqual(expected)
    }
    expect(summary(await bulk(campus, 'GET', '?order=newest'))).toBe('422 invalid_parameter: order')
  })

  it('shows each as GET by id does', async () => {
    const campus = await newCampus({ users: 1 })
    const { id } = await run(campus, { filter: { product_id: campus.products[0] }, change: CLOSE })
    expect((await bulk(campus, 'GET')).json.data).toEqual([await read(campus, id)])
    expect(summary(await bulk(campus, 'GET', '/4294967294'))).toBe('404 not_found')
  })
})
