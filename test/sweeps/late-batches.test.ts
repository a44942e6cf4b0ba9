/**
 * These tests let a batch whose connection was lost arrive after the retry that replaced it. It must change nothing,
 * whatever others did in between, or the request would be applied after the client was told that it had failed.
 */
import { env } from 'cloudflare:workers'
import { beforeEach, expect, it } from 'vitest'
import { fencingTokenPurge, FENCING_TOKEN_TTL_MS } from '../../src/modules/crons/purges.ts'
import { admin, createV1, newAccess, newStore, newUser, summary, v1User } from '../support/api.ts'
import { bulk, newCampus, post } from '../support/bulk.ts'
import { CHANGES, sendChange } from '../support/changes.ts'
import { sharedDb } from '../support/db.ts'
import { faultyD1, type FaultyD1, loses, losesConnection } from '../support/faults.ts'
import { newOperator } from '../support/operators.ts'
import { inStore, IS_OWN } from '../support/places.ts'
import { eraseUserWith, eventsOf, newProduct, rowsOf, usersOf, type TestStore } from '../support/rows.ts'

/** A batch that is sent for the first time looks for its own event among fewer events than these. */
const MANY = Array.from({ length: 25 }, () => v1User())

let store: TestStore
let d1: FaultyD1
beforeEach(async () => {
  store = await newStore()
  d1 = faultyD1(env.DB, inStore(losesConnection))
})

const newUsers = (bindings: object = {}, items = MANY) =>
  admin('POST', `/stores/${store.id}/users/batch`, { items, on_existing: 'update' }, bindings)
const setStatus = (id: string, status: string, bindings: object = {}) =>
  admin('PUT', `/stores/${store.id}/product_accesses/${id}`, { status }, bindings)

/** Returns the events of the store before and after the late batch arrives. */
async function arrive() {
  const before = await eventsOf(store)
  await d1.arrive()
  return { before, after: await eventsOf(store) }
}

it('a late create does nothing when its email was taken and has become free since', async () => {
  const user = v1User()
  await createV1(store, user)
  expect(summary(await createV1(store, user, { bindings: d1 }))).toBe('422 email_taken: email')
  await eraseUserWith(store, user.email)
  const { before, after } = await arrive()
  expect(after).toEqual(before)
  expect(await usersOf(store)).toEqual([])
})

it('a late update that changed nothing does not overwrite a later change', async () => {
  const { id } = await newAccess(store)
  expect((await setStatus(id, 'with_access', d1)).json.status).toBe('with_access')
  await setStatus(id, 'without_access')
  const { before, after } = await arrive()
  expect(after).toEqual(before)
  expect((await setStatus(id, 'without_access')).json.status).toBe('without_access')
})

it('a late batch whose users existed does nothing after they were erased', async () => {
  const [item = v1User()] = MANY
  await newUsers({}, [item])
  await newUsers(d1, [item])
  await eraseUserWith(store, item.email)
  const { before, after } = await arrive()
  expect(after).toEqual(before)
})

it('a late revert does nothing when the bulk change had not ended, and has ended since', async () => {
  const campus = await newCampus()
  store = campus.store
  const { id } = await post(campus, { filter: {}, change: { status: 'without_access' } })
  const answer = await bulk(campus, 'POST', `/${id}/revert`, undefined, { bindings: { DB: d1.DB } })
  expect(summary(answer)).toBe('422 not_done: id')
  expect((await bulk(campus, 'POST', `/${id}/cancel`)).json.state).toBe('canceled')
  const { before, after } = await arrive()
  expect(after).toEqual(before)
  expect((await bulk(campus, 'GET')).json.data).toHaveLength(1)
})

it.each(Object.keys(CHANGES))('%s is not applied again when it arrives late, after many events', async (operation) => {
  const { prepare, body, status } = CHANGES[operation] ?? {}
  const { token } = await newOperator('admin')
  const id = (await prepare?.(store)) ?? 'rank'
  const answer = await sendChange(operation, { store, id, body }, { token, bindings: { DB: d1.DB } })
  expect([answer.status, d1.roundTrips()]).toEqual([status, 3])
  await newUsers()
  const { before, after } = await arrive()
  expect(after).toEqual(before)
})

// It reads the shared database.
it.skipIf(IS_OWN)(
  'all attempts of a request share one fencing token, whatever their order, and the hourly job deletes it',
  async () => {
    d1 = faultyD1(env.DB, (trip) => (trip < 3 ? losesConnection(0) : undefined))
    const { headers } = await createV1(store, v1User(), { bindings: d1 })
    const tokens = () => rowsOf('select * from fencing_tokens where request_id = ?', headers.get('X-Request-Id'))
    expect(await tokens()).toMatchObject([{ attempt: 3 }])
    await arrive()
    expect(await tokens()).toMatchObject([{ attempt: 3 }])
    const time = { now: Date.now() + FENCING_TOKEN_TTL_MS + 1, retentionDays: undefined }
    await fencingTokenPurge.deleteChunk(sharedDb(), null, time)
    expect(await tokens()).toEqual([])
  },
)

it('a rejected request stays rejected, however often it is sent again', async () => {
  const user = v1User()
  await createV1(store, user)
  const { DB } = faultyD1(env.DB, loses('after', 2))
  expect(summary(await createV1(store, user, { bindings: { DB } }))).toBe('422 email_taken: email')
})

it('a dry run leaves no fencing token', async () => {
  const { id: user_id } = await newUser(store)
  const { id: product_id } = await newProduct(store)
  const { DB, rowsWritten } = faultyD1(env.DB, loses('before', 1))
  const body = { items: [{ user_id, product_id }], dry_run: true }
  const answer = await admin('POST', `/stores/${store.id}/product_accesses/batch`, body, { DB })
  expect(answer.json.results).toEqual([{ index: 0, status: 201 }])
  expect(rowsWritten()).toBe(0)
})
