import { env } from 'cloudflare:workers'
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  admin,
  call,
  createV1,
  createV3,
  newAccess,
  newStore,
  newUsedStore,
  updateAccess,
  UUID,
  v1User,
  v3User,
} from '../../support/api.ts'
import { recordConsole, recordLog } from '../../support/console.ts'
import { RETRYABLE, UNAVAILABLE } from '../../support/d1-errors.ts'
import { faultyD1, faultyKv, objectsLike } from '../../support/faults.ts'
import { newOwnStore } from '../../support/places.ts'
import { numberOf, storeNumber, tokenRow, useToken } from '../../support/rows.ts'

describe('The log', () => {
  it('has one line for a create, with its cost, its store and its token', async () => {
    const store = await newUsedStore()
    const lines = await recordConsole(async () => {
      const answer = await createV1(store, v1User(), { headers: { 'CF-Ray': '8f2c4a6b8d0e1f23-MAD' } })
      expect(answer.status).toBe(201)
    })
    // Deliveries that other tests have left may be tried at the same time.
    const [line, ...others] = lines.map((each) => JSON.parse(each)).filter(({ kind }) => kind !== 'attempt')
    expect(others).toEqual([])
    expect(line).toEqual({
      kind: 'request',
      request_id: expect.stringMatching(UUID),
      log_id: '8f2c4a6b8d0e1f23-MAD',
      method: 'POST',
      route: '/v1/stores/:store_id/users',
      status: 201,
      duration_ms: expect.any(Number),
      d1_round_trips: 1,
      d1_rows_read: expect.any(Number),
      d1_rows_written: 3,
      store: await storeNumber(store),
      token_id: numberOf((await tokenRow(store)).id),
      store_id: store.id,
    })
  })

  it('has the request id of the response, which is new for each request', async () => {
    const store = await newStore()
    const answers: string[] = []
    const lines = await recordLog(async () => {
      for (let i = 0; i < 2; i++) answers.push((await updateAccess(store, 'none', {})).json.request_id)
    })
    expect(lines.map(({ request_id }) => request_id)).toEqual(answers)
    expect(lines.map(({ log_id }) => log_id)).toEqual(answers)
    expect(new Set(answers).size).toBe(2)
  })

  it.each([
    ['GET', '/health', undefined, { route: '/health', status: 200 }],
    ['GET', '/nowhere/ada@example.com', undefined, { status: 404, code: 'route_not_found' }],
    ['PATCH', '/v3/public/users', undefined, { status: 405, code: 'method_not_allowed' }],
    ['POST', '/v3/public/users', undefined, { route: '/v3/public/users', status: 401, code: 'missing_token' }],
    ['POST', '/v3/public/users', 'none', { route: '/v3/public/users', status: 401, code: 'invalid_token' }],
    [
      'GET',
      '/admin/stores/none',
      env.ADMIN_TOKEN,
      { route: '/admin/stores/:store_id', status: 404, code: 'not_found' },
    ],
  ])('has one line for %s %s with the token %s', async (method, path, token, expected) => {
    const lines = await recordLog(() => call(method, path, { token }))
    expect(lines).toEqual([expect.objectContaining({ method, ...expected })])
    expect(lines[0].store_id).toBeUndefined()
  })

  it('has no route and no text of the path when no route matches', async () => {
    const [line] = await recordLog(() => call('GET', '/nowhere/ada@example.com?email=ada@example.com'))
    expect(JSON.stringify(line)).not.toMatch(/nowhere|ada/)
  })

  it('marks a replay', async () => {
    const store = await newStore()
    const [body, headers] = [v1User(), { 'X-Idempotency-Key': 'order-1' }]
    const lines = await recordLog(async () => {
      await createV1(store, body, { headers })
      await createV1(store, body, { headers })
    })
    expect(lines.map(({ replayed }) => replayed)).toEqual([undefined, true])
  })

  it('has the message and the stack of a 500', async () => {
    const store = await newUsedStore()
    const message = 'D1_ERROR: no such table: users: SQLITE_ERROR'
    const { DB } = faultyD1(env.DB, () => ({ message, when: 'before' }))
    const [line] = await recordLog(() => createV1(store, v1User(), { bindings: { DB } }))
    expect(line).toMatchObject({ status: 500, code: 'internal_error', error: { name: 'Error', message } })
    expect(line.error.at[0]).toMatch(/^ +at .+:\d+:\d+/)
  })

  it.each([
    'NOT NULL constraint failed: users.name: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_NOTNULL)',
    'no such function: nope: SQLITE_ERROR',
  ])('has the message of the SQLite of an object: %s', async (message) => {
    const store = await newOwnStore()
    const STORES = objectsLike(faultyD1(env.DB, () => ({ message, when: 'before' })).DB, env.STORES)
    const [line] = await recordLog(() => createV1(store, v1User(), { bindings: { STORES } }))
    expect(line).toMatchObject({ status: 500, error: { message } })
  })

  it.each(['length', 'chunks'])('has client_disconnected for a body that ends too early, sent by %s', async (sent) => {
    const store = await newStore()
    let chunks = 0
    const body = new ReadableStream({
      pull(controller) {
        if (chunks++ === 0) controller.enqueue(new TextEncoder().encode('{"name":'))
        else controller.error(new Error('Network connection lost.'))
      },
    })
    const headers: Record<string, string> = sent === 'length' ? { 'Content-Length': '100' } : {}
    const [line] = await recordLog(() => createV1(store, body, { headers }))
    expect(line).toMatchObject({
      status: 400,
      code: 'malformed_body',
      failure: 'client_disconnected',
      d1_round_trips: 0,
    })
    expect(line).not.toHaveProperty('error')
  })

  it.each([
    [RETRYABLE[0], 'd1_connection_lost', 4] as const,
    ...UNAVAILABLE.map(([message, code]) => [message, code, 1] as const),
  ])('has for the cause %j of a 503 the failure %s and %d round trips', async (message, failure, tries) => {
    const store = await newStore()
    const { DB } = faultyD1(env.DB, () => ({ message, when: 'before' }))
    const [line] = await recordLog(() => createV1(store, v1User(), { bindings: { DB } }))
    expect(line).toMatchObject({
      status: 503,
      code: 'service_unavailable',
      failure,
      d1_round_trips: tries,
      error: { message },
    })
  })

  it.each([undefined, 'short'])('has a TOKEN_KEY that is %s as the failure of a 503', async (key) => {
    const store = await newStore()
    const [line] = await recordLog(() => createV1(store, v1User(), { bindings: { TOKEN_KEY: key } }))
    expect(line).toMatchObject({ status: 503, failure: 'token_key_missing_or_too_short', d1_round_trips: 0 })
  })

  it('has the id of the operator, which is 0 for the root', async () => {
    const { id } = await newStore()
    const [line] = await recordLog(() => admin('GET', `/stores/${id}`))
    expect(line).toMatchObject({ operator_id: 0, status: 200 })
    expect(line).not.toHaveProperty('token_id')
  })

  it('has no failure when there was none', async () => {
    const store = await newStore()
    const [line] = await recordLog(() => createV1(store, {}))
    expect(line).toMatchObject({ status: 400, code: 'missing_parameter' })
    expect(Object.keys(line)).not.toContain('failure')
    expect(Object.keys(line)).not.toContain('error')
  })
})

describe('Client input and tokens', () => {
  const SECRET = 'Canary'
  const canaries = {
    name: `${SECRET} Ada`,
    last_name: `${SECRET} Lovelace`,
    phone: `${SECRET} 123`,
    avatar: `https://${SECRET}.example/a.png`,
    password: `${SECRET} horse`,
    external_id: `${SECRET}-1`,
    unknown: `${SECRET} field`,
    [`${SECRET}_key`]: 1,
  }
  const headers = {
    'X-Idempotency-Key': `${SECRET}-order`,
    'User-Agent': `${SECRET}/1.0`,
    'CF-Ray': `${SECRET}-ray`,
    'X-Request-Id': `${SECRET}-id`,
    Referer: `https://example.com/${SECRET}`,
  }
  const newCanaries = () => ({ ...canaries, email: `${SECRET}.${crypto.randomUUID()}@example.com` })

  /** Returns what `act` wrote to the console, in lower case, so that a secret is found in any letter case. */
  async function textOf(act: () => Promise<unknown>): Promise<string> {
    const lines = await recordConsole(act)
    expect(lines.length).toBeGreaterThan(0)
    return lines.join('\n').toLowerCase()
  }

  /** Returns the secrets that the text contains. */
  function leaks(text: string, tokens: string[]): string[] {
    const hashes = tokens.map((token) => createHash('sha256').update(token).digest('hex'))
    const secrets = [SECRET.toLowerCase(), env.ADMIN_TOKEN, '$argon2id$', ...tokens, ...hashes]
    return [...secrets, ...tokens.map((token) => token.slice(4, 20))].filter((secret) => text.includes(secret))
  }

  const cases: [string, (store: any) => Promise<number>][] = [
    ['a v1 create', async (store) => (await createV1(store, newCanaries(), { headers })).status],
    ['a v3 create', async (store) => (await createV3(store, v3User(newCanaries()), { headers })).status],
    [
      'a replay when KV fails',
      async (store) => {
        const bindings = faultyKv(env.REPLAYS, () => 'fails')
        const body = newCanaries()
        await createV1(store, body, { headers, bindings })
        return (await createV1(store, body, { headers, bindings })).status
      },
    ],
    ['missing fields', async (store) => (await createV1(store, { ...newCanaries(), name: null }, { headers })).status],
    ['malformed JSON', async (store) => (await createV1(store, `{"${SECRET}"`, { headers })).status],
    [
      'an invalid key',
      async (store) => (await createV1(store, v1User(), { headers: { 'X-Idempotency-Key': `${SECRET} key` } })).status,
    ],
    [
      'invalid fields',
      async (store) =>
        (
          await createV1(store, {
            ...newCanaries(),
            email: SECRET,
            country: SECRET,
            custom_fields: { [SECRET]: SECRET },
          })
        ).status,
    ],
    [
      'a taken email',
      async (store) => {
        const body = newCanaries()
        await createV1(store, body)
        return (await createV1(store, body)).status
      },
    ],
    [
      'a used key',
      async (store) => {
        await createV1(store, newCanaries(), { headers })
        return (await createV1(store, newCanaries(), { headers })).status
      },
    ],
    ['an invalid token', async (store) => (await createV1(store, newCanaries(), { token: `${SECRET}token` })).status],
    ['an invalid id', async (store) => (await updateAccess(store, SECRET, {})).status],
    [
      'an unknown path',
      async (store) => (await call('GET', `/v1/${SECRET}?${SECRET}=1`, { token: store.token })).status,
    ],
    ["an operator's query", async () => (await admin('GET', `/stores?after=${SECRET}`)).status],
    ["an operator's path", async () => (await admin('GET', `/stores/${SECRET}`)).status],
    [
      'an update',
      async (store) => {
        const { id } = await newAccess(store)
        return (await updateAccess(store, id, { status: SECRET, access_due_date: SECRET }, { headers })).status
      },
    ],
    ...['before', 'after'].flatMap((when: any): [string, (store: any) => Promise<number>][] =>
      [
        `${SECRET} failed`,
        `${SECRET}\n    at ${SECRET} (${SECRET})`,
        `Failed query: insert into users\nparams: ${SECRET}`,
        RETRYABLE[0] ?? '',
        'D1_ERROR: UNIQUE constraint failed: users.store_id, users.email_key: SQLITE_CONSTRAINT',
      ].map((message, i) => [
        `failure ${i + 1} of D1 ${when} the commit`,
        async (store) => {
          const { DB } = faultyD1(env.DB, () => ({ message, when }))
          return (await createV1(store, newCanaries(), { headers, bindings: { DB } })).status
        },
      ]),
    ),
  ]

  it.each(cases)('are not in the log of %s', async (_, act) => {
    const store = await newStore()
    let status = 0
    const text = await textOf(async () => {
      await useToken(store)
      status = await act(store)
    })
    expect(text).toContain(`"status":${status}`)
    expect(leaks(text, [store.token])).toEqual([])
  })

  it('are not in the log when a store and a token are created', async () => {
    let token = ''
    const text = await textOf(async () => {
      const { id } = await newStore()
      const created = await admin('POST', `/stores/${id}/tokens`, { name: SECRET })
      await admin('PATCH', `/stores/${id}`, { name: SECRET })
      token = created.json.token
    })
    expect(leaks(text, [token])).toEqual([])
  })

  it('are not in the response when D1 fails', async () => {
    const store = await newUsedStore()
    const { DB } = faultyD1(env.DB, () => ({ message: `Failed query\nparams: ${SECRET}`, when: 'before' }))
    const { status, text, headers: answered } = await createV1(store, newCanaries(), { headers, bindings: { DB } })
    expect(status).toBe(500)
    expect((text + JSON.stringify([...answered])).toLowerCase()).not.toContain(SECRET.toLowerCase())
  })
})
