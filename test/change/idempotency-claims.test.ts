import { createHash, createHmac } from 'node:crypto'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../support/openapi.ts'
import {
  call,
  type CallOptions,
  createV1,
  createV3,
  newAccess,
  newEmail,
  newStore,
  newToken,
  newUsedStore,
  summary,
  updateAccess,
  UUID,
  v1User,
  v3User,
} from '../support/api.ts'
import { type Fault, faultyD1, faultyKv } from '../support/faults.ts'
import {
  ageClaims,
  claimsOf,
  defineField,
  eraseUser,
  idIn,
  numberOf,
  rowsOf,
  storeNumber,
  tokenRow,
  usersOf,
  type TestStore,
} from '../support/rows.ts'
import { at } from '../support/webhooks.ts'

const HOUR = 60 * 60 * 1000

type Create = (store: TestStore, body: unknown, options?: CallOptions) => Promise<Answer>

interface Version {
  version: string
  create: Create
  body: (fields?: object) => Record<string, any>
}

const V1: Version = { version: 'v1', create: createV1, body: v1User }

const VERSIONS: Version[] = [V1, { version: 'v3', create: createV3, body: v3User }]

function withKey(create: Create, key: string): Create {
  return (store, body, options = {}) =>
    create(store, body, { ...options, headers: { ...options.headers, 'X-Idempotency-Key': key } })
}

/** Returns the JSON text with the original digits of numbers, which JSON.stringify would change. */
function withNumbers(body: object): string {
  return JSON.stringify(body).replaceAll(/"number:([^"]+)"/g, '$1')
}

function newKey(): string {
  return `order-${crypto.randomUUID()}`
}

/** Returns what the client sees of the response, without the request id. */
function seen(answer: Answer) {
  const { status, headers, text } = answer
  const etag = headers.get('ETag')
  return { status, replayed: headers.get('Idempotent-Replayed'), type: headers.get('Content-Type'), etag, text }
}

/** Returns what KV stores of a response. */
function storedText({ headers, text }: Answer): string {
  return `${headers.get('ETag')}\n${text}`
}

function replayOf(first: Answer) {
  return { ...seen(first), status: 201, replayed: 'true' }
}

/** Returns `summary`, and whether the response is a replay. */
function outcome(answer: Answer): string {
  return summary(answer) + (answer.headers.has('Idempotent-Replayed') ? ' replayed' : '')
}

const REUSED = '422 idempotency_key_reused: X-Idempotency-Key'

const OTHER_BODIES: [string, object | ((user: any) => object)][] = [
  ['another name', { name: 'Adam' }],
  ['another letter case in the email', (user: any) => ({ email: user.email.toUpperCase() })],
  ['another letter case in the country', { country: 'GB' }],
  ['another password', { password: 'another one' }],
  ['another unknown field', { unknown: 2 }],
  ['null for an unknown field', { unknown: null }],
  ['text for a number', { unknown: '1' }],
  ['true for a number', { unknown: true }],
  ['a list for a number', { unknown: [1] }],
  ['an additional field', { more: null }],
  ['an omitted field', { unknown: undefined }],
  ['another order of a list', { list: ['b', 'a'] }],
  ['another Unicode form of the same letter', { name: 'Ada\u0300' }],
  ['additional white space in a value', { name: 'Adà ' }],
  ['a key in another letter case', { Unknown: 1, unknown: undefined }],
  ['an empty object for a list', { list: {} }],
  ['a key that is __proto__', JSON.parse('{"nested":{"__proto__":1}}')],
  ['an infinite number for null', { nothing: 'number:1e999' }],
  ['other digits of the same number', { unknown: 'number:1.0' }],
  ['another exponent of the same number', { unknown: 'number:1e0' }],
  ['one digit more than a double can hold', { long: 'number:12345678901234567892' }],
  ['a minus sign before zero', { zero: 'number:-0' }],
  ['the digits of a number as a string', { unknown: '1' }],
  ['an object that looks like a number', { unknown: { rawJSON: '1' } }],
]

describe.each(VERSIONS)('X-Idempotency-Key on the $version create', ({ version, create, body }) => {
  it('returns the first response byte for byte with a new request id, and creates nothing', async () => {
    const store = await newStore()
    const send = withKey(create, newKey())
    const user = body({ country: 'gb', external_id: 'crm-1' })
    const first = await send(store, user)
    expect(outcome(first)).toBe('201')
    const second = await send(store, user)
    const third = await send(store, user)
    expect(seen(second)).toEqual(replayOf(first))
    expect(seen(third)).toEqual(replayOf(first))
    const ids = [first, second, third].map(({ headers }) => headers.get('X-Request-Id'))
    expect(new Set(ids).size).toBe(3)
    for (const id of ids) expect(id).toMatch(UUID)
    expect(second.headers.get('Content-Type')).toBe(first.headers.get('Content-Type'))
    expect(await usersOf(store)).toHaveLength(1)
  })

  it('does not use up the key for a 4xx', async () => {
    const store = await newStore()
    const send = withKey(create, newKey())
    const taken = body()
    await create(store, taken)
    const user = body()
    const refusals = [
      await send(store, '{'),
      await send(store, { ...user, name: undefined }),
      await send(store, { ...user, email: 'nobody' }),
      await send(store, { ...user, email: taken['email'] }),
      await send(store, user, { token: 'none' }),
      await send(store, user, { headers: { 'Content-Type': 'text/plain' } }),
    ]
    expect(refusals.map(({ status }) => status)).toEqual([400, 400, 422, 422, 401, 415])
    expect(await claimsOf(store)).toEqual([])
    const first = await send(store, user)
    expect(outcome(first)).toBe('201')
    expect(seen(await send(store, user))).toEqual(replayOf(first))
  })

  it('replays the user after a 5xx that came after the commit', async () => {
    const store = await newUsedStore()
    const send = withKey(create, newKey())
    const user = body()
    // A v3 user has a password, so its create sends a preview first.
    const last = version === 'v3' ? 1 : 0
    const fault: Fault = { message: 'D1_ERROR: unheard of', when: 'after' }
    const { DB } = faultyD1(env.DB, (trip) => (trip === last ? fault : undefined))
    expect((await send(store, user, { bindings: { DB } })).status).toBe(500)
    const answer = await send(store, user)
    expect(seen(answer)).toEqual(replayOf(answer))
    expect(await usersOf(store)).toHaveLength(1)
    expect(String(answer.json.id)).toBe(String(numberOf((await usersOf(store))[0].id)))
  })

  it('replays until 24 hours after the success', async () => {
    const store = await newStore()
    const send = withKey(create, newKey())
    const user = body()
    const first = await send(store, user)
    await ageClaims(store, 24 * HOUR - 60_000)
    expect(seen(await send(store, user))).toEqual(replayOf(first))
  })

  it('accepts the key for a new request after 24 hours, from that millisecond on', async () => {
    const store = await newStore()
    const send = withKey(create, newKey())
    const [user, other] = [body(), body({ name: 'Other' })]
    await at(Date.now(), async () => {
      const first = await send(store, user)
      await ageClaims(store, 24 * HOUR)
      const second = await send(store, other)
      expect(outcome(second)).toBe('201')
      expect(second.json.id).not.toBe(first.json.id)
      expect(seen(await send(store, other))).toEqual(replayOf(second))
      expect(await claimsOf(store)).toHaveLength(1)
    })
  })

  it('returns 422 email_taken for the same request after 24 hours', async () => {
    const store = await newStore()
    const send = withKey(create, newKey())
    const user = body()
    const first = await send(store, user)
    await ageClaims(store, 24 * HOUR)
    const second = await send(store, user)
    expect(second.status).toBe(422)
    expect(second.json.code).toBe('email_taken')
    expect(second.headers.get('X-Existing-Id')).toBe(String(first.json.id))
    expect(await usersOf(store)).toHaveLength(1)
  })

  it('returns idempotency_key_reused before email_taken', async () => {
    const store = await newStore()
    const send = withKey(create, newKey())
    const [user, taken] = [body(), body()]
    await create(store, taken)
    const first = await send(store, user)
    expect(outcome(await send(store, taken))).toBe(REUSED)
    expect(outcome(await send(store, { ...user, name: 'Other' }))).toBe(REUSED)
    expect(seen(await send(store, user))).toEqual(replayOf(first))
    expect((await create(store, user)).json.code).toBe('email_taken')
  })
})

describe('X-Idempotency-Key on a create', () => {
  const { create, body } = V1

  it('returns for each of two keys its own response, even when their requests were equal', async () => {
    const store = await newStore()
    const user = body()
    const [send, sendLater] = [withKey(create, newKey()), withKey(create, newKey())]
    const first = await send(store, user)
    const id = await idIn(store, first.json.id)
    await rowsOf('update users set email = ?1, email_key = ?1 where id = ?2', newEmail(), id)
    const second = await sendLater(store, user)
    expect(second.json.id).not.toBe(first.json.id)
    expect(seen(await send(store, user))).toEqual(replayOf(first))
    expect(seen(await sendLater(store, user))).toEqual(replayOf(second))
  })

  it('replays a request that differs only in spacing, escapes and the order of its fields', async () => {
    const store = await newStore()
    const send = withKey(create, newKey())
    const user = body({ name: 'Zoë', extra: { a: [1, { x: 1, y: 2 }], b: 2 } })
    const first = await send(store, user)
    const { extra: _, ...rest } = user
    const reordered = {
      extra: { b: 2, a: [1, { y: 2, x: 1 }] },
      ...Object.fromEntries(Object.entries(rest).toReversed()),
    }
    const spaced = JSON.stringify(reordered, undefined, '\t').replace('Zoë', String.raw`Zo\u00eb`)
    expect(spaced).toContain(String.raw`\u00eb`)
    expect(seen(await send(store, ` \r\n${spaced} `))).toEqual(replayOf(first))
  })

  it('returns 422 idempotency_key_reused for the same key with any other body', async () => {
    const store = await newStore()
    const send = withKey(create, newKey())
    const user = body({
      name: 'Ad\u00e0',
      country: 'gb',
      password: 'the first one',
      unknown: 1,
      list: ['a', 'b'],
      nested: {},
      nothing: null,
      long: 'number:12345678901234567891',
      zero: 0,
    })
    const first = await send(store, withNumbers(user))
    expect(outcome(first)).toBe('201')
    for (const [name, change] of OTHER_BODIES) {
      const changed = { ...user, ...(typeof change === 'function' ? change(user) : change) }
      expect([name, outcome(await send(store, withNumbers(changed)))]).toEqual([name, REUSED])
    }
    expect(await usersOf(store)).toHaveLength(1)
    expect(seen(await send(store, withNumbers(user)))).toEqual(replayOf(first))
  })

  it('returns the header and the key in the details of idempotency_key_reused', async () => {
    const store = await newStore()
    const key = newKey()
    await withKey(create, key)(store, body())
    const { json } = await withKey(create, key)(store, body())
    expect(json.details).toMatchObject([{ field: 'X-Idempotency-Key', value: key }])
  })

  it('replays a body with 30,000 levels of nesting', async () => {
    const store = await newStore()
    const send = withKey(create, newKey())
    const deep = JSON.stringify(body({ extra: '?' })).replace('"?"', '['.repeat(30_000) + ']'.repeat(30_000))
    const first = await send(store, deep)
    expect(outcome(first)).toBe('201')
    expect(seen(await send(store, deep))).toEqual(replayOf(first))
    expect(outcome(await send(store, deep.replace('[]', '[1]')))).toBe(REUSED)
  })

  it('uses the last value of a repeated JSON key', async () => {
    const store = await newStore()
    const send = withKey(create, newKey())
    const user = body()
    const first = await send(store, user)
    expect(seen(await send(store, JSON.stringify(user).replace('{', '{"name":"Other",')))).toEqual(replayOf(first))
  })

  it('treats keys that differ in letter case as different', async () => {
    const store = await newStore()
    expect(outcome(await withKey(create, 'order-a')(store, body()))).toBe('201')
    expect(outcome(await withKey(create, 'order-A')(store, body()))).toBe('201')
  })

  it.each(['!', '~', 'k'.repeat(255), `'";--`, '__proto__', '{}:v1.users.create:'])('uses the key %j', async (key) => {
    const store = await newStore()
    const user = body()
    const first = await withKey(create, key)(store, user)
    expect(outcome(first)).toBe('201')
    expect(seen(await withKey(create, key)(store, user))).toEqual(replayOf(first))
  })

  it.each([
    [503, 'D1_ERROR: D1 DB is overloaded. Requests queued for too long.'],
    [500, 'D1_ERROR: disk I/O error: SQLITE_IOERR'],
  ])('does not use up the key for a %d', async (status, message) => {
    const store = await newUsedStore()
    const send = withKey(create, newKey())
    const user = body()
    const { DB } = faultyD1(env.DB, () => ({ message, when: 'before' }))
    expect((await send(store, user, { bindings: { DB } })).status).toBe(status)
    expect(await claimsOf(store)).toEqual([])
    expect(outcome(await send(store, { ...user, name: 'Corrected' }))).toBe('201')
  })

  it('separates the keys of two tokens, in one store and in two', async () => {
    const store = await newStore()
    const other = await newStore()
    const { token } = await newToken(store)
    const send = withKey(create, newKey())
    const user = body()
    expect(outcome(await send(store, user))).toBe('201')
    expect(outcome(await send(other, user))).toBe('201')
    expect((await send(store, user, { token })).json.code).toBe('email_taken')
    expect(outcome(await send(store, { ...user, email: newEmail() }, { token }))).toBe('201')
  })

  it('validates the body before it checks the key', async () => {
    const store = await newStore()
    const send = withKey(create, newKey())
    const user = body()
    await send(store, user)
    expect((await send(store, { ...user, email: 'nobody' })).json.code).toBe('invalid_parameter')
    expect((await send(store, { ...user, email: null })).json.code).toBe('missing_parameter')
    expect((await send(store, '[]')).json.code).toBe('malformed_body')
  })

  it('replays custom fields, Unicode and numbers byte for byte, with and without KV', async () => {
    const store = await newStore()
    for (const key of ['field1', '10', '9', '__proto__', 'rate']) {
      await defineField(store, key)
    }
    const send = withKey(create, newKey())
    const fields = '{"rate":1.50e2,"10":-0,"9":null,"field1":"\\u2028 \\ud83d\\ude00 \\"","__proto__":"p"}'
    const text = JSON.stringify(body({ custom_fields: 0 })).replace('"custom_fields":0', `"custom_fields":${fields}`)
    const first = await send(store, text)
    expect(outcome(first)).toBe('201')
    const replays = faultyKv(env.REPLAYS, () => 'fails')
    expect(seen(await send(store, text))).toEqual(replayOf(first))
    expect(seen(await send(store, text, { bindings: replays }))).toEqual(replayOf(first))
  })
})

describe('The scope of an idempotency key', () => {
  it('separates the v1 and the v3 create of one token', async () => {
    const store = await newStore()
    const key = newKey()
    const [v1, v3] = [v1User(), v3User()]
    const first = await withKey(createV1, key)(store, v1)
    const second = await withKey(createV3, key)(store, v3)
    expect(outcome(first)).toBe('201')
    expect(outcome(second)).toBe('201')
    expect(seen(await withKey(createV1, key)(store, v1))).toEqual(replayOf(first))
    expect(seen(await withKey(createV3, key)(store, v3))).toEqual(replayOf(second))
  })

  it('separates the root and a token', async () => {
    const store = await newStore()
    const key = newKey()
    const asRoot: TestStore = { ...store, token: env.ADMIN_TOKEN }
    const create: Create = (caller, body, options) =>
      call('POST', `/admin/stores/${caller.id}/users`, { token: caller.token, body, ...options })
    const [own, byRoot] = [v1User(), v1User()]
    expect(outcome(await withKey(createV1, key)(store, own))).toBe('201')
    const first = await withKey(create, key)(asRoot, byRoot)
    expect(outcome(first)).toBe('201')
    expect(seen(await withKey(create, key)(asRoot, byRoot))).toEqual(replayOf(first))
    expect(outcome(await withKey(create, key)(asRoot, own))).toBe(REUSED)
  })

  it('survives a rotation of TOKEN_KEY while TOKEN_KEY_PREVIOUS contains the old key, with and without KV', async () => {
    const store = await newStore()
    const send = withKey(createV1, newKey())
    const user = v1User()
    const first = await send(store, user)
    const bindings = { TOKEN_KEY: 'n'.repeat(32), TOKEN_KEY_PREVIOUS: env.TOKEN_KEY }
    expect(seen(await send(store, user, { bindings }))).toEqual(replayOf(first))
    const withoutKv = { ...bindings, ...faultyKv(env.REPLAYS, () => 'fails') }
    expect(seen(await send(store, user, { bindings: withoutKv }))).toEqual(replayOf(first))
    expect(outcome(await send(store, { ...user, name: 'Other' }, { bindings }))).toBe(REUSED)
    expect(await usersOf(store)).toHaveLength(1)
  })

  it('survives each step of a rotation of TOKEN_KEY, whichever instance the repeated request reaches', async () => {
    const store = await newStore()
    const [old, next] = [env.TOKEN_KEY, 'n'.repeat(32)]
    const before = { TOKEN_KEY: old }
    const prepared = { TOKEN_KEY: old, TOKEN_KEY_PREVIOUS: next }
    const swapped = { TOKEN_KEY: next, TOKEN_KEY_PREVIOUS: old }
    // While a step is deployed, some instances have its secrets and others still have those of the step before.
    for (const [one, other] of [
      [before, prepared],
      [prepared, swapped],
    ] as const) {
      for (const [first, repeated] of [
        [one, other],
        [other, one],
      ] as const) {
        const send = withKey(createV1, newKey())
        const user = v1User()
        const created = await send(store, user, { bindings: first })
        expect(outcome(created)).toBe('201')
        expect(seen(await send(store, user, { bindings: repeated }))).toEqual(replayOf(created))
        expect(outcome(await send(store, { ...user, name: 'Other' }, { bindings: repeated }))).toBe(REUSED)
      }
    }
    expect(await usersOf(store)).toHaveLength(4)
    expect(await claimsOf(store)).toHaveLength(4)
  })

  it.each(['old', 'new'])(
    'is decided by the newer claim if each TOKEN_KEY has one, the %s one first',
    async (first) => {
      const store = await newStore()
      const keys = ['o'.repeat(32), 'n'.repeat(32)]
      const [one, other] = first === 'old' ? keys : keys.toReversed()
      const key = newKey()
      // The root's token does not depend on TOKEN_KEY, so these are instances of which neither knows the other's key.
      const send = (body: object, bindings: object) =>
        call('POST', `/admin/stores/${store.id}/users`, {
          token: env.ADMIN_TOKEN,
          body,
          bindings,
          headers: { 'X-Idempotency-Key': key },
        })
      const [older, newer] = [v1User(), v1User()]
      await send(older, { TOKEN_KEY: one })
      const created = await send(newer, { TOKEN_KEY: other })
      expect(await claimsOf(store)).toHaveLength(2)
      for (const bindings of [
        { TOKEN_KEY: one, TOKEN_KEY_PREVIOUS: other },
        { TOKEN_KEY: other, TOKEN_KEY_PREVIOUS: one },
      ]) {
        expect(seen(await send(newer, bindings))).toEqual(replayOf(created))
        expect(outcome(await send(older, bindings))).toBe(REUSED)
      }
    },
  )

  it('covers only creates, so an update ignores the key', async () => {
    const store = await newStore()
    const { id } = await newAccess(store)
    const headers = { 'X-Idempotency-Key': newKey() }
    await updateAccess(store, id, { status: 'without_access' }, { headers })
    const second = await updateAccess(store, id, { status: 'with_access' }, { headers })
    expect(outcome(second)).toBe('201')
    expect(second.json.status).toBe('with_access')
    expect(await claimsOf(store)).toEqual([])
  })
})

describe('The stored data of a request with a key', () => {
  const password = 'correct horse battery staple'

  async function createWithPassword() {
    const store = await newStore()
    const key = newKey()
    const body = v3User({ password })
    const { REPLAYS, keys } = faultyKv(env.REPLAYS)
    await withKey(createV3, key)(store, body, { bindings: { REPLAYS } })
    const [claim] = await claimsOf(store)
    return { store, key, body, claim, kvKey: keys()[0] ?? '' }
  }

  it('contains the password neither in D1 nor in KV', async () => {
    const { store, claim, kvKey } = await createWithPassword()
    const token = await tokenRow(store)
    const stored = await env.REPLAYS.getWithMetadata(kvKey)
    expect(stored.value).not.toBeNull()
    const everything = JSON.stringify([await usersOf(store), claim, token, kvKey, stored])
    for (const secret of [password, password.slice(0, 7), btoa(password), store.token]) {
      expect(everything).not.toContain(secret)
    }
    expect(stored.value).not.toContain('$argon2id$')
  })

  it('contains the key neither in D1 nor in KV', async () => {
    const { store, key, claim, kvKey } = await createWithPassword()
    const stored = await env.REPLAYS.getWithMetadata(kvKey)
    expect(stored.value).not.toBeNull()
    const events = await rowsOf('select * from events where id >> 32 = ?', await storeNumber(store))
    const everything = JSON.stringify([claim, events, kvKey, stored])
    for (const text of [key, btoa(key), key.slice('order-'.length)]) expect(everything).not.toContain(text)
  })

  it('cannot be used to test a guess without TOKEN_KEY: no plain hash gives the key, the fingerprint or the MAC', async () => {
    const { store, key, body, claim, kvKey } = await createWithPassword()
    const token = await tokenRow(store)
    const { metadata } = await env.REPLAYS.getWithMetadata<{ mac: string }>(kvKey)
    const sorted = JSON.stringify(Object.fromEntries(Object.entries(body).toSorted(([a], [b]) => (a < b ? -1 : 1))))
    const json = JSON.stringify(body)
    const texts = [json, sorted, password, `request:${sorted}`, `request:${json}`, key, `idempotency_key:${key}`]
    const known = ['', key, store.id, token.hash, String(token.id), kvKey, claim.operation, 'registrar']
    const guesses: Buffer[] = []
    for (const text of texts) {
      for (const algorithm of ['md5', 'sha1', 'sha256', 'sha512']) {
        guesses.push(createHash(algorithm).update(text).digest())
        for (const salt of known) {
          guesses.push(createHmac(algorithm, salt).update(text).digest())
          guesses.push(createHash(algorithm).update(`${salt}:${text}`).digest())
        }
      }
    }
    const forms = guesses.flatMap((guess) =>
      (['hex', 'base64', 'base64url'] as const).map((form) => guess.toString(form)),
    )
    for (const stored of [claim.key, claim.fingerprint]) {
      expect(stored.length).toBeGreaterThanOrEqual(43)
      expect(forms).not.toContain(stored)
    }
    expect(forms).not.toContain(metadata?.mac)
  })

  it('differs between two tokens for the same key and body', async () => {
    const [store, other] = [await newStore(), await newStore()]
    const body = v1User()
    const key = newKey()
    await withKey(createV1, key)(store, body)
    await withKey(createV1, key)(other, body)
    const [[a], [b]] = [await claimsOf(store), await claimsOf(other)]
    expect(a.fingerprint).not.toBe(b.fingerprint)
    expect(a.key).not.toBe(b.key)
  })

  it('has one claim for one key, with the user that was created', async () => {
    const { store, claim } = await createWithPassword()
    const [user] = await usersOf(store)
    expect(claim).toMatchObject({ operation: 'v3.users.create', record_id: user.id, created_at: user.created_at })
  })

  it('has no claim for a create without a key', async () => {
    const store = await newStore()
    const { REPLAYS, writes } = faultyKv(env.REPLAYS)
    await createV1(store, v1User(), { bindings: { REPLAYS } })
    expect(await claimsOf(store)).toEqual([])
    expect(writes()).toBe(0)
  })
})

describe('A replay while KV fails', () => {
  const { create, body } = V1

  async function storeWithField(): Promise<TestStore> {
    const store = await newStore()
    await defineField(store, 'field1')
    return store
  }

  /** Sends a create with a key, and returns the KV key of its response. */
  async function createOnce(store: TestStore, { create, body } = V1) {
    const user = body({ custom_fields: { field1: 'engines' } })
    const send = withKey(create, newKey())
    const { REPLAYS, keys } = faultyKv(env.REPLAYS)
    const first = await send(store, user, { bindings: { REPLAYS } })
    return { first, repeat: (options?: CallOptions) => send(store, user, options), kvKey: keys()[0] ?? '' }
  }

  it.each(['fails', 'hangs', 'loses'] as const)('is byte for byte the same when a read %s', async (fate) => {
    const { first, repeat } = await createOnce(await storeWithField())
    const { REPLAYS, reads } = faultyKv(env.REPLAYS, () => fate)
    expect(seen(await repeat({ bindings: { REPLAYS } }))).toEqual(replayOf(first))
    expect(reads()).toBe(1)
  })

  it.each(['fails', 'loses'] as const)(
    'is byte for byte the same when the write of the first response %s',
    async (fate) => {
      const store = await newStore()
      const send = withKey(create, newKey())
      const user = body()
      const first = await send(store, user, { bindings: faultyKv(env.REPLAYS, () => fate) })
      expect(outcome(first)).toBe('201')
      expect(seen(await send(store, user))).toEqual(replayOf(first))
    },
  )

  it('is byte for byte the same when KV has lost the response', async () => {
    const { first, repeat, kvKey } = await createOnce(await storeWithField())
    await env.REPLAYS.delete(kvKey)
    expect(seen(await repeat())).toEqual(replayOf(first))
  })

  it.each([
    ['garbage without metadata', '{"id":"999"}', undefined],
    ['only metadata', '', { mac: '' }],
    ['metadata with a wrong type', '{"id":"999"}', { mac: 5 }],
    ['metadata that is a list', '{"id":"999"}', []],
    ['a MAC with a wrong length', '{"id":"999"}', { mac: 'short' }],
    ['a wrong MAC with the right length', '{"id":"999"}', { mac: 'A'.repeat(43) }],
  ])('is byte for byte the same when KV contains %s', async (_, value, metadata) => {
    const { first, repeat, kvKey } = await createOnce(await storeWithField())
    await env.REPLAYS.put(kvKey, value, metadata === undefined ? {} : { metadata })
    expect(seen(await repeat())).toEqual(replayOf(first))
  })

  it('is byte for byte the same when KV contains the right MAC with another text', async () => {
    const { first, repeat, kvKey } = await createOnce(await storeWithField())
    const { value, metadata } = await env.REPLAYS.getWithMetadata(kvKey)
    await env.REPLAYS.put(kvKey, String(value).replace('engines', 'ENGINES'), { metadata })
    expect(await env.REPLAYS.get(kvKey)).not.toBe(storedText(first))
    expect(seen(await repeat())).toEqual(replayOf(first))
  })

  it.each(['the same token', 'another store'])('never returns the response of another user of %s', async (whose) => {
    const store = await storeWithField()
    const mine = await createOnce(store)
    const other = await createOnce(whose === 'another store' ? await storeWithField() : store)
    const { value, metadata } = await env.REPLAYS.getWithMetadata(other.kvKey)
    expect(value).toBe(storedText(other.first))
    await env.REPLAYS.put(mine.kvKey, String(value), { metadata })
    expect(seen(await mine.repeat())).toEqual(replayOf(mine.first))
  })

  it('is the new response when KV still contains the one of an expired claim', async () => {
    const store = await newStore()
    const send = withKey(create, newKey())
    const user = body()
    const first = await send(store, user)
    await rowsOf(
      'update users set email = ?1, email_key = ?1 where id = ?2',
      newEmail(),
      await idIn(store, first.json.id),
    )
    await ageClaims(store, 24 * HOUR)
    const second = await send(store, user, { bindings: faultyKv(env.REPLAYS, () => 'fails') })
    const third = await send(store, user)
    expect(seen(third)).toEqual(replayOf(second))
    expect(third.text).not.toBe(first.text)
  })

  it.each(VERSIONS)(
    'on $version is the first response, and the current record if KV has no response',
    async (version) => {
      const store = await storeWithField()
      const { first, repeat } = await createOnce(store, version)
      const unchanged = await repeat({ bindings: faultyKv(env.REPLAYS, () => 'loses') })
      expect(seen(unchanged)).toEqual(replayOf(first))
      await rowsOf("update users set name = 'Renamed' where id = ?", await idIn(store, first.json.id))
      expect(seen(await repeat())).toEqual(replayOf(first))
      const rebuilt = await repeat({ bindings: faultyKv(env.REPLAYS, () => 'loses') })
      expect(outcome(rebuilt)).toBe('201 replayed')
      expect(rebuilt.json).toEqual({ ...first.json, name: 'Renamed' })
    },
  )

  it.each(VERSIONS)('on $version is 404 after the user was erased, until the claim expires', async (version) => {
    const store = await storeWithField()
    const { first, repeat, kvKey } = await createOnce(store, version)
    await eraseUser(store, first.json.id)
    expect(await env.REPLAYS.get(kvKey)).not.toBeNull()
    for (const fate of ['works', 'loses'] as const) {
      const answer = await repeat({ bindings: faultyKv(env.REPLAYS, () => fate) })
      expect(outcome(answer)).toBe('404 not_found')
      expect(answer.text).not.toContain(first.json.email)
    }
    expect(await usersOf(store)).toEqual([])
    await ageClaims(store, 24 * HOUR)
    const second = await repeat()
    expect(outcome(second)).toBe('201')
    expect(second.json.id).not.toBe(first.json.id)
  })

  it('comes from KV when KV has it', async () => {
    const { first, repeat, kvKey } = await createOnce(await storeWithField())
    const { value } = await env.REPLAYS.getWithMetadata(kvKey)
    expect(value).toBe(storedText(first))
    expect(seen(await repeat())).toEqual(replayOf(first))
  })
})
