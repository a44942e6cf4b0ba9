import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import {
  assertionOf,
  hmacKey,
  newKey,
  newTeam,
  sendAssertion,
  type SignedOptions,
  type SigningKey,
  type Team,
} from '../../support/access.ts'
import type { Answer } from '../../support/openapi.ts'
import { admin, newEmail, newStore, onFreshInstance, summary, v1User } from '../../support/api.ts'
import { recordLog } from '../../support/console.ts'
import { faultyD1, loses } from '../../support/faults.ts'
import { newOperator, type Operator } from '../../support/operators.ts'

const CHALLENGE = 'Bearer realm="registrar", error="invalid_token"'

let team: Team
let key: SigningKey
let email: string
let operator: Operator

beforeAll(async () => {
  team = newTeam()
  key = await newKey()
  await team.publish(key)
  email = newEmail()
  operator = await newOperator('admin', { email })
})

/** Sends an assertion of the team. */
const send = (assertion: string, options: SignedOptions = {}) => sendAssertion(team, assertion, options)

const signed = (claims: object = {}, header: object = {}) => team.sign(key, team.claims(email, claims), header)
const seconds = (offset: number) => Math.floor(Date.now() / 1000) + offset

/** Returns the response and what the log says about its cause. */
async function rejected(assertion: string): Promise<unknown[]> {
  const answers: Answer[] = []
  const [line] = await recordLog(async () => answers.push(await send(assertion)))
  expect(answers[0]?.headers.get('WWW-Authenticate')).toBe(CHALLENGE)
  expect(line).not.toHaveProperty('operator_id')
  expect(JSON.stringify(line)).not.toContain(assertion)
  return [summary(answers[0] ?? { status: 0, json: {} }), line.failure]
}

describe('An assertion of Cloudflare Access', () => {
  it('authenticates the operator who has its email, in any letter case, with one more round trip', async () => {
    for (const claimed of [email, email.toUpperCase()]) {
      const { DB, roundTrips } = faultyD1(env.DB)
      const answer = await send(await team.sign(key, team.claims(claimed)), { bindings: { DB } })
      expect(answer.json).toEqual({ id: operator.id, name: operator.name, role: 'admin', email, stores: null })
      expect(roundTrips()).toBe(2)
    }
  })

  it('authenticates changes, whose events name the operator', async () => {
    const store = await newStore()
    const path = `/admin/stores/${store.id}/users`
    const headers = { 'Sec-Fetch-Site': 'same-origin' }
    const answer = await send(await signed(), { method: 'POST', path, body: v1User(), headers })
    expect(summary(answer)).toBe('201')
    const { json } = await admin('GET', `/stores/${store.id}/events?type=user.created`)
    expect(json.data[0].actor).toMatchObject({ type: 'operator', id: operator.id })
  })

  it('is accepted with ES256, and with one audience as a string', async () => {
    const [other, elliptic] = [newTeam(), await newKey('ES256')]
    await other.publish(key, elliptic)
    const claims = { aud: other.bindings.ACCESS_AUD }
    const assertion = await other.sign(elliptic, other.claims(email, claims))
    expect(summary(await sendAssertion(other, assertion))).toBe('200')
  })

  it.each<[string, () => Promise<string>, string]>([
    ['no algorithm', () => assertionOf({ alg: 'none', kid: key.id }, team.claims(email)), 'assertion_algorithm'],
    [
      'HS256 and the public key as the secret',
      async () => {
        const secret = await hmacKey(new TextEncoder().encode(JSON.stringify(key.published)))
        return assertionOf({ alg: 'HS256', kid: key.id, typ: 'JWT' }, team.claims(email), secret)
      },
      'assertion_algorithm',
    ],
    ['an algorithm that is not allowed', () => signed({}, { alg: 'RS512' }), 'assertion_algorithm'],
    [
      'an algorithm that is not the one of the key',
      () => signed({}, { alg: 'ES256' }),
      'assertion_JwtAlgorithmMismatch',
    ],
    ['no key id', () => signed({}, { kid: undefined }), 'assertion_no_key_id'],
    ['a key id that is not a string', () => signed({}, { kid: 7 }), 'assertion_no_key_id'],
    ['an unknown key id', () => signed({}, { kid: 'unknown' }), 'assertion_unknown_key'],
    [
      'the key id of another key',
      async () => team.sign(await newKey(), team.claims(email), { kid: key.id }),
      'assertion_JwtTokenSignatureMismatched',
    ],
    ['a critical extension', () => signed({}, { crit: ['b64'], b64: false }), 'assertion_JwtHeaderInvalid'],
    ['another issuer', () => signed({ iss: 'https://other.cloudflareaccess.com' }), 'assertion_JwtTokenIssuer'],
    ['no issuer', () => signed({ iss: undefined }), 'assertion_JwtTokenIssuer'],
    [
      'the issuer with a slash',
      () => signed({ iss: `${team.bindings.ACCESS_TEAM_DOMAIN}/` }),
      'assertion_JwtTokenIssuer',
    ],
    ['another audience', () => signed({ aud: ['other'] }), 'assertion_JwtTokenAudience'],
    ['no audience', () => signed({ aud: undefined }), 'assertion_JwtPayloadRequiresAud'],
    ['an empty list of audiences', () => signed({ aud: [] }), 'assertion_JwtTokenAudience'],
    ['an end that has passed', () => signed({ exp: seconds(-1) }), 'assertion_JwtTokenExpired'],
    ['no end', () => signed({ exp: undefined }), 'assertion_no_expiry'],
    ['an end that is null', () => signed({ exp: null }), 'assertion_JwtTokenExpired'],
    ['an end that is a string', () => signed({ exp: String(seconds(600)) }), 'assertion_JwtTokenExpired'],
    ['a beginning in the future', () => signed({ nbf: seconds(60) }), 'assertion_JwtTokenNotBefore'],
    ['no email, as for a service token', () => signed({ email: undefined, common_name: 'x' }), 'assertion_no_email'],
    ['an email that is not one', () => signed({ email: 'ada' }), 'assertion_no_email'],
    ['a list as the email', async () => signed({ email: [email] }), 'assertion_no_email'],
    ['a payload that is null', () => team.sign(key, null), 'assertion_TypeError'],
    [
      'a header that is null',
      async () => `bnVsbA.${(await signed()).split('.').slice(1).join('.')}`,
      'assertion_algorithm',
    ],
    ['no dots', async () => 'without-dots', 'assertion_malformed'],
    ['a header twice', async () => `${await signed()}, ${await signed()}`, 'assertion_malformed'],
    [
      'no signature',
      async () => `${(await signed()).split('.').slice(0, 2).join('.')}.`,
      'assertion_JwtTokenSignatureMismatched',
    ],
    [
      'a payload that was changed',
      async () => {
        const [header, , signature] = (await signed()).split('.')
        const [, payload] = (await assertionOf({}, team.claims(newEmail()))).split('.')
        return [header, payload, signature].join('.')
      },
      'assertion_JwtTokenSignatureMismatched',
    ],
  ])('is 401 with %s, and the log has the failed check', async (_, make, failure) => {
    expect(await rejected(await make())).toEqual(['401 invalid_token', failure])
  })

  it('is 401 for the email of no operator, of a revoked one, and of a removed email', async () => {
    const [revoked, changed] = [newEmail(), newEmail()]
    await admin('DELETE', `/operators/${(await newOperator('admin', { email: revoked })).id}`)
    await admin('PATCH', `/operators/${(await newOperator('admin', { email: changed })).id}`, { email: null })
    for (const none of [newEmail(), revoked, changed]) {
      const { DB, roundTrips } = faultyD1(env.DB)
      const answer = await send(await team.sign(key, team.claims(none)), { bindings: { DB } })
      expect([summary(answer), answer.headers.get('WWW-Authenticate')]).toEqual(['401 invalid_token', CHALLENGE])
      expect(roundTrips()).toBe(1)
    }
  })

  it('has the role and the stores of the operator', async () => {
    const [store, other] = [await newStore(), await newStore()]
    const limited = newEmail()
    await newOperator('viewer', { email: limited, stores: [store.id] })
    const assertion = await team.sign(key, team.claims(limited))
    const read = (id: string) => send(assertion, { path: `/admin/stores/${id}` }).then(summary)
    expect([await read(store.id), await read(other.id)]).toEqual(['200', '404 not_found'])
    const change = await send(assertion, { method: 'PATCH', path: `/admin/stores/${store.id}`, body: {} })
    expect(summary(change)).toBe('403 insufficient_scope')
  })

  it('is not used next to an Authorization header, outside /admin, or without both settings', async () => {
    const assertion = await signed()
    expect(summary(await send(assertion, { token: 'x' }))).toBe('401 invalid_token')
    expect(summary(await send(assertion, { headers: { Authorization: 'Basic eDp5' } }))).toBe('401 missing_token')
    expect((await send('forged', { token: operator.token })).json.id).toBe(operator.id)
    expect(summary(await send(assertion, { path: '/v1/token' }))).toBe('401 missing_token')
    for (const name of ['ACCESS_TEAM_DOMAIN', 'ACCESS_AUD']) {
      for (const unset of ['', undefined]) {
        const answer = await send(assertion, { bindings: { [name]: unset } })
        expect([summary(answer), answer.headers.get('WWW-Authenticate')]).toEqual([
          '401 missing_token',
          'Bearer realm="registrar"',
        ])
      }
    }
  })

  it('works without TOKEN_KEY, and does not open /admin without ADMIN_TOKEN', async () => {
    const assertion = await signed()
    expect(summary(await send(assertion, { bindings: { TOKEN_KEY: undefined } }))).toBe('200')
    expect(summary(await send(assertion, { bindings: { ADMIN_TOKEN: undefined } }))).toBe('404 route_not_found')
  })

  it('has https:// and the domain as its issuer, which publishes the keys', async () => {
    const domain = `${crypto.randomUUID()}.cloudflareaccess.com`
    const asked: string[] = []
    vi.spyOn(globalThis, 'fetch').mockImplementation((url) => {
      asked.push(new Request(url).url)
      return Promise.resolve(Response.json({ keys: [key.published] }))
    })
    const behind = { bindings: { ACCESS_TEAM_DOMAIN: domain } }
    const outcomes: string[] = []
    for (const iss of [`https://${domain}`, domain, `http://${domain}`]) {
      const assertion = await team.sign(key, team.claims(email, { iss }))
      outcomes.push(summary(await send(assertion, behind)))
    }
    vi.restoreAllMocks()
    expect(outcomes).toEqual(['200', '401 invalid_token', '401 invalid_token'])
    expect(asked).toEqual([`https://${domain}/cdn-cgi/access/certs`])
  })

  it('may have been issued by a clock that is ahead, for several audiences, without a beginning', async () => {
    const now = Math.floor(Date.now() / 1000)
    const aud = ['another', team.bindings.ACCESS_AUD]
    const assertion = await team.sign(key, team.claims(email, { iat: now + 60, nbf: undefined, aud }))
    expect(summary(await send(assertion))).toBe('200')
  })

  it('is rejected in production if the domain is a plain URL, because its keys could be forged', async () => {
    const assertion = await signed()
    const production = { bindings: { ENVIRONMENT: 'production' }, origin: 'https://registrar.test' }
    const before = await team.fetches()
    expect(summary(await onFreshInstance(() => send(assertion, production)))).toBe('503 service_unavailable')
    expect(await team.fetches()).toBe(before)
  })
})

describe('A change that a browser sends with an assertion', () => {
  const change = { method: 'PATCH', path: '/admin/stores/no-such-store', body: {} }

  it.each(['cross-site', 'same-site', 'none', 'same-origin, cross-site', ''])('is 403 from %j', async (site) => {
    const { DB, roundTrips } = faultyD1(env.DB)
    const headers = { 'Sec-Fetch-Site': site }
    const answer = await send(await signed(), { ...change, headers, bindings: { DB } })
    expect([summary(answer), answer.headers.has('WWW-Authenticate')]).toEqual(['403 cross_site', false])
    expect(roundTrips()).toBe(0)
  })

  it.each(['https://evil.example', 'http://registrar.test', 'https://registrar.test:444', 'null', ''])(
    'is 403 with the Origin %j, with or without Sec-Fetch-Site',
    async (Origin) => {
      for (const site of [{}, { 'Sec-Fetch-Site': 'same-origin' }]) {
        const headers = { Origin, ...site }
        const answer = await send(await signed(), { ...change, headers, origin: 'https://registrar.test' })
        expect(summary(answer)).toBe('403 cross_site')
      }
    },
  )

  it('is accepted with its own Origin, and a read with any', async () => {
    const at = { origin: 'https://registrar.test:8443' }
    const own = { headers: { Origin: 'https://registrar.test:8443' }, ...at }
    expect(summary(await send(await signed(), { ...change, ...own }))).toBe('404 not_found')
    const other = { headers: { Origin: 'https://evil.example' }, ...at }
    expect(summary(await send(await signed(), other))).toBe('200')
  })

  it('is accepted from the same origin, and from a client that is not a browser', async () => {
    const sameOrigin = { headers: { 'Sec-Fetch-Site': 'same-origin' } }
    for (const options of [sameOrigin, {}]) {
      expect(summary(await send(await signed(), { ...change, ...options }))).toBe('404 not_found')
    }
  })

  it('may be a GET or a HEAD from anywhere, or have a token', async () => {
    const headers = { 'Sec-Fetch-Site': 'cross-site' }
    for (const method of ['GET', 'HEAD']) expect((await send(await signed(), { method, headers })).status).toBe(200)
    const answer = await send(await signed(), { ...change, headers, token: operator.token })
    expect(summary(answer)).toBe('404 not_found')
  })
})

describe('The order of checks', () => {
  it('is route, assertion, quota, media type, size, operator, role', async () => {
    const spent = { TOKEN_LIMITER: { limit: () => Promise.resolve({ success: false }) } }
    const nobody = await team.sign(key, team.claims(newEmail()))
    const post = { method: 'POST', path: '/admin/operators', body: 'x', headers: { 'Content-Type': 'text/plain' } }
    expect(summary(await send('forged', { ...post, path: '/admin/none' }))).toBe('404 route_not_found')
    expect(summary(await send('forged', { ...post, bindings: spent }))).toBe('401 invalid_token')
    expect(summary(await send(nobody, { ...post, bindings: spent }))).toBe('429 rate_limited')
    expect(summary(await send(nobody, post))).toBe('415 unsupported_media_type')
    const large = { ...post, headers: {}, body: 'x'.repeat(65_537) }
    const json = { 'Content-Type': 'application/json' }
    expect(summary(await send(nobody, { ...large, headers: json }))).toBe('413 payload_too_large')
    expect(summary(await send(nobody, { ...post, headers: json, body: '{' }))).toBe('401 invalid_token')
    expect(summary(await send(await signed(), { ...post, headers: json, body: '{' }))).toBe('403 insufficient_scope')
  })
})

describe('The quota of an operator who signs on', () => {
  it('is counted by email, of which the limiter sees neither text nor letter case', async () => {
    const keys: string[] = []
    const TOKEN_LIMITER = { limit: async ({ key: counted }: any) => ({ success: keys.push(counted) > 0 }) }
    for (const claimed of [email, email.toUpperCase(), newEmail()]) {
      await send(await team.sign(key, team.claims(claimed)), { bindings: { TOKEN_LIMITER } })
    }
    await send('forged', { bindings: { TOKEN_LIMITER } })
    expect(keys).toHaveLength(3)
    expect(new Set(keys).size).toBe(2)
    expect(keys[0]).toMatch(/^registrar:[\w-]{43}$/)
  })
})

describe('The database', () => {
  it('is 503 if it is down, never 401', async () => {
    const { DB } = faultyD1(env.DB, loses('before'))
    expect(summary(await send(await signed(), { bindings: { DB } }))).toBe('503 service_unavailable')
  })
})
