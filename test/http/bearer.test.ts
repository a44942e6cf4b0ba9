import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  admin,
  type Answer,
  call,
  createV1,
  createV3,
  newStore,
  newToken,
  summary,
  type TestStore,
  updateAccess,
  v1User,
  v3User,
} from '../support/api.ts'
import { faultyD1 } from '../support/faults.ts'
import {
  changeToken,
  defineField,
  deleteField,
  idIn,
  revokeToken,
  rowsOf,
  suspendStore,
  tokenRow,
  usersOf,
} from '../support/rows.ts'

const CHALLENGE = 'Bearer realm="registrar"'

let store: TestStore

beforeAll(async () => {
  store = await newStore()
})

/** A v1 create with this header. */
function withAuthorization(value: string | undefined, token = store.token) {
  const headers: Record<string, string> = value === undefined ? {} : { Authorization: value.replace('TOKEN', token) }
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
    ['an old token', `Bearer rgs_${'0'.repeat(72)}`],
    ['a token under no key', `Bearer rgs_1_2_${'A'.repeat(86)}`],
    ['a token of a store beyond all', `Bearer rgs_9999999_9999999999_${'A'.repeat(86)}`],
    ["an operator's form", `Bearer rgo_0_2_${'A'.repeat(86)}`],
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
  it('costs no trip when one character is wrong, wherever', async () => {
    for (const position of [0, 2, 3, 4, 6, 8, 30, store.token.length - 30, store.token.length - 1]) {
      const wrong = store.token[position] === '1' ? '2' : '1'
      const token = store.token.slice(0, position) + wrong + store.token.slice(position + 1)
      const { DB, roundTrips } = faultyD1(env.DB)
      expect(summary(await createV1(store, v1User(), { token, bindings: { DB } }))).toBe('401 invalid_token')
      expect(roundTrips()).toBe(0)
    }
  })

  it('is refused once it is unknown', async () => {
    const { id, token } = await newToken(store)
    await rowsOf('delete from access_tokens where id = ?', await idIn(store, id))
    expect(summary(await createV1(store, v1User(), { token }))).toBe('401 invalid_token')
  })

  it('is refused with the bits of an earlier token of its number', async () => {
    const other = await newStore()
    await changeToken(other, { hash: '0'.repeat(64) })
    expect(summary(await createV1(other, v1User()))).toBe('401 invalid_token')
  })

  it.each<[string, (store: TestStore) => Promise<void>]>([
    ['has expired', (own) => changeToken(own, { expires_at: Date.now() - 1 })],
    ['is revoked', revokeToken],
  ])('is refused by the very next request once it %s, on v1 and v3, used before or not', async (_, end) => {
    for (const isUsed of [true, false]) {
      const own = await newStore()
      if (isUsed) await createV1(own, v1User())
      await end(own)
      for (const answer of [
        await createV1(own, v1User()),
        await createV3(own, v3User()),
        await updateAccess(own, '1', {}),
      ]) {
        expect(summary(answer)).toBe('401 invalid_token')
        expect(answer.headers.get('WWW-Authenticate')).toBe(`${CHALLENGE}, error="invalid_token"`)
      }
      expect(await usersOf(own)).toHaveLength(isUsed ? 1 : 0)
    }
  })

  it('is not noted as used by what is refused to it', async () => {
    const own = await newStore()
    await suspendStore(own)
    await createV1(own, v1User())
    await createV3(own, v3User())
    await suspendStore(own, false)
    await changeToken(own, { scopes: 'users:read' })
    await createV1(own, v1User())
    expect((await tokenRow(own)).last_used_at).toBeNull()
    await changeToken(own, { scopes: 'users:write' })
    await createV1(own, v1User())
    expect((await tokenRow(own)).last_used_at).not.toBeNull()
  })

  it('is good until the very millisecond of its end', async () => {
    const own = await newStore()
    await changeToken(own, { expires_at: Date.now() + 3_600_000 })
    expect(summary(await createV1(own, v1User()))).toBe('201')
  })

  it('of another store is refused, whether the store of the path exists or not', async () => {
    const other = await newStore()
    for (const id of [other.id, 'nobody', '%00', '%F0%9F', 'x'.repeat(300)]) {
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

describe('what changes between two requests', () => {
  const CREATES: [string, () => object, (caller: TestStore, body: unknown) => Promise<Answer>][] = [
    ['v1', v1User, createV1],
    ['v3', v3User, createV3],
  ]

  it.each(CREATES)('a narrower scope counts with the next %s create', async (_, body, create) => {
    const own = await newStore()
    expect(summary(await create(own, body()))).toBe('201')
    await changeToken(own, { scopes: 'product_accesses:write users:read' })
    expect(summary(await create(own, body()))).toBe('403 insufficient_scope')
    await changeToken(own, { scopes: 'users:write' })
    expect(summary(await create(own, body()))).toBe('201')
  })

  it.each(CREATES)(
    'a suspended store counts with the next %s create, and so does its return',
    async (_, body, create) => {
      const own = await newStore()
      expect(summary(await create(own, body()))).toBe('201')
      await suspendStore(own)
      const { status, json, headers } = await create(own, body())
      expect(status).toBe(403)
      expect(json).toMatchObject({ type: 'permission_error', code: 'store_suspended' })
      expect(json).not.toHaveProperty('details')
      expect(headers.has('WWW-Authenticate')).toBe(false)
      await suspendStore(own, false)
      expect(summary(await create(own, body()))).toBe('201')
    },
  )

  it.each(CREATES)(
    'a custom field that is defined or deleted counts with the next %s create',
    async (_, body, create) => {
      const own = await newStore()
      const send = () => create(own, { ...body(), custom_fields: { field1: 'f', late: 1 } })
      await defineField(own, 'field1')
      expect(summary(await send())).toBe('422 invalid_parameter: custom_fields.late')
      await defineField(own, 'late')
      expect(summary(await send())).toBe('201')
      await deleteField(own, 'late')
      expect(summary(await send())).toBe('422 invalid_parameter: custom_fields.late')
    },
  )

  it('an operator goes on in a suspended store', async () => {
    const own = await newStore()
    await suspendStore(own)
    expect(summary(await admin('POST', `/stores/${own.id}/users`, v1User()))).toBe('201')
    expect(summary(await admin('GET', `/stores/${own.id}`))).toBe('200')
  })
})

describe('the kinds of tokens', () => {
  it('are not taken for one another: no store token under /admin, no root under /v1', async () => {
    expect(summary(await call('GET', '/admin/stores', { token: store.token }))).toBe('401 invalid_token')
    expect(summary(await createV1({ ...store, token: env.ADMIN_TOKEN }, v1User()))).toBe('401 invalid_token')
  })

  it('take for the root a secret of any printable ASCII', async () => {
    const secret = 'correct horse, "battery" staple: 32!'
    const send = (token: string) => call('GET', '/admin/stores', { token, bindings: { ADMIN_TOKEN: secret } })
    expect(summary(await send(secret))).toBe('200')
    expect(summary(await send(secret.replace('!', '?')))).toBe('401 missing_token')
    expect(summary(await send(env.ADMIN_TOKEN ?? ''))).toBe('401 invalid_token')
  })

  it.each(['', 'x'.repeat(31), undefined])(
    'have no root where ADMIN_TOKEN is %j: 404 for every path',
    async (secret) => {
      const bindings = { ADMIN_TOKEN: secret }
      for (const [method, path] of [
        ['GET', '/admin/stores'],
        ['PATCH', '/admin/stores'],
        ['GET', '/admin/none'],
      ] as const) {
        const answer = await call(method, path, { token: secret ?? 'x', bindings })
        expect(summary(answer)).toBe('404 route_not_found')
      }
    },
  )

  it.each(['', 'x'.repeat(31), undefined])(
    'answer 503 where TOKEN_KEY is %j, and 401 to what is no token of ours',
    async (key) => {
      const bindings = { TOKEN_KEY: key }
      const answer = await createV1(store, v1User(), { bindings })
      expect(summary(answer)).toBe('503 service_unavailable')
      expect(answer.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/)
      expect(summary(await createV1(store, v1User(), { bindings, token: 'nonsense' }))).toBe('401 invalid_token')
    },
  )

  it('are good under the key before while TOKEN_KEY_PREVIOUS holds it, and no longer', async () => {
    const bindings = { TOKEN_KEY: 'n'.repeat(32), TOKEN_KEY_PREVIOUS: env.TOKEN_KEY }
    expect(summary(await createV1(store, v1User(), { bindings }))).toBe('201')
    const ended = { ...bindings, TOKEN_KEY_PREVIOUS: undefined }
    expect(summary(await createV1(store, v1User(), { bindings: ended }))).toBe('401 invalid_token')
  })
})
