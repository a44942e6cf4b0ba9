import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../../support/openapi.ts'
import {
  ALL_SCOPES,
  admin,
  call,
  createV1,
  createV3,
  newAccess,
  newStore,
  newToken,
  summary,
  TIMESTAMP,
  updateAccess,
  v1User,
  v3User,
} from '../../support/api.ts'
import { INTEGRATOR } from '../../support/callers.ts'
import { useStillClock } from '../../support/clock.ts'
import { measure } from '../../support/costs.ts'
import { recordConsole } from '../../support/console.ts'
import { faultyD1, loses } from '../../support/faults.ts'
import { changeToken, revokeToken, suspendStore, tokenRow, type TestStore } from '../../support/rows.ts'
import { DATABASE } from '../../../src/limits.ts'

const DAY = 24 * 60 * 60 * 1000

function whoAmI(token: string | undefined) {
  return call('GET', '/v1/token', token === undefined ? {} : { token })
}

async function lastUseOf({ token }: { token: string }): Promise<string | null> {
  return (await whoAmI(token)).json.last_used_at
}

const unknownField = { ...v1User(), password: 'correct horse', custom_fields: { none: 1 } }

function today(): string {
  return `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`
}

describe('GET /v1/token', () => {
  it('returns 200 with the description of the token, without its secret', async () => {
    const store = await newStore()
    const given = { name: 'Checkout', scopes: ['users:write'], expires_at: '2099-12-31T23:00:00.5-01:30' }
    const token = await newToken(store, given)
    const { status, json } = await whoAmI(token.token)
    expect(status).toBe(200)
    expect(json).toEqual({
      id: token.id,
      store_id: store.id,
      store: { id: store.id, name: 'Store', language: 'EN', time_zone: 'UTC' },
      name: 'Checkout',
      scopes: ['users:write'],
      created_at: token.created_at,
      expires_at: '2100-01-01T00:30:00.500Z',
      last_used_at: null,
    })
    expect(json.created_at).toMatch(TIMESTAMP)
  })

  it('accepts a token with any scope', async () => {
    const store = await newStore()
    for (const scope of ALL_SCOPES) {
      const { status, json } = await whoAmI((await newToken(store, { scopes: [scope] })).token)
      expect([status, json]).toMatchObject([200, { scopes: [scope], expires_at: null }])
    }
  })

  it('returns the time zone of the store, as it is now', async () => {
    const own = await newStore()
    await admin('PATCH', `/stores/${own.id}`, { time_zone: 'Asia/Kolkata' })
    expect((await whoAmI(own.token)).json.store.time_zone).toBe('Asia/Kolkata')
    const { json } = await call('POST', '/v1/token/rotate', { token: own.token })
    expect(json.store).toEqual({ id: own.id, name: 'Store', language: 'EN', time_zone: 'Asia/Kolkata' })
  })

  it('returns the store of each token', async () => {
    const stores = [await newStore(), await newStore()]
    const answers = await Promise.all(stores.map(({ token }) => whoAmI(token)))
    expect(answers.map(({ json }) => json.store_id)).toEqual(stores.map(({ id }) => id))
  })

  it.each([
    ['missing_token', undefined],
    ['invalid_token', 'x'],
    ['invalid_token', `rgs_${'0'.repeat(72)}`],
    ['invalid_token', env.ADMIN_TOKEN],
  ])('returns 401 %s to %s', async (code, token) => {
    const answer = await whoAmI(token)
    expect(summary(answer)).toBe(`401 ${code}`)
    expect(answer.json).toMatchObject({ type: 'authentication_error', log_id: expect.any(String) })
    expect(answer.json).not.toHaveProperty('details')
  })

  it('returns 401 to a revoked or expired token, and 403 when the store is suspended', async () => {
    const [revoked, expired, suspended] = [await newStore(), await newStore(), await newStore()]
    await revokeToken(revoked)
    await changeToken(expired, { expires_at: 1 })
    await suspendStore(suspended)
    expect(summary(await whoAmI(revoked.token))).toBe('401 invalid_token')
    expect(summary(await whoAmI(expired.token))).toBe('401 invalid_token')
    expect(summary(await whoAmI(suspended.token))).toBe('403 store_suspended')
  })

  it('returns 422 for a query parameter', async () => {
    const { token } = await newStore()
    expect(summary(await call('GET', '/v1/token?verbose=1', { token }))).toBe('422 invalid_parameter: verbose')
  })

  it('costs one round trip and writes nothing', async () => {
    const { token } = await newStore()
    const cost = await measure((bindings) => call('GET', '/v1/token', { token, bindings }))
    expect(cost).toMatchObject({ outcome: '200', trips: 1, written: 0, kvReads: 0, kvWrites: 0 })
  })
})

describe('last_used_at of a token', () => {
  useStillClock()

  it('stays null after GET /v1/token, which does not count as a use', async () => {
    const store = await newStore()
    for (let i = 0; i < 3; i++) expect(await lastUseOf(store)).toBeNull()
    expect(await tokenRow(store)).toMatchObject({ last_used_at: null })
  })

  it.each<[string, (store: TestStore) => Promise<Answer>]>([
    ['a v1 create', (store) => createV1(store, v1User())],
    ['a v3 create', (store) => createV3(store, v3User())],
    ['a create with a key', (store) => createV1(store, v1User(), { headers: { 'X-Idempotency-Key': 'order-1' } })],
    ['an update', async (store) => updateAccess(store, await otherAccess(store), { status: 'without_access' })],
    ['an update of {}', async (store) => updateAccess(store, await otherAccess(store), {})],
    ['a read of the events', (store) => INTEGRATOR.send('GET', store, '/events')],
    [
      'a read of an access',
      async (store) => INTEGRATOR.send('GET', store, `/product_accesses/${await otherAccess(store)}`),
    ],
    [
      'a read of a history',
      async (store) => INTEGRATOR.send('GET', store, `/product_accesses/${await otherAccess(store)}/events`),
    ],
  ])('is today at 00:00 UTC after %s', async (_, use) => {
    const store = await newStore()
    expect((await use(store)).status).toBeLessThan(300)
    expect(await lastUseOf(store)).toBe(today())
  })

  /** Creates the access with another token, so that this does not count as a use of the first one. */
  async function otherAccess(store: TestStore): Promise<string> {
    const { token } = await newToken(store, { scopes: ALL_SCOPES })
    return (await newAccess({ ...store, token })).id
  }

  it.each<[string, (store: TestStore) => Promise<Answer>]>([
    ['a create', (store) => createV1(store, unknownField)],
    ['an update', (store) => INTEGRATOR.send('PATCH', store, '/users/4294967294', { body: unknownField })],
  ])('is today after %s whose password is not hashed because another field is rejected', async (_, use) => {
    const store = await newStore()
    expect(summary(await use(store))).toBe('422 invalid_parameter: custom_fields.none')
    expect(await lastUseOf(store)).not.toBeNull()
  })

  it('is kept for each token separately', async () => {
    const store = await newStore()
    const other = await newToken(store)
    await createV1(store, v1User())
    expect(await lastUseOf(other)).toBeNull()
  })

  it('does not change when a request is rejected by validation', async () => {
    const store = await newStore()
    await createV1(store, {})
    await createV1(store, v1User({ email: 'nobody' }))
    await call('GET', `/v1/stores/${store.id}/events?limit=0`, { token: store.token })
    expect(await lastUseOf(store)).toBeNull()
  })

  /** Returns how many rows the requests wrote. */
  async function writtenBy(act: (bindings: object) => Promise<unknown>): Promise<number> {
    const { DB, rowsWritten, later } = faultyD1(env.DB)
    await act({ DB })
    return rowsWritten() + later().written
  }

  const readEvents = (store: TestStore, bindings: object) => INTEGRATOR.send('GET', store, '/events', { bindings })

  it('is written once a day, by the first of 20 concurrent uses', async () => {
    const store = await newStore()
    const written = await writtenBy((bindings) =>
      Promise.all(Array.from({ length: 20 }, () => readEvents(store, bindings))),
    )
    expect(written).toBe(1)
    expect(await writtenBy((bindings) => readEvents(store, bindings))).toBe(0)
  })

  it('is written by the next request when the first write failed', async () => {
    const store = await newStore()
    const { DB, later } = faultyD1(env.DB, (trip) => (trip === Infinity ? loses('before')(0) : undefined))
    const lines = await recordConsole(async () => {
      expect(summary(await readEvents(store, { DB }))).toBe('200')
    })
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(expect.objectContaining({ code: 'use_not_recorded' }))
    expect(later()).toEqual({ trips: 1 + DATABASE.retries, written: 0 })
    expect(await lastUseOf(store)).toBeNull()
    expect(await writtenBy((bindings) => readEvents(store, bindings))).toBe(1)
    expect(await lastUseOf(store)).not.toBeNull()
  })

  it('is written although the response of the database to the write is lost', async () => {
    const store = await newStore()
    const { DB } = faultyD1(env.DB, (trip) => (trip === Infinity ? loses('after')(0) : undefined))
    await readEvents(store, { DB })
    expect(await lastUseOf(store)).toBe(today())
  })

  it('stays null if the token is revoked between the two round trips of a create', async () => {
    const store = await newStore()
    const { DB, roundTrips } = faultyD1(env.DB, async (trip) => {
      if (trip === 1) await revokeToken(store)
      return undefined
    })
    const user = v1User({ password: 'correct horse' })
    expect(summary(await createV1(store, user, { bindings: { DB } }))).toBe('401 invalid_token')
    expect(roundTrips()).toBe(2)
    expect(await tokenRow(store)).toMatchObject({ last_used_at: null })
  })

  it('moves forward on the next day, and never back', async () => {
    const store = await newStore()
    await createV1(store, v1User())
    const setTo = (time: number) => changeToken(store, { last_used_at: time })
    await setTo(Date.parse(today()) - DAY)
    expect(await writtenBy((bindings) => readEvents(store, bindings))).toBe(1)
    expect(Date.parse((await lastUseOf(store)) ?? '')).toBeGreaterThan(Date.parse(today()) - DAY)
    await setTo(Date.parse(today()) + 2 * DAY)
    expect(await writtenBy((bindings) => readEvents(store, bindings))).toBe(0)
  })
})

describe('POST /v1/token/rotate', () => {
  useStillClock()

  const rotate = (token: string, body?: unknown) =>
    call('POST', '/v1/token/rotate', { token, ...(body !== undefined && { body }) })

  it('returns 200 with the same token and a new secret, and the older one is valid for 24 hours', async () => {
    const store = await newStore()
    const old = await newToken(store, { scopes: ['events:read'] })
    const { json: before } = await whoAmI(old.token)
    const answer = await rotate(old.token)
    expect(answer.status).toBe(200)
    const { token, ...shown } = answer.json
    expect(shown).toEqual(before)
    expect(await lastUseOf({ token })).toBe(today())
    expect(token).toMatch(/^rgs_/)
    expect(token).not.toBe(old.token)
    for (const each of [old.token, token]) expect((await whoAmI(each)).json.id).toBe(old.id)
    const { older_hashes } = await tokenRow({ id: store.id, token: old.token })
    const [end] = Object.values<number>(JSON.parse(older_hashes))
    expect(end).toBe(Date.now() + DAY)
  })

  it('returns 401 for an older secret that is still valid, also with an invalid body, and changes nothing', async () => {
    const store = await newStore()
    const old = await newToken(store)
    const { token } = (await rotate(old.token, { overlap_hours: 1 })).json
    const row = await tokenRow({ id: store.id, token: old.token })
    for (const body of [{}, { overlap_hours: 0 }, { unknown: 1 }])
      expect(summary(await rotate(old.token, body))).toBe('401 invalid_token')
    expect(await tokenRow({ id: store.id, token: old.token })).toEqual(row)
    expect((await rotate(token)).status).toBe(200)
  })

  it('says to an older secret that the token has been rotated since, and to no other', async () => {
    const store = await newStore()
    const old = await newToken(store)
    const other = await newToken(store)
    const { token } = (await rotate(old.token)).json
    const rejected = await rotate(old.token)
    expect(rejected.json.message).toMatch(/^The token has been rotated since/)
    expect(rejected.headers.get('WWW-Authenticate')).toBe('Bearer realm="registrar", error="invalid_token"')
    // Two rotations at once, as by a client that sends the request again: one of them is told the reason.
    const both = await Promise.all([rotate(other.token), rotate(other.token)])
    expect(both.map(summary).toSorted()).toEqual(['200', '401 invalid_token'])
    expect(both.find(({ status }) => status === 401)?.json.message).toMatch(/^The token has been rotated since/)
    await revokeToken({ id: store.id, token })
    for (const secret of [old.token, token]) expect((await rotate(secret)).json.message).not.toMatch(/rotated/)
  })

  it.each([0, 169, 1.5, '2'])('returns 422 for overlap_hours %j', async (overlap_hours) => {
    const { token } = await newToken(await newStore())
    expect(summary(await rotate(token, { overlap_hours }))).toBe('422 invalid_parameter: overlap_hours')
  })

  it('returns 422 for a fifth valid secret, and rotates once if the response of D1 is lost', async () => {
    const store = await newStore()
    const { id, token: first } = await newToken(store)
    let token = first
    for (let i = 0; i < 3; i++) ({ token } = (await rotate(token)).json)
    const fifth = await rotate(token)
    expect(summary(fifth)).toBe('422 invalid_parameter: overlap_hours')
    expect(fifth.json.details[0].explanation).toContain('which a token cannot do to itself, but an operator can')
    const other = await newToken(store)
    const { DB } = faultyD1(env.DB, loses('after', 1))
    const answer = await call('POST', '/v1/token/rotate', { token: other.token, bindings: { DB } })
    expect(answer.status).toBe(200)
    expect(Object.keys(JSON.parse((await tokenRow({ id: store.id, token: other.token })).older_hashes))).toHaveLength(1)
    expect((await whoAmI(answer.json.token)).json.id).toBe(other.id)
    expect(id).not.toBe(other.id)
  })
})
