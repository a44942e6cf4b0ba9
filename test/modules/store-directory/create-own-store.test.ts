/** Stores with a database of their own: what callers see, and what is in which database. */
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { placeOf } from '../../../src/db/places.ts'
import { completeEntry } from '../../../src/modules/store-directory/directory-entry.ts'
import { admin, call, createV1, newEmail, summary, TIMESTAMP, v1User, WITHOUT_QUOTA } from '../../support/api.ts'
import { recordConsole } from '../../support/console.ts'
import { sharedDb } from '../../support/db.ts'
import { faultyD1, loses } from '../../support/faults.ts'
import { measure } from '../../support/costs.ts'
import { newOperator } from '../../support/operators.ts'
import { createOwnStore, entryOf, newOwnStore, newSlug, rowsIn, rowsInObject } from '../../support/places.ts'
import { sharedRowsOf } from '../../support/rows.ts'

const NO_DATABASE = faultyD1(env.DB, loses('before')).DB

describe('POST /admin/stores with place own', () => {
  it('returns 201 with the store, as a later read does', async () => {
    const id = newSlug()
    const { status, json } = await createOwnStore({ id, jurisdiction: 'eu', location: 'weur' })
    expect(status).toBe(201)
    expect(json).toEqual({
      id,
      name: 'Academy',
      language: 'ES',
      time_zone: 'UTC',
      suspended: false,
      expiry_notice_days: 7,
      place: 'own',
      jurisdiction: 'eu',
      location: 'weur',
      created_at: expect.stringMatching(TIMESTAMP),
    })
    expect((await admin('GET', `/stores/${id}`)).json).toEqual(json)
    expect((await admin('GET', '/stores?limit=100')).text).toContain(id)
  })

  it('stores nothing of it in the shared database but its row of the directory', async () => {
    const store = await newOwnStore()
    await createV1(store, v1User())
    const { number } = await entryOf(store)
    expect(placeOf(number)).toBe('own')
    for (const table of ['stores', 'events', 'access_tokens', 'users']) {
      expect(await sharedRowsOf(`select id from ${table} where id >> 32 = ?`, number)).toEqual([])
      expect(await rowsIn(store, `select id from ${table} where id >> 32 = ${number}`)).not.toEqual([])
    }
  })

  it('has the event store.created first, by the operator who created it', async () => {
    const { id } = (await createOwnStore()).json
    const { json } = await admin('GET', `/stores/${id}/events`)
    expect(json.data[0]).toMatchObject({ id: '1', type: 'store.created' })
    expect(json.data[0].actor).toMatchObject({ type: 'operator', id: null })
  })

  it('returns 422 already_exists for a slug that any store has', async () => {
    const own = (await createOwnStore()).json
    const shared = (await createOwnStore({ place: 'shared' })).json
    for (const place of ['own', 'shared']) {
      for (const { id } of [own, shared]) {
        expect(summary(await createOwnStore({ id, place }))).toBe('422 already_exists: id')
      }
    }
  })

  it.each([
    [{ place: 'shared', jurisdiction: 'eu' }, 'jurisdiction'],
    [{ place: 'shared', location: 'weur' }, 'location'],
    [{ place: undefined, jurisdiction: 'eu', location: 'weur' }, 'jurisdiction, location'],
    [{ jurisdiction: 'eu', location: 'enam' }, 'location'],
    [{ jurisdiction: 'us' }, 'jurisdiction'],
    [{ location: 'mars' }, 'location'],
    [{ place: 'moon' }, 'place'],
    [{ place: null, name: '', language: 'XX', jurisdiction: 'eu' }, 'name, language, jurisdiction'],
    [{ name: '', jurisdiction: 'eu', location: 'enam' }, 'name, location'],
  ])('returns 422 for %j', async (fields, field) => {
    expect(summary(await createOwnStore(fields))).toBe(`422 invalid_parameter: ${field}`)
  })

  it('is the default with DEFAULT_PLACE own', async () => {
    const { json } = await createOwnStore({ place: undefined, jurisdiction: 'eu' }, { DEFAULT_PLACE: 'own' })
    expect(json).toMatchObject({ place: 'own', jurisdiction: 'eu', location: null })
  })

  it('names its operator in the event before that operator sends another request', async () => {
    const { id, token, name } = await newOperator('admin')
    const body = { id: newSlug(), name: 'Academy', language: 'ES', place: 'own' }
    expect(summary(await call('POST', '/admin/stores', { token, body }))).toBe('201')
    expect(await creatorOf(body)).toEqual({ type: 'operator', id, name })
  })

  it('does not exist for an operator who may not create stores', async () => {
    const { token } = await newOperator('viewer')
    const id = newSlug()
    const body = { id, name: 'Academy', language: 'ES', place: 'own' }
    expect(summary(await call('POST', '/admin/stores', { token, body }))).toBe('403 insufficient_scope')
    expect(await sharedRowsOf('select * from directory where slug = ?', id)).toEqual([])
  })
})

/** The actor of `store.created`, as another operator reads it. */
async function creatorOf(store: { id: string }): Promise<any> {
  const [created] = (await admin('GET', `/stores/${store.id}/events?type=store.created`)).json.data
  return created.actor
}

describe('The creation of a store that was interrupted', () => {
  /** The row of the directory is inserted, and then nothing more. */
  async function interrupt(fields: object = {}, token = env.ADMIN_TOKEN): Promise<any> {
    const body = { id: newSlug(), name: 'Academy', language: 'ES', place: 'own', ...fields }
    const STORES = { getByName: () => ({ batch: () => Promise.reject(new Error('Network connection lost.')) }) }
    const bindings = { ...WITHOUT_QUOTA, STORES }
    expect(summary(await call('POST', '/admin/stores', { token, body, bindings }))).toBe('503 service_unavailable')
    expect(await sharedRowsOf('select completed_at from directory where slug = ?', body.id)).toEqual([
      { completed_at: null },
    ])
    return body
  }

  it('is completed by the same POST, which returns 201', async () => {
    const body = await interrupt()
    const { status, json } = await admin('POST', '/stores', body)
    expect(status).toBe(201)
    expect(json).toMatchObject(body)
    expect(summary(await admin('POST', '/stores', body))).toBe('422 already_exists: id')
  })

  it('is completed by any request for the store', async () => {
    const body = await interrupt()
    const user = v1User()
    expect((await admin('POST', `/stores/${body.id}/users`, user)).status).toBe(201)
    expect((await admin('GET', `/stores/${body.id}`)).json).toMatchObject(body)
  })

  it('names the operator who began it in the event, also if another request completes it', async () => {
    const { id, token, name } = await newOperator('admin')
    const body = await interrupt({}, token)
    expect(await creatorOf(body)).toEqual({ type: 'operator', id, name })
  })

  it('is not marked as complete by the creation of a store that had its number before a restore', async () => {
    const entry = await entryOf(await interrupt())
    await completeEntry(sharedDb(), { ...entry, slug: newSlug() })
    const [row] = await sharedRowsOf('select completed_at from directory where slug = ?', entry.slug)
    expect(row.completed_at).toBeNull()
  })

  it('is not completed by another POST for its id', async () => {
    const body = await interrupt()
    expect(summary(await admin('POST', '/stores', { ...body, name: 'Another' }))).toBe('422 already_exists: id')
    expect(summary(await admin('POST', '/stores', { ...body, jurisdiction: 'eu' }))).toBe('422 already_exists: id')
    expect(summary(await admin('POST', '/stores', { ...body, place: 'shared' }))).toBe('422 already_exists: id')
  })

  it('is not in the list of stores until it is complete', async () => {
    const body = await interrupt({ id: `0-${crypto.randomUUID()}` })
    expect((await admin('GET', '/stores?limit=100')).text).not.toContain(body.id)
    await admin('GET', `/stores/${body.id}`)
    expect((await admin('GET', '/stores?limit=100')).text).toContain(body.id)
  })

  it('takes the next number if the object has another store, which the directory has forgotten', async () => {
    const forgotten = await newOwnStore()
    const { number } = await entryOf(forgotten)
    await sharedRowsOf('delete from directory where number >= ? and number < 1572864', number)
    const { id, token } = await newOperator('admin')
    const body = { id: newSlug(), name: 'Academy', language: 'ES', place: 'own' }
    expect(summary(await call('POST', '/admin/stores', { token, body }))).toBe('201')
    expect((await entryOf(body)).number).toBe(number + 1)
    const operator = 'select id from access_tokens where id = ?'
    expect(await rowsInObject(number, operator, Number(id))).toEqual([])
    expect(await rowsInObject(number + 1, operator, Number(id))).toHaveLength(1)
    const { json: users } = await call('GET', `/v1/stores/${forgotten.id}/users`, { token: forgotten.token })
    expect(users.data).toEqual([])
  })
})

describe('A request for a store with its own database', () => {
  it('returns 503 and writes nothing while the object lacks a column, as it may right after a deployment', async () => {
    const store = await newOwnStore()
    await rowsIn(store, 'alter table users drop column avatar')
    const lines = await recordConsole(async () => {
      expect(summary(await createV1(store, v1User()))).toBe('503 service_unavailable')
    })
    expect(lines.join()).toContain('"object_outdated"')
    expect(await rowsIn(store, "select id from events where type = 'user.created'")).toEqual([])
  })

  it('is served with a token while the shared database is down', async () => {
    const store = await newOwnStore()
    const { status } = await createV1(store, v1User(), { bindings: { DB: NO_DATABASE, STORES: env.STORES } })
    expect(status).toBe(201)
  })

  it('responds like any other: a taken email, a replay, a foreign token, an unknown user', async () => {
    const [store, other] = [await newOwnStore(), await newOwnStore()]
    const user = v1User({ email: newEmail() })
    const headers = { 'X-Idempotency-Key': crypto.randomUUID() }
    const first = await createV1(store, user, { headers })
    const second = await createV1(store, user, { headers })
    expect(second.headers.get('Idempotent-Replayed')).toBe('true')
    expect(second.json).toEqual(first.json)
    expect(summary(await createV1(store, user))).toBe('422 email_taken: email')
    expect(summary(await createV1({ ...store, token: other.token }, v1User()))).toBe('401 invalid_token')
    expect(summary(await call('GET', `/v1/stores/${store.id}/users/999`, { token: store.token }))).toBe('404 not_found')
  })

  it('stores no response in KV for a store in a jurisdiction', async () => {
    const store = await newOwnStore({ jurisdiction: 'eu' })
    const written: string[] = []
    const REPLAYS = {
      put: (key: string) => Promise.resolve(written.push(key)),
      getWithMetadata: () => expect.unreachable(),
    }
    const user = v1User()
    const options = { headers: { 'X-Idempotency-Key': crypto.randomUUID() }, bindings: { REPLAYS } }
    const first = await createV1(store, user, options)
    const replay = await createV1(store, user, options)
    expect(written).toEqual([])
    expect(replay.headers.get('Idempotent-Replayed')).toBe('true')
    expect(replay.json).toEqual(first.json)
  })

  it('by an operator costs two round trips, and records the use of the token in the shared database', async () => {
    const store = await newOwnStore()
    const { id, token } = await newOperator('admin')
    const path = `/admin/stores/${store.id}/users`
    const cost = await measure((bindings) => call('POST', path, { token, body: v1User(), bindings }))
    expect(cost).toMatchObject({ outcome: '201', trips: 2 })
    const [row] = await sharedRowsOf('select last_used_at from access_tokens where id = ?', Number(id))
    expect(row.last_used_at).not.toBeNull()
    const [created] = (await admin('GET', `/stores/${store.id}/events?type=user.created`)).json.data
    expect(created.actor).toMatchObject({ type: 'operator', id })
  })

  it('by an operator who was revoked returns 401, without a round trip to the database of the store', async () => {
    const store = await newOwnStore()
    const { id, token } = await newOperator('admin')
    const path = `/admin/stores/${store.id}/users`
    expect((await call('GET', path, { token })).status).toBe(200)
    await admin('DELETE', `/operators/${id}`)
    const cost = await measure((bindings) => call('GET', path, { token, bindings }))
    expect(cost).toMatchObject({ outcome: '401 invalid_token', trips: 1 })
  })

  it('by an operator who is limited to other stores returns 404, without a round trip to the database of the store', async () => {
    const [store, other] = [await newOwnStore(), await newOwnStore()]
    const { json } = await admin('POST', '/operators', { name: 'Limited', role: 'admin', stores: [store.id] })
    const read = (id: string) =>
      measure((bindings) => call('GET', `/admin/stores/${id}`, { token: json.token, bindings }))
    expect(json.stores).toEqual([store.id])
    expect(await read(store.id)).toMatchObject({ outcome: '200', trips: 2 })
    expect(await read(other.id)).toMatchObject({ outcome: '404 not_found', trips: 1 })
    const { json: listed } = await call('GET', '/admin/stores', { token: json.token })
    expect(listed.data.map((row: any) => row.id)).toEqual([store.id])
  })
})
