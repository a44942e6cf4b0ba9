import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../../support/openapi.ts'
import { app } from '../../../src/app.ts'
import {
  admin,
  BASE,
  call,
  createV1,
  createV3,
  newStore,
  newToken,
  summary,
  updateAccess,
  useStore,
  v1User,
  v3User,
  WITHOUT_QUOTA,
} from '../../support/api.ts'
import { recordConsole } from '../../support/console.ts'
import { faultyD1 } from '../../support/faults.ts'
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
  type TestStore,
} from '../../support/rows.ts'

const CHALLENGE = 'Bearer realm="registrar"'

const store = useStore()

/** Sends a v1 create with this Authorization header; TOKEN stands for the token. */
function withAuthorization(value: string | undefined, token = store.token) {
  const headers: Record<string, string> = value === undefined ? {} : { Authorization: value.replace('TOKEN', token) }
  return call('POST', `/v1/stores/${store.id}/users`, { headers, body: v1User() })
}

describe('Authorization header', () => {
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
  ])('returns 401 missing_token for %j, without an error code in the challenge', async (value) => {
    const { status, json, headers } = await withAuthorization(value)
    expect(status).toBe(401)
    expect(json).toMatchObject({ type: 'authentication_error', code: 'missing_token' })
    expect(json).not.toHaveProperty('details')
    expect(headers.get('WWW-Authenticate')).toBe(CHALLENGE)
  })

  it.each([
    ['a word', 'Bearer nonsense'],
    ['an unknown prefix', 'Bearer x_TOKEN'],
    ['a truncated token', 'Bearer TOKE'],
    ['a lengthened token', 'Bearer TOKEN0'],
    ['a token in the old format', `Bearer rgs_${'0'.repeat(72)}`],
    ['a token that no key signed', `Bearer rgs_1_2_${'A'.repeat(86)}`],
    ['a token with a store number out of range', `Bearer rgs_9999999_9999999999_${'A'.repeat(86)}`],
    ['an operator token that no key signed', `Bearer rgo_0_2_${'A'.repeat(86)}`],
    ['padding', 'Bearer TOKEN=='],
    ['100,000 letters', `Bearer ${'a'.repeat(100_000)}`],
  ])('returns 401 invalid_token for %s, with the error code in the challenge', async (_, value) => {
    const { status, json, headers } = await withAuthorization(value)
    expect(status).toBe(401)
    expect(json).toMatchObject({ type: 'authentication_error', code: 'invalid_token' })
    expect(json).not.toHaveProperty('details')
    expect(headers.get('WWW-Authenticate')).toBe(`${CHALLENGE}, error="invalid_token"`)
  })

  it('is case-sensitive in the token', async () => {
    expect(summary(await withAuthorization('Bearer TOKEN', store.token.toUpperCase()))).toBe('401 invalid_token')
  })

  it('is the only place where a token is read, so a token in the query or the body returns 401', async () => {
    const body = { ...v1User(), access_token: store.token }
    const answer = await call('POST', `/v1/stores/${store.id}/users?access_token=${store.token}`, { body })
    expect(summary(answer)).toBe('401 missing_token')
  })
})

describe('A token', () => {
  it('is rejected without a round trip when any one character is wrong', async () => {
    for (const position of [0, 2, 3, 4, 6, 8, 30, store.token.length - 30, store.token.length - 1]) {
      const wrong = store.token[position] === '1' ? '2' : '1'
      const token = store.token.slice(0, position) + wrong + store.token.slice(position + 1)
      const { DB, roundTrips } = faultyD1(env.DB)
      expect(summary(await createV1(store, v1User(), { token, bindings: { DB } }))).toBe('401 invalid_token')
      expect(roundTrips()).toBe(0)
    }
  })

  it('is rejected when its row does not exist', async () => {
    const { id, token } = await newToken(store)
    await rowsOf('delete from access_tokens where id = ?', await idIn(store, id))
    expect(summary(await createV1(store, v1User(), { token }))).toBe('401 invalid_token')
  })

  it('is rejected when it has the id of a token but not its secret', async () => {
    const other = await newStore()
    await changeToken(other, { hash: '0'.repeat(64) })
    expect(summary(await createV1(other, v1User()))).toBe('401 invalid_token')
  })

  it.each<[string, (store: TestStore) => Promise<void>]>([
    ['has expired', (own) => changeToken(own, { expires_at: Date.now() - 1 })],
    ['is revoked', revokeToken],
  ])('is rejected by the next request on v1 and v3 after it %s, whether it was used before or not', async (_, end) => {
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

  it('does not get a last_used_at from requests that are rejected', async () => {
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

  it('is accepted until the millisecond in which it expires', async () => {
    const own = await newStore()
    await changeToken(own, { expires_at: Date.now() + 3_600_000 })
    expect(summary(await createV1(own, v1User()))).toBe('201')
  })

  it('is rejected for another store, whether that store exists or not', async () => {
    const other = await newStore()
    for (const id of [other.id, 'nobody', '%00', '%F0%9F', 'x'.repeat(300)]) {
      const created = await createV1({ id, token: store.token }, v1User())
      expect(summary(created)).toBe('401 invalid_token')
      expect(created.headers.get('WWW-Authenticate')).toBe(`${CHALLENGE}, error="invalid_token"`)
      expect(summary(await updateAccess({ id, token: store.token }, '1', {}))).toBe('401 invalid_token')
    }
  })

  it('gets the same message for another store and for an unknown store', async () => {
    const other = await newStore()
    const [known, unknown] = [
      await createV1({ id: other.id, token: store.token }, v1User()),
      await createV1({ id: 'nobody', token: store.token }, v1User()),
    ]
    expect(known.json.message).toBe(unknown.json.message)
    expect([...known.headers.keys()]).toEqual([...unknown.headers.keys()])
  })

  it('is rejected when the store in the path differs in letter case', async () => {
    const answer = await createV1({ ...store, id: store.id.toUpperCase() }, v1User())
    expect(summary(answer)).toBe('401 invalid_token')
  })
})

describe('A token without the required scope', () => {
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

  it('gets 401 when it is also of another store', async () => {
    const other = await newStore()
    const { token } = await newToken(other, { scopes: ['product_accesses:write'] })
    expect(summary(await createV1({ ...store, token }, v1User()))).toBe('401 invalid_token')
  })
})

describe('The next request after a change', () => {
  const CREATES: [string, () => object, (caller: TestStore, body: unknown) => Promise<Answer>][] = [
    ['v1', v1User, createV1],
    ['gets 403 with the required scope in the challenge from %s', v3User, createV3],
  ]

  it.each(CREATES)('uses the new scopes of the token on %s', async (_, body, create) => {
    const own = await newStore()
    expect(summary(await create(own, body()))).toBe('201')
    await changeToken(own, { scopes: 'product_accesses:write users:read' })
    expect(summary(await create(own, body()))).toBe('403 insufficient_scope')
    await changeToken(own, { scopes: 'users:write' })
    expect(summary(await create(own, body()))).toBe('201')
  })

  it.each(CREATES)(
    'returns 403 store_suspended while the store is suspended and 201 afterwards on %s',
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
    'uses the custom fields that are defined when the request arrives on %s',
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

  it('is accepted from an operator even when the store is suspended', async () => {
    const own = await newStore()
    await suspendStore(own)
    expect(summary(await admin('POST', `/stores/${own.id}/users`, v1User()))).toBe('201')
    expect(summary(await admin('GET', `/stores/${own.id}`))).toBe('200')
  })
})

/** The lines of the log that `act` causes. */
async function loggedBy(act: () => Promise<unknown>): Promise<any[]> {
  return (await recordConsole(act)).map((line) => JSON.parse(line))
}

describe('Store tokens and root tokens', () => {
  it('are rejected in place of each other under /admin and /v1', async () => {
    expect(summary(await call('GET', '/admin/stores', { token: store.token }))).toBe('401 invalid_token')
    expect(summary(await createV1({ ...store, token: env.ADMIN_TOKEN }, v1User()))).toBe('401 invalid_token')
  })

  it('may contain any printable ASCII when they are the root secret', async () => {
    const secret = 'correct horse, "battery" staple: 32!'
    const send = (token: string) => call('GET', '/admin/stores', { token, bindings: { ADMIN_TOKEN: secret } })
    expect(summary(await send(secret))).toBe('200')
    expect(summary(await send(secret.replace('!', '?')))).toBe('401 missing_token')
    expect(summary(await send(env.ADMIN_TOKEN ?? ''))).toBe('401 invalid_token')
  })

  it.each(['\n', '\r\n', ' \t\n'])(
    'are the root secret without %j at its end, which no header can carry',
    async (end) => {
      const secret = 'correct horse, "battery" staple: 32!'
      const bindings = { ADMIN_TOKEN: secret + end }
      const lines = await loggedBy(async () => {
        expect(summary(await call('GET', '/admin/stores', { token: secret, bindings }))).toBe('200')
        expect(summary(await call('GET', '/admin/stores', { token: `${secret}x`, bindings }))).toBe('401 missing_token')
      })
      expect(lines.filter(({ kind }) => kind === 'warning')).toContainEqual(
        expect.objectContaining({ code: 'secret_ends_with_blanks', secret: 'ADMIN_TOKEN' }),
      )
    },
  )

  it('use TOKEN_KEY as it is, and the log names it and ADMIN_TOKEN once per instance', async () => {
    const instance = { ...env, ...WITHOUT_QUOTA, TOKEN_KEY: `${env.TOKEN_KEY}\n`, ADMIN_TOKEN: `${env.ADMIN_TOKEN} ` }
    const ask = () =>
      app.request(
        `${BASE}/v1/token`,
        { headers: { authorization: `Bearer ${store.token}` } },
        instance,
        createExecutionContext(),
      )
    const lines = await loggedBy(async () => {
      for (let n = 0; n < 3; n++) expect((await ask()).status).toBe(401)
    })
    const warnings = lines.filter(({ code }) => code === 'secret_ends_with_blanks')
    expect(warnings.map(({ secret }) => secret)).toEqual(['ADMIN_TOKEN', 'TOKEN_KEY'])
  })

  it.each([' '.repeat(40), `${'x'.repeat(31)}\n`, '', 'x'.repeat(31), undefined])(
    'are rejected with 404 under /admin when ADMIN_TOKEN is %j',
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
    'get 503 when TOKEN_KEY is %j, and a token without our prefix gets 401',
    async (key) => {
      const bindings = { TOKEN_KEY: key }
      const answer = await createV1(store, v1User(), { bindings })
      expect(summary(answer)).toBe('503 service_unavailable')
      expect(answer.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/)
      expect(summary(await createV1(store, v1User(), { bindings, token: 'nonsense' }))).toBe('401 invalid_token')
    },
  )

  it('made with the previous key are accepted only while TOKEN_KEY_PREVIOUS contains it', async () => {
    const bindings = { TOKEN_KEY: 'n'.repeat(32), TOKEN_KEY_PREVIOUS: env.TOKEN_KEY }
    expect(summary(await createV1(store, v1User(), { bindings }))).toBe('201')
    const ended = { ...bindings, TOKEN_KEY_PREVIOUS: undefined }
    expect(summary(await createV1(store, v1User(), { bindings: ended }))).toBe('401 invalid_token')
  })
})
