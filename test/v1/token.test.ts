import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import {
  admin,
  type Answer,
  call,
  createV1,
  createV3,
  newAccess,
  newAddress,
  newStore,
  newToken,
  summary,
  type TestStore,
  TIMESTAMP,
  updateAccess,
  v1User,
  v3User,
} from '../support/api.ts'
import { faultyD1 } from '../support/faults.ts'
import { rowsOf } from '../support/rows.ts'

const DAY = 24 * 60 * 60 * 1000

function whoAmI(token: string | undefined) {
  return call('GET', '/v1/token', { token, headers: { 'CF-Connecting-IP': newAddress() } })
}

async function lastUseOf({ token }: { token: string }): Promise<string | null> {
  return (await whoAmI(token)).json.last_used_at
}

/** Today at 00:00 UTC. */
function today(): string {
  return `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`
}

/** Defining and deleting a field makes the instance look up the store's tokens again. */
async function forget({ id }: TestStore): Promise<void> {
  await admin('PUT', `/stores/${id}/custom_fields/field1`, {})
  await admin('DELETE', `/stores/${id}/custom_fields/field1`)
}

describe('GET /v1/token', () => {
  it('answers 200 with what the token is, and nothing that could show it again', async () => {
    const store = await newStore()
    const given = { name: 'Checkout', scopes: ['users:write'], expires_at: '2099-12-31T23:00:00.5-01:30' }
    const token = await newToken(store, given)
    const { status, json } = await whoAmI(token.token)
    expect(status).toBe(200)
    expect(json).toEqual({
      store_id: store.id,
      name: 'Checkout',
      scopes: ['users:write'],
      created_at: token.created_at,
      expires_at: '2100-01-01T00:30:00.500Z',
      last_used_at: null,
    })
    expect(json.created_at).toMatch(TIMESTAMP)
  })

  it.each(['users:write', 'product_accesses:write', 'events:read'])('takes a token of the scope %s', async (scope) => {
    const { token } = await newToken(await newStore(), { scopes: [scope] })
    const { status, json } = await whoAmI(token)
    expect(status).toBe(200)
    expect(json).toMatchObject({ scopes: [scope], expires_at: null })
  })

  it('names the store of each token', async () => {
    const stores = [await newStore(), await newStore()]
    const answers = await Promise.all(stores.map(({ token }) => whoAmI(token)))
    expect(answers.map(({ json }) => json.store_id)).toEqual(stores.map(({ id }) => id))
  })

  it.each([
    ['missing_token', undefined],
    ['invalid_token', 'x'],
    ['invalid_token', `rgs_${'0'.repeat(72)}`],
    ['invalid_token', env.ADMIN_TOKEN],
  ])('answers 401 %s to %s', async (code, token) => {
    const answer = await whoAmI(token)
    expect(summary(answer)).toBe(`401 ${code}`)
    expect(answer.json).toMatchObject({ type: 'authentication_error', log_id: expect.any(String) })
    expect(answer.json).not.toHaveProperty('details')
  })

  it('answers 401 to a token that is revoked or expired', async () => {
    const store = await newStore()
    const [revoked, expired] = [await newToken(store), await newToken(store, { expires_at: '2099-01-01T00:00:00Z' })]
    await admin('DELETE', `/stores/${store.id}/tokens/${revoked.id}`)
    await rowsOf('update access_tokens set expires_at = 1 where id = ?', Number(expired.id))
    expect(summary(await whoAmI(revoked.token))).toBe('401 invalid_token')
    expect(summary(await whoAmI(expired.token))).toBe('401 invalid_token')
  })
})

describe('last_used_at', () => {
  it('stays null however often it is asked for: asking is no use', async () => {
    const store = await newStore()
    for (let i = 0; i < 3; i++) expect(await lastUseOf(store)).toBeNull()
    expect(await rowsOf('select last_used_at from access_tokens where store_id = ?', store.id)).toEqual([
      { last_used_at: null },
    ])
  })

  it.each<[string, (store: TestStore) => Promise<Answer>]>([
    ['a v1 create', (store) => createV1(store, v1User())],
    ['a v3 create', (store) => createV3(store, v3User())],
    ['a create with a key', (store) => createV1(store, v1User(), { headers: { 'X-Idempotency-Key': 'order-1' } })],
    ['an update', async (store) => updateAccess(store, await otherAccess(store), { status: 'without_access' })],
    ['an update of {}', async (store) => updateAccess(store, await otherAccess(store), {})],
    ['a read of the events', (store) => call('GET', `/v1/stores/${store.id}/events`, { token: store.token })],
  ])('is today, at 00:00 UTC, after %s', async (_, use) => {
    const store = await newStore()
    const days = [today()]
    expect((await use(store)).status).toBeLessThan(300)
    days.push(today())
    expect(days).toContain(await lastUseOf(store))
  })

  /** An access of the store, made with another token. */
  async function otherAccess(store: TestStore): Promise<string> {
    const { token } = await newToken(store)
    return (await newAccess({ ...store, token })).id
  }

  it('is of each token of its own', async () => {
    const store = await newStore()
    const other = await newToken(store)
    await createV1(store, v1User())
    expect(await lastUseOf(other)).toBeNull()
  })

  it('is not moved by a request that is refused before it does anything', async () => {
    const store = await newStore()
    await createV1(store, {})
    await createV1(store, v1User({ email: 'nobody' }))
    await call('GET', `/v1/stores/${store.id}/events?limit=0`, { token: store.token })
    expect(await lastUseOf(store)).toBeNull()
  })

  /** How often the requests have sent the day of use, and how many rows they have written in all. */
  async function uses(act: (bindings: object) => Promise<unknown>) {
    const { DB, statements, rowsWritten } = faultyD1(env.DB)
    await act({ DB })
    const sent = statements().filter(({ sql }) => sql.startsWith('update "access_tokens"'))
    return { sent: sent.length, written: rowsWritten() }
  }

  const readEvents = (store: TestStore, bindings: object) =>
    call('GET', `/v1/stores/${store.id}/events`, { token: store.token, bindings })

  it('is sent once by an instance, and written once a day whichever instance sends it', async () => {
    const store = await newStore()
    const first = await uses(async (bindings) => {
      for (let i = 0; i < 3; i++) await readEvents(store, bindings)
    })
    expect(first).toEqual({ sent: 1, written: 1 })
    await forget(store)
    expect(await uses((bindings) => readEvents(store, bindings))).toEqual({ sent: 0, written: 0 })
  })

  it('is written once by 20 simultaneous first uses', async () => {
    const store = await newStore()
    const { written } = await uses((bindings) =>
      Promise.all(Array.from({ length: 20 }, () => readEvents(store, bindings))),
    )
    expect(written).toBe(1)
  })

  it('moves on the next day, and never back', async () => {
    const store = await newStore()
    await createV1(store, v1User())
    const setTo = async (time: number) => {
      await rowsOf('update access_tokens set last_used_at = ? where store_id = ?', time, store.id)
      await forget(store)
    }
    await setTo(Date.parse(today()) - DAY)
    expect(await uses((bindings) => readEvents(store, bindings))).toEqual({ sent: 1, written: 1 })
    expect(await lastUseOf(store)).toBe(today())
    await setTo(Date.parse(today()) + DAY)
    expect(await uses((bindings) => readEvents(store, bindings))).toEqual({ sent: 0, written: 0 })
  })
})
