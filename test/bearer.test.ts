import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  admin,
  call,
  createV1,
  createV3,
  newAccess,
  newAddress,
  newStore,
  newToken,
  summary,
  type TestStore,
  updateAccess,
  v1User,
  v3User,
} from './support/api.ts'
import { faultyD1 } from './support/faults.ts'

const CHALLENGE = 'Bearer realm="registrar"'

let store: TestStore

beforeAll(async () => {
  store = await newStore()
})

/** A v1 create with this header. */
function withAuthorization(value: string | undefined, token = store.token) {
  const headers: Record<string, string> = value === undefined ? {} : { Authorization: value.replace('TOKEN', token) }
  headers['CF-Connecting-IP'] = newAddress()
  return call('POST', `/v1/stores/${store.id}/users`, { headers, body: v1User() })
}

describe('Authorization', () => {
  it.each(['Bearer TOKEN', 'bearer TOKEN', 'BEARER TOKEN', 'bEaReR TOKEN', '  Bearer TOKEN  '])(
    'is accepted as %j',
    async (value) => {
      expect((await withAuthorization(value)).status).toBe(201)
    },
  )

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Bearer  TOKEN',
    'Bearer\tTOKEN',
    'BearerTOKEN',
    'TOKEN',
    'Token TOKEN',
    'Basic dXNlcjpwYXNzd29yZA==',
    'Bearer: TOKEN',
    'Bearer TOKEN, Bearer TOKEN',
    'Bearer TOKEN TOKEN',
    'Bearer "TOKEN"',
    'Bearer token=TOKEN',
    'X Bearer TOKEN',
  ])('answers 401 missing_token for %j, without an error code in the challenge', async (value) => {
    const { status, json, headers } = await withAuthorization(value)
    expect(status).toBe(401)
    expect(json).toMatchObject({ type: 'authentication_error', code: 'missing_token' })
    expect(json).not.toHaveProperty('details')
    expect(headers.get('WWW-Authenticate')).toBe(CHALLENGE)
  })

  it.each([
    ['a word', 'Bearer nonsense'],
    ['another prefix', 'Bearer x_TOKEN'],
    ['a cut token', 'Bearer TOKE'],
    ['a lengthened token', 'Bearer TOKEN0'],
    ['padding', 'Bearer TOKEN=='],
    ['100,000 letters', `Bearer ${'a'.repeat(100_000)}`],
  ])('answers 401 invalid_token for %s, with the error code in the challenge', async (_, value) => {
    const { status, json, headers } = await withAuthorization(value)
    expect(status).toBe(401)
    expect(json).toMatchObject({ type: 'authentication_error', code: 'invalid_token' })
    expect(json).not.toHaveProperty('details')
    expect(headers.get('WWW-Authenticate')).toBe(`${CHALLENGE}, error="invalid_token"`)
  })

  it('is case-sensitive in the token', async () => {
    expect(summary(await withAuthorization('Bearer TOKEN', store.token.toUpperCase()))).toBe('401 invalid_token')
  })

  it('is not read from the query or the body', async () => {
    const body = { ...v1User(), access_token: store.token }
    const answer = await call('POST', `/v1/stores/${store.id}/users?access_token=${store.token}`, { body })
    expect(summary(answer)).toBe('401 missing_token')
  })
})

describe('a token', () => {
  it('costs no look-up when one character is wrong', async () => {
    for (const position of [0, 3, 4, 30, store.token.length - 9, store.token.length - 1]) {
      const wrong = store.token[position] === 'a' ? 'b' : 'a'
      const typo = store.token.slice(0, position) + wrong + store.token.slice(position + 1)
      const { DB, roundTrips } = faultyD1(env.DB)
      const answer = await createV1({ ...store, token: typo }, v1User(), { bindings: { DB } })
      expect(summary(answer)).toBe('401 invalid_token')
      expect(roundTrips()).toBe(0)
    }
  })

  it('is looked up, and refused, when it is well-formed but unknown', async () => {
    const { id, token } = await newToken(store)
    await env.DB.prepare('delete from access_tokens where id = ?').bind(Number(id)).run()
    const { DB, roundTrips } = faultyD1(env.DB)
    const answer = await createV1({ ...store, token }, v1User(), { bindings: { DB } })
    expect(summary(answer)).toBe('401 invalid_token')
    expect(roundTrips()).toBeGreaterThan(0)
  })

  it('is refused once it has expired, though it was used before', async () => {
    const { token } = await newToken(store, { expires_at: new Date(Date.now() + 1000).toISOString() })
    const access = await newAccess(store)
    expect((await updateAccess({ ...store, token }, access.id, {})).status).toBe(201)
    await scheduler.wait(1050)
    const answer = await updateAccess({ ...store, token }, access.id, {})
    expect(summary(answer)).toBe('401 invalid_token')
    expect(answer.headers.get('WWW-Authenticate')).toBe(`${CHALLENGE}, error="invalid_token"`)
  })

  it('is refused once it has expired, though it was never used', async () => {
    const { token } = await newToken(store, { expires_at: new Date(Date.now() + 300).toISOString() })
    await scheduler.wait(350)
    expect(summary(await createV3({ ...store, token }, v3User()))).toBe('401 invalid_token')
  })

  it('is refused once it is revoked, though it was never used', async () => {
    const { id, token } = await newToken(store)
    await admin('DELETE', `/stores/${store.id}/tokens/${id}`)
    expect(summary(await createV3({ ...store, token }, v3User()))).toBe('401 invalid_token')
  })

  it('of another store is refused, whether the store of the path exists or not', async () => {
    const other = await newStore()
    for (const id of [other.id, 'nobody', '%00', 'x'.repeat(300)]) {
      const created = await createV1({ id, token: store.token }, v1User())
      expect(summary(created)).toBe('401 invalid_token')
      expect(created.headers.get('WWW-Authenticate')).toBe(`${CHALLENGE}, error="invalid_token"`)
      expect(summary(await updateAccess({ id, token: store.token }, '1', {}))).toBe('401 invalid_token')
    }
  })

  it('of another store is refused in the very words of an unknown store', async () => {
    const other = await newStore()
    const [known, unknown] = [
      await createV1({ id: other.id, token: store.token }, v1User()),
      await createV1({ id: 'nobody', token: store.token }, v1User()),
    ]
    expect(known.json.message).toBe(unknown.json.message)
    expect([...known.headers.keys()]).toEqual([...unknown.headers.keys()])
  })

  it('matches the store of the path in its letter case', async () => {
    const answer = await createV1({ ...store, id: store.id.toUpperCase() }, v1User())
    expect(summary(answer)).toBe('401 invalid_token')
  })
})

describe('a token without the scope', () => {
  it.each([
    ['POST /v1/stores/{store_id}/users', 'users:write', (caller: TestStore) => createV1(caller, v1User())],
    ['POST /v3/public/users', 'users:write', (caller: TestStore) => createV3(caller, v3User())],
    [
      'PUT /v1/stores/{store_id}/product_accesses/{id}',
      'product_accesses:write',
      (caller: TestStore) => updateAccess(caller, '1', {}),
    ],
  ])('%s answers 403 and the scope needed', async (_, scope, send) => {
    const scopes = ['users:write', 'product_accesses:write'].filter((other) => other !== scope)
    const { token } = await newToken(store, { scopes })
    const { status, json, headers } = await send({ ...store, token })
    expect(status).toBe(403)
    expect(json).toMatchObject({ type: 'permission_error', code: 'insufficient_scope' })
    expect(json).not.toHaveProperty('details')
    expect(headers.get('WWW-Authenticate')).toBe(`${CHALLENGE}, error="insufficient_scope", scope="${scope}"`)
  })

  it('that is of another store, too, answers 401', async () => {
    const other = await newStore()
    const { token } = await newToken(other, { scopes: ['product_accesses:write'] })
    expect(summary(await createV1({ ...store, token }, v1User()))).toBe('401 invalid_token')
  })
})
