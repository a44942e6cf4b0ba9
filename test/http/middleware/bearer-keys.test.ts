import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../../support/openapi.ts'
import { call, createV1, createV3, newStore, newToken, summary, v1User, v3User } from '../../support/api.ts'
import { newSecret, writeToken } from '../../../src/auth/token-format.ts'
import { recordLog } from '../../support/console.ts'
import { faultyD1 } from '../../support/faults.ts'
import { newOperator } from '../../support/operators.ts'

const OTHER_KEY = 'another-key-of-32-characters-for-the-tests'

/** Returns the response and the reason for the failure in the log. */
async function logged(send: () => Promise<Answer>): Promise<{ answer: Answer; failure: unknown }> {
  const answers: Answer[] = []
  const [line] = await recordLog(async () => answers.push(await send()))
  const [answer] = answers
  if (!answer) throw new Error('no answer')
  return { answer, failure: line.failure }
}

describe.each([undefined, '', 'x'.repeat(31)])('TOKEN_KEY %j, which is missing or too short', (TOKEN_KEY) => {
  const bindings = { TOKEN_KEY }
  const root = (method: string, path: string, body?: object) =>
    call(method, path, { token: env.ADMIN_TOKEN, bindings, ...(body && { body }) })

  it('returns 503 to every token with our prefix, valid or not, and logs the reason', async () => {
    const [store, operator] = [await newStore(), await newOperator('admin')]
    const sends = [
      () => createV1(store, v1User(), { bindings }),
      () => createV1({ ...store, token: 'rgs_forged' }, v1User(), { bindings }),
      () => createV3(store, v3User(), { bindings }),
      () => call('GET', '/admin/stores', { token: operator.token, bindings }),
      () => call('GET', '/admin/stores', { token: 'rgo_forged', bindings }),
      () => call('GET', '/admin/stores', { token: store.token, bindings }),
    ]
    for (const send of sends) {
      const { answer, failure } = await logged(send)
      expect(summary(answer)).toBe('503 service_unavailable')
      expect(answer.headers.get('Retry-After')).toMatch(/^\d+$/)
      expect(failure).toBe('token_key_missing_or_too_short')
    }
  })

  it('returns 503 when the root creates or rotates tokens and operators', async () => {
    const store = await newStore()
    const { id } = await newToken(store)
    const sends = [
      () => root('POST', `/admin/stores/${store.id}/tokens`, { name: 'T' }),
      () => root('POST', `/admin/stores/${store.id}/tokens/${id}/rotate`),
      () => root('POST', '/admin/operators', { name: 'O', role: 'viewer' }),
    ]
    for (const send of sends) {
      const { answer, failure } = await logged(send)
      expect(summary(answer)).toBe('503 service_unavailable')
      expect(failure).toBe('token_key_missing_or_too_short')
    }
  })

  it('serves the operations of the root that need no key', async () => {
    const store = await newStore()
    const { id } = await newToken(store)
    const path = `/admin/stores/${store.id}`
    const answers = [
      await root('POST', '/admin/stores', { name: 'S', language: 'EN' }),
      await root('PATCH', path, { name: 'New' }),
      await root('PATCH', `${path}/tokens/${id}`, { name: 'New' }),
      await root('DELETE', `${path}/tokens/${id}`),
      await root('POST', `${path}/tokens/revoke_all`),
      await root('PUT', `${path}/custom_fields/rank`, {}),
      await root('POST', `${path}/users`, v1User()),
      await root('GET', '/admin/operators'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 204, 200, 201, 201, 200])
  })

  it('returns 401 to a token without our prefix', async () => {
    const store = await newStore()
    expect(summary(await createV1({ ...store, token: 'else' }, v1User(), { bindings }))).toBe('401 invalid_token')
  })
})

describe('A token that was made with another key', () => {
  it.each([
    ['is rejected', undefined, '401 invalid_token'],
    ['is accepted when that key is TOKEN_KEY_PREVIOUS', env.TOKEN_KEY, '201'],
    ['is rejected when TOKEN_KEY_PREVIOUS is a third key', `${OTHER_KEY}-still`, '401 invalid_token'],
  ])('%s', async (_, TOKEN_KEY_PREVIOUS, expected) => {
    const store = await newStore()
    const bindings = { TOKEN_KEY: OTHER_KEY, TOKEN_KEY_PREVIOUS }
    expect(summary(await createV1(store, v1User(), { bindings }))).toBe(expected)
  })

  it('is accepted for an operator when that key is TOKEN_KEY_PREVIOUS', async () => {
    const { token } = await newOperator('viewer')
    const bindings = { TOKEN_KEY: OTHER_KEY, TOKEN_KEY_PREVIOUS: env.TOKEN_KEY }
    expect((await call('GET', '/admin/stores', { token, bindings })).status).toBe(200)
  })

  it('gets a secret under TOKEN_KEY when it is rotated', async () => {
    const store = await newStore()
    const { id } = await newToken(store)
    const path = `/admin/stores/${store.id}/tokens/${id}/rotate`
    const bindings = { TOKEN_KEY: OTHER_KEY, TOKEN_KEY_PREVIOUS: env.TOKEN_KEY }
    const { json } = await call('POST', path, { token: env.ADMIN_TOKEN, bindings })
    const alone = { bindings: { TOKEN_KEY: OTHER_KEY } }
    expect((await createV1({ ...store, token: json.token }, v1User(), alone)).status).toBe(201)
  })

  it('is rejected when TOKEN_KEY_PREVIOUS has fewer than 32 characters, because no token was ever made with such a key', async () => {
    const short = 'x'.repeat(31)
    const { id: store_id } = await newStore()
    const token = writeToken(short, 2 ** 32 + 2, newSecret().bits)
    const { DB, roundTrips } = faultyD1(env.DB)
    const bindings = { DB, TOKEN_KEY_PREVIOUS: short }
    expect(summary(await createV1({ id: store_id, token }, v1User(), { bindings }))).toBe('401 invalid_token')
    expect(roundTrips()).toBe(0)
  })
})
