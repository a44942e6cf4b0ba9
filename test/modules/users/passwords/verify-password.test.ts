import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  admin,
  BASE,
  call,
  type CallOptions,
  createV1,
  createV3,
  newAccess,
  newEmail,
  newStore,
  newToken,
  newUser,
  refused,
  summary,
  useStore,
  v1User,
  v3User,
  WITHOUT_QUOTA,
} from '../../../support/api.ts'
import worker from '../../../../src/index.ts'
import { recordConsole } from '../../../support/console.ts'
import { measure } from '../../../support/costs.ts'
import { newOperator } from '../../../support/operators.ts'
import { sendUntilRefused } from '../../../support/quotas.ts'
import { revokeToken, storeNumber, usersOf, useToken } from '../../../support/rows.ts'

const PASSWORD = 'correct horse battery'

const store = useStore()
let user: any

beforeAll(async () => {
  user = await newUser(store, { password: PASSWORD })
})

function verify(body: unknown, options: CallOptions = {}) {
  return call('POST', `/v1/stores/${store.id}/users/verify_password`, { token: store.token, body, ...options })
}

/** Makes a limiter that counts by key and shows its counts. */
function counting(limit: number) {
  const counts = new Map<string, number>()
  const count = async ({ key }: { key: string }) => {
    counts.set(key, (counts.get(key) ?? 0) + 1)
    return { success: (counts.get(key) ?? 0) <= limit }
  }
  return { counts, VERIFY_LIMITER: { limit: count } }
}

describe('POST /v1/stores/{store_id}/users/verify_password', () => {
  it('returns the user for the right password, whatever the letter case of the email', async () => {
    for (const email of [user.email, user.email.toUpperCase()]) {
      const { status, json } = await verify({ email, password: PASSWORD })
      expect([status, json]).toEqual([200, { verified: true, user }])
    }
  })

  it('returns only verified false for a wrong password, an unknown email, both, and a user without a password', async () => {
    const { json: other } = await createV1(store, v1User())
    for (const body of [
      { email: user.email, password: `${PASSWORD} ` },
      { email: newEmail(), password: PASSWORD },
      { email: newEmail(), password: 'x' },
      { email: other.email, password: PASSWORD },
    ]) {
      const { status, json } = await verify(body)
      expect([status, json]).toEqual([200, { verified: false }])
    }
  })

  it('accepts passwords that v3 or a PATCH set, and rejects the one before', async () => {
    const { json } = await createV3(store, v3User({ password: PASSWORD }))
    const check = async (password: string) => (await verify({ email: json.email, password })).json.verified
    expect(await check(PASSWORD)).toBe(true)
    await call('PATCH', `/v1/stores/${store.id}/users/${json.id}`, { token: store.token, body: { password: 'new' } })
    expect([await check(PASSWORD), await check('new')]).toEqual([false, true])
  })

  it('does not find a user of another store', async () => {
    const other = await newStore()
    const path = `/v1/stores/${other.id}/users/verify_password`
    const { json } = await call('POST', path, { token: other.token, body: { email: user.email, password: PASSWORD } })
    expect(json).toEqual({ verified: false })
  })

  it('accepts stored hashes with other parameters', async () => {
    const { json } = await createV1(store, v1User({ password: PASSWORD }))
    // A test vector of the reference implementation. Without this, a user with an older hash could not log in.
    const phc = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'
    await env.DB.prepare('update users set password_hash = ? where email = ?').bind(phc, json.email).run()
    expect((await verify({ email: json.email, password: 'password' })).json.verified).toBe(true)
    expect((await verify({ email: json.email, password: PASSWORD })).json.verified).toBe(false)
  })

  it('computes a hash with the same cost when the user does not exist or has no password', async () => {
    const { json: other } = await createV1(store, v1User())
    // Argon2id throws for this cost, so a 500 proves that a hash was computed; a stored hash has its own cost.
    const bindings = { PASSWORD_COST: '1' }
    const check = async (email: string) => summary(await verify({ email, password: PASSWORD }, { bindings }))
    expect(await check(user.email)).toBe('200')
    expect(await check(newEmail())).toBe('500 internal_error')
    expect(await check(other.email)).toBe('500 internal_error')
  })

  it('returns an error for missing, invalid and unknown fields, and requires passwords:verify', async () => {
    expect(summary(await verify({ email: user.email }))).toBe('400 missing_parameter: password')
    expect(summary(await verify({}))).toBe('400 missing_parameter: email')
    const answer = await verify({ email: 'x', password: 5, name: 'y' })
    expect(summary(answer)).toBe('422 invalid_parameter: email, password, name')
    expect(refused(answer)).toMatchObject({ password: '[redacted]' })
    const { token } = await newToken(store, { scopes: ['users:read', 'users:write'] })
    expect(summary(await verify({ email: user.email, password: PASSWORD }, { token }))).toBe('403 insufficient_scope')
  })

  it('accepts an operator, and returns 404 for an unknown store', async () => {
    const body = { email: user.email, password: PASSWORD }
    expect((await admin('POST', `/stores/${store.id}/users/verify_password`, body)).json).toEqual({
      verified: true,
      user,
    })
    expect(summary(await admin('POST', '/stores/no-such-store/users/verify_password', body))).toBe('404 not_found')
  })

  it('costs one round trip and writes nothing', async () => {
    await useToken(store)
    const cost = await measure((bindings) => verify({ email: user.email, password: PASSWORD }, { bindings }))
    expect(cost).toMatchObject({ outcome: '200', trips: 1, written: 0 })
  })

  it('logs neither the email nor the password', async () => {
    const lines = await recordConsole(() => verify({ email: user.email, password: PASSWORD }))
    expect(lines.join('\n')).not.toContain(user.email)
    expect(lines.join('\n')).not.toContain(PASSWORD)
  })
})

describe('POST /v1/stores/{store_id}/users/verify_password: quota', () => {
  it('returns 429 with Retry-After after ten attempts for an email, even for the right password', async () => {
    const { passed, answer } = await sendUntilRefused(async () => {
      const email = newEmail()
      await createV1(store, v1User({ email, password: PASSWORD }))
      const attempts = [
        { email, password: PASSWORD },
        { email: email.toUpperCase(), password: 'x' },
      ]
      let sent = 0
      return async () => {
        const answer = await verify(attempts[sent++ % 2])
        expect(answer.status).toBeOneOf([200, 429])
        return answer
      }
    })
    expect(passed).toBe(10)
    expect(summary(answer)).toBe('429 rate_limited')
    expect(answer.headers.get('Retry-After')).toBe('60')
    expect(answer.headers.get('RateLimit-Policy')).toBe('"verify_password";q=10;w=60')
    expect((await verify({ email: newEmail(), password: PASSWORD })).status).toBe(200)
  })

  it('counts by store and email for all callers together, under a key that does not reveal the email', async () => {
    const { counts, VERIFY_LIMITER } = counting(1000)
    const bindings = { VERIFY_LIMITER }
    const [email, password] = [newEmail(), 'x']
    const { token } = await newToken(store, { scopes: ['passwords:verify'] })
    const other = await newStore()
    await verify({ email, password }, { bindings })
    await verify({ email: email.toUpperCase(), password }, { bindings, token })
    await call('POST', `/admin/stores/${store.id}/users/verify_password`, {
      token: env.ADMIN_TOKEN,
      body: { email, password },
      bindings,
    })
    await call('POST', `/v1/stores/${other.id}/users/verify_password`, {
      token: other.token,
      body: { email, password },
      bindings,
    })
    await verify({ email: newEmail(), password }, { bindings })
    expect([...counts.values()]).toEqual([3, 1, 1])
    for (const key of counts.keys()) expect(key).toMatch(/^registrar:[A-Za-z0-9_-]{43}$/)
  })

  it('returns 429 when a token has used its quota, for all emails together, before anything is hashed', async () => {
    const { counts, VERIFY_LIMITER: TOKEN_VERIFY_LIMITER } = counting(2)
    const { token } = await newToken(store, { scopes: ['passwords:verify'] })
    const bindings = { TOKEN_VERIFY_LIMITER }
    for (let n = 0; n < 2; n++) {
      expect((await verify({ email: newEmail(), password: PASSWORD }, { token, bindings })).status).toBe(200)
    }
    // Argon2id throws for this cost, so a hash would be a 500.
    const unhashable = { ...bindings, PASSWORD_COST: '1' }
    const answer = await verify({ email: newEmail(), password: PASSWORD }, { token, bindings: unhashable })
    expect(summary(answer)).toBe('429 rate_limited')
    expect(answer.headers.get('Retry-After')).toBe('60')
    expect(answer.headers.get('RateLimit-Policy')).toBe('"verify_password_token";q=60;w=60')
    const [key] = counts.keys()
    expect([counts.size, key]).toEqual([1, expect.stringMatching(/^registrar:\d+$/)])
    expect((await verify({ email: newEmail(), password: PASSWORD }, { bindings })).status).toBe(200)
  })

  it('is counted by store, too', async () => {
    const { counts, VERIFY_LIMITER: STORE_VERIFY_LIMITER } = counting(1)
    const { token } = await newToken(store, { scopes: ['passwords:verify'] })
    const bindings = { STORE_VERIFY_LIMITER }
    expect((await verify({ email: newEmail(), password: 'x' }, { bindings })).status).toBe(200)
    const answer = await verify({ email: newEmail(), password: 'x' }, { token, bindings })
    expect(summary(answer)).toBe('429 rate_limited')
    expect(answer.headers.get('RateLimit-Policy')).toBe('"verify_password_store";q=120;w=60')
    expect([...counts.keys()]).toEqual([`registrar:${await storeNumber(store)}`])
  })

  it('is not used up by creates, whose passwords have quotas of their own, nor uses up theirs', async () => {
    const exhausted = counting(0).VERIFY_LIMITER
    const passwords = { PASSWORD_LIMITER: exhausted, STORE_PASSWORD_LIMITER: exhausted }
    const body = { email: user.email, password: PASSWORD }
    expect((await verify(body, { bindings: passwords })).json.verified).toBe(true)
    const attempts = { VERIFY_LIMITER: exhausted, TOKEN_VERIFY_LIMITER: exhausted, STORE_VERIFY_LIMITER: exhausted }
    const created = await createV1(store, v1User({ password: PASSWORD }), { bindings: attempts })
    expect(summary(created)).toBe('201')
  })

  it('of an operator and of the root is counted by operator, and not by store', async () => {
    const { counts, VERIFY_LIMITER: TOKEN_VERIFY_LIMITER } = counting(1000)
    const bindings = { TOKEN_VERIFY_LIMITER, STORE_VERIFY_LIMITER: counting(0).VERIFY_LIMITER }
    const path = `/admin/stores/${store.id}/users/verify_password`
    const { id, token } = await newOperator('admin')
    for (const caller of [env.ADMIN_TOKEN, token, token]) {
      const body = { email: newEmail(), password: 'x' }
      expect((await call('POST', path, { token: caller, body, bindings })).status).toBe(200)
    }
    const key = 'registrar:'
    expect([...counts]).toEqual([
      [`${key}0`, 1],
      [`${key}${id}`, 2],
    ])
  })

  it('does not use up the quota of a token on an email that is blocked already', async () => {
    const { counts, VERIFY_LIMITER: TOKEN_VERIFY_LIMITER } = counting(60)
    const { VERIFY_LIMITER } = counting(1)
    const email = newEmail()
    const answers = []
    for (let n = 0; n < 3; n++) {
      answers.push(await verify({ email, password: 'x' }, { bindings: { TOKEN_VERIFY_LIMITER, VERIFY_LIMITER } }))
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 429, 429])
    expect([...counts.values()]).toEqual([1])
  })

  it('does not count requests that are rejected earlier, and writes nothing', async () => {
    const { counts, VERIFY_LIMITER } = counting(1000)
    const bindings = { VERIFY_LIMITER, TOKEN_VERIFY_LIMITER: VERIFY_LIMITER, STORE_VERIFY_LIMITER: VERIFY_LIMITER }
    const { token } = await newToken(store, { scopes: ['users:read'] })
    const { token: revoked } = await newToken(store, { scopes: ['passwords:verify'] })
    await revokeToken({ ...store, token: revoked })
    await verify({ email: user.email, password: '' }, { bindings })
    await verify({ email: user.email, password: 'x' }, { bindings, token })
    await verify({ email: user.email, password: 'x' }, { bindings, token: revoked })
    expect(counts.size).toBe(0)
    await verify({ email: user.email, password: 'x' }, { bindings })
    expect([...counts.values()]).toEqual([1, 1, 1])
    expect((await usersOf(store)).find(({ email }) => email === user.email).updated_at).toBe(
      Date.parse(user.updated_at),
    )
  })
})

describe('Eight parallel calls of verify_password', () => {
  it('let updates of another store through between two hashes', async () => {
    const victim = await newStore()
    const { id } = await newAccess(victim)
    // One environment, as an instance has it. At its real cost, a hash takes longer than an update.
    const environment = { ...env, ...WITHOUT_QUOTA, PASSWORD_COST: undefined }
    const send = async (method: string, path: string, token: string, body: object) => {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
      const request = new Request<unknown, IncomingRequestCfProperties>(BASE + path, {
        method,
        headers,
        body: JSON.stringify(body),
      })
      return (await worker.fetch(request, environment, createExecutionContext())).status
    }
    const verifyPath = `/v1/stores/${store.id}/users/verify_password`
    const verifications = Array.from({ length: 8 }, () =>
      send('POST', verifyPath, store.token, { email: newEmail(), password: PASSWORD }),
    )
    const progress = { isHashing: true }
    const hashed = Promise.all(verifications).finally(() => (progress.isHashing = false))
    let updates = 0
    for (; progress.isHashing; updates++) {
      const status = updates % 2 ? 'with_access' : 'without_access'
      expect(await send('PUT', `/v1/stores/${victim.id}/product_accesses/${id}`, victim.token, { status })).toBe(201)
      // D1 is in the same process here: without a pause, its responses keep workerd from looking at any timer.
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    expect(new Set(await hashed)).toEqual(new Set([200]))
    // An update and its round trip need one or two pauses, and there are seven. Without pauses, it is one or two updates.
    expect(updates).toBeGreaterThan(3)
  })
})
