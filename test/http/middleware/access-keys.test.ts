import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { assertionOf, newKey, newTeam, sendAssertion, type SigningKey, type Team } from '../../support/access.ts'
import type { Answer } from '../../support/openapi.ts'
import { newEmail, summary } from '../../support/api.ts'
import { recordLog } from '../../support/console.ts'
import { newOperator } from '../../support/operators.ts'

const email = newEmail()
let key: SigningKey

beforeAll(async () => {
  key = await newKey()
  await newOperator('admin', { email })
})

afterEach(() => {
  vi.useRealTimers()
})

describe('The keys', () => {
  const valid = async (of: Team, by: SigningKey) =>
    summary(await sendAssertion(of, await of.sign(by, of.claims(email))))

  it('are fetched once an hour, also for many requests at the same time', async () => {
    const own = newTeam()
    await own.publish(key)
    const now = Date.now()
    vi.useFakeTimers({ now, toFake: ['Date'] })
    expect(await Promise.all(Array.from({ length: 5 }, () => valid(own, key)))).toEqual(Array(5).fill('200'))
    vi.setSystemTime(now + 3_599_000)
    expect([await valid(own, key), await own.fetches()]).toEqual(['200', 1])
    await own.publish(await newKey('ES256'))
    vi.setSystemTime(now + 3_600_000)
    expect([await valid(own, key), await own.fetches()]).toEqual(['401 invalid_token', 2])
  })

  it('are fetched again for an unknown key id, at most once a minute', async () => {
    const [own, next] = [newTeam(), await newKey()]
    await own.publish(key)
    const now = Date.now()
    vi.useFakeTimers({ now, toFake: ['Date'] })
    expect([await valid(own, next), await valid(own, key), await own.fetches()]).toEqual([
      '401 invalid_token',
      '200',
      1,
    ])
    await own.publish(key, next)
    vi.setSystemTime(now + 59_000)
    expect([await valid(own, next), await own.fetches()]).toEqual(['401 invalid_token', 1])
    vi.setSystemTime(now + 60_000)
    expect(await Promise.all([valid(own, next), valid(own, next)])).toEqual(['200', '200'])
    expect([await valid(own, key), await own.fetches()]).toEqual(['200', 2])
    vi.setSystemTime(now + 90_000)
    for (let n = 0; n < 3; n++) await valid(own, await newKey('ES256'))
    expect(await own.fetches()).toBe(2)
  })

  it.each<[string, any]>([
    ['an error', 500],
    ['a redirect', 302],
    ['a cut connection', 'cut'],
    ['no set of keys', { json: { keys: 'none' } }],
    ['null', { json: null }],
    ['an empty set', { json: { keys: [] } }],
    ['a set without key ids', { json: { keys: [{ kty: 'RSA' }] } }],
  ])('are 503 with %s instead, unless the key id is kept', async (_, reply) => {
    const [own, next] = [newTeam(), await newKey('ES256')]
    await own.respond(reply)
    const answers: Answer[] = []
    const assertion = await own.sign(key, own.claims(email))
    const [line] = await recordLog(async () => answers.push(await sendAssertion(own, assertion)))
    expect(answers.map(summary)).toEqual(['503 service_unavailable'])
    expect(answers[0]?.headers.get('Retry-After')).toMatch(/^\d+$/)
    expect(line.failure).toBe('access_keys_unavailable')
    await own.publish(key)
    const now = Date.now() + 5000
    vi.useFakeTimers({ now, toFake: ['Date'] })
    expect(await valid(own, key)).toBe('200')
    await own.respond(reply)
    vi.setSystemTime(now + 120_000)
    const fetches = await own.fetches()
    expect([await valid(own, next), await valid(own, next)]).toEqual(Array(2).fill('503 service_unavailable'))
    expect(await valid(own, key)).toBe('200')
    expect(await own.fetches()).toBe(fetches + 1)
    vi.setSystemTime(now + 3_600_000)
    expect(await valid(own, key)).toBe('503 service_unavailable')
  })

  it('are not fetched again for five seconds after a failure, whatever arrives meanwhile', async () => {
    const own = newTeam()
    await own.respond(500)
    const now = Date.now()
    vi.useFakeTimers({ now, toFake: ['Date'] })
    const forge = async () => valid(own, await newKey('ES256'))
    expect(await Promise.all([forge(), valid(own, key)])).toEqual(Array(2).fill('503 service_unavailable'))
    await own.publish(key)
    vi.setSystemTime(now + 4999)
    expect([await forge(), await valid(own, key), await own.fetches()]).toEqual([
      ...Array<string>(2).fill('503 service_unavailable'),
      1,
    ])
    vi.setSystemTime(now + 5000)
    expect([await valid(own, key), await own.fetches()]).toEqual(['200', 2])
  })

  it('are not fetched for what can never be valid', async () => {
    const own = newTeam()
    const claims = own.claims(email)
    for (const header of [{ alg: 'HS256', kid: 'a' }, { alg: 'RS256' }, { kid: 'a' }]) {
      expect(summary(await sendAssertion(own, await assertionOf(header, claims)))).toBe('401 invalid_token')
    }
    expect(await own.fetches()).toBe(0)
  })

  it('of one team are not those of another', async () => {
    const own = newTeam()
    await own.publish(await newKey())
    expect(await valid(own, key)).toBe('401 invalid_token')
  })
})
