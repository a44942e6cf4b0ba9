import { describe, expect, it } from 'vitest'
import { call, summary, updateAccess } from '../../support/api.ts'
import { bulk, type Campus, carryOut, newCampus, post, read, revert, run } from '../../support/bulk.ts'
import { accessesOf, eraseUser, idIn, rowsOf } from '../../support/rows.ts'
import { eventsOf } from '../../support/webhooks.ts'

const JANUARY = '2030-01-01T00:00:00.000Z'
const CLOSE = { status: 'without_access' }

const valuesOf = async ({ store }: Campus) =>
  (await accessesOf(store)).map(({ status, access_due_date }) => ({ status, access_due_date }))

describe('POST /v1/stores/{store_id}/bulk_changes/{id}/revert', () => {
  it('returns 202 with a bulk change that gives each access back what it had', async () => {
    const campus = await newCampus({ users: 3, due: Date.UTC(2028, 0, 1) })
    await updateAccess(campus.store, campus.accesses[1] ?? '', { ...CLOSE, access_due_date: null })
    const before = await valuesOf(campus)
    const first = await run(campus, { filter: {}, change: { ...CLOSE, access_due_date: JANUARY } })
    expect(first.changed).toBe(3)
    const { status, json } = await bulk(campus, 'POST', `/${first.id}/revert`)
    expect(status).toBe(202)
    expect(json).toMatchObject({ state: 'queued', filter: null, change: null, dry_run: false, reverts: first.id })
    await carryOut(campus)
    expect(await valuesOf(campus)).toEqual(before)
    expect(await read(campus, json.id)).toMatchObject({ state: 'done', matched: 3, changed: 3, unchanged: 0 })
    const event = (await eventsOf(campus.store, 'product_access.updated')).at(-2)
    expect(event.data).toEqual({
      user_id: campus.users[1],
      product_id: campus.products[0],
      product_access_id: campus.accesses[1],
      bulk_change_id: json.id,
      changes: { access_due_date: { from: JANUARY, to: null } },
    })
  })

  it('leaves an access as it is whose status or date has changed since, or that was erased', async () => {
    const campus = await newCampus({ users: 5, due: Date.UTC(2028, 0, 1) })
    const { id } = await run(campus, { filter: {}, change: { access_due_date: JANUARY } })
    const [a = '', b = '', c = '', d = ''] = campus.accesses
    await updateAccess(campus.store, a, CLOSE)
    await updateAccess(campus.store, b, { access_due_date: null })
    // Progress is no change of the status or the date.
    const path = `/v1/stores/${campus.store.id}/product_accesses/${c}`
    await call('PATCH', path, { token: campus.store.token, body: { progress: 50 } })
    // This one has been changed twice, and is as it was left.
    await updateAccess(campus.store, d, CLOSE)
    await updateAccess(campus.store, d, { status: 'with_access' })
    await eraseUser(campus.store, campus.users[4] ?? '')
    expect(await revert(campus, id)).toMatchObject({ state: 'done', matched: 5, changed: 2, unchanged: 3 })
    expect(await valuesOf(campus)).toEqual([
      { status: 'without_access', access_due_date: Date.parse(JANUARY) },
      { status: 'with_access', access_due_date: null },
      { status: 'with_access', access_due_date: Date.UTC(2028, 0, 1) },
      { status: 'with_access', access_due_date: Date.UTC(2028, 0, 1) },
    ])
  })

  it('is done once: the bulk change names its revert, which can be reverted in turn', async () => {
    const campus = await newCampus({ users: 2 })
    const first = await run(campus, { filter: {}, change: CLOSE })
    expect(first.reverted_by).toBeNull()
    const second = await revert(campus, first.id)
    expect(await read(campus, first.id)).toMatchObject({ reverts: null, reverted_by: second.id })
    expect(summary(await bulk(campus, 'POST', `/${first.id}/revert`))).toBe('422 not_done: id')
    expect(await revert(campus, second.id)).toMatchObject({ matched: 2, changed: 2 })
    expect(summary(await bulk(campus, 'POST', `/${first.id}/revert`))).toBe('422 not_done: id')
    expect((await valuesOf(campus)).map(({ status }) => status)).toEqual(['without_access', 'without_access'])
  })

  it.each(['canceled', 'failed'])('can be repeated once it is %s, and the newest one is named', async (state) => {
    const campus = await newCampus({ users: 2 })
    const first = await run(campus, { filter: {}, change: CLOSE })
    const { json: ended } = await bulk(campus, 'POST', `/${first.id}/revert`)
    expect(summary(await bulk(campus, 'POST', `/${first.id}/revert`))).toBe('422 not_done: id')
    await bulk(campus, 'POST', `/${ended.id}/cancel`)
    await rowsOf('update bulk_changes set state = ? where id = ?', state, await idIn(campus.store, ended.id))
    const second = await revert(campus, first.id)
    expect(second).toMatchObject({ state: 'done', changed: 2 })
    expect((await read(campus, first.id)).reverted_by).toBe(second.id)
  })

  it('takes back only what the bulk change itself has changed', async () => {
    const campus = await newCampus({ users: 2 })
    const body = { token: campus.store.token, body: CLOSE }
    const { id } = await post(campus, { filter: {}, change: { access_due_date: JANUARY } })
    await call('PUT', `/v1/stores/${campus.store.id}/product_accesses/${campus.accesses[0]}`, body)
    await carryOut(campus)
    expect(await revert(campus, id)).toMatchObject({ matched: 2, changed: 2 })
    expect((await valuesOf(campus)).map(({ status }) => status)).toEqual(['without_access', 'with_access'])
  })

  it('returns 422 not_done until the bulk change has ended, also for a dry run', async () => {
    const campus = await newCampus({ users: 1 })
    for (const dry_run of [false, true]) {
      const { id } = await post(campus, { filter: {}, change: CLOSE, dry_run })
      const answer = await bulk(campus, 'POST', `/${id}/revert`)
      expect(summary(answer)).toBe('422 not_done: id')
      expect(answer.json.details[0].value).toBe(id)
      await bulk(campus, 'POST', `/${id}/cancel`)
      expect((await bulk(campus, 'POST', `/${id}/revert`)).status).toBe(202)
    }
    expect(summary(await bulk(campus, 'POST', '/4294967294/revert'))).toBe('404 not_found')
    expect(summary(await bulk(campus, 'POST', '/4294967294/revert', { dry_run: true }))).toBe(
      '422 invalid_parameter: dry_run',
    )
  })

  it('returns 422 not_done once the events of the bulk change are purged', async () => {
    const campus = await newCampus({ users: 1 })
    const { id } = await run(campus, { filter: {}, change: CLOSE })
    const [row] = await rowsOf('select event_id from bulk_changes where id = ?', await idIn(campus.store, id))
    await rowsOf('delete from events where id <= ? and id > ?', row.event_id, await idIn(campus.store, 0))
    expect(summary(await bulk(campus, 'POST', `/${id}/revert`))).toBe('422 not_done: id')
  })
})
