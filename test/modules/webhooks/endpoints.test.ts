import { evictDurableObject } from 'cloudflare:test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { env } from 'cloudflare:workers'
import type { Answer } from '../../support/openapi.ts'
import { admin as asOperator, call, ID, newStore, newToken, refused, summary, TIMESTAMP } from '../../support/api.ts'
import { faultyD1, faultyObjects, losesAnswer } from '../../support/faults.ts'
import { inStore } from '../../support/places.ts'
import { newOperator } from '../../support/operators.ts'
import { eventsOf, idIn, insertEvents, numberOf, rowsOf, storeNumber, type TestStore } from '../../support/rows.ts'
import { EVENT_TYPES } from '../../../src/change/event-types.ts'
import {
  arrived,
  change,
  healthOf,
  inObject,
  newHook,
  objectOf,
  onHook,
  verified,
  work,
} from '../../support/webhooks.ts'

const URL_OF_HOOK = 'https://crm.example.com/registrar?tenant=7'

let store: TestStore

/** A store may have 16 endpoints. */
const MAX = 16

/** Sends as the operator and wakes no object, because these receivers do not exist. */
function admin(method: string, path: string, body?: unknown, bindings: object = {}): Promise<Answer> {
  return asOperator(method, path, body, { ...faultyObjects(env, () => 'lost').bindings, ...bindings })
}

beforeEach(async () => {
  store = await newStore()
})

const pathOf = ({ id }: TestStore) => `/stores/${id}/webhook_endpoints`

/** Its URL is its own unless `fields` has one. */
async function newEndpoint(owner: TestStore, fields: object = {}): Promise<any> {
  return (await admin('POST', pathOf(owner), { url: `${URL_OF_HOOK}?${crypto.randomUUID()}`, ...fields })).json
}

describe('POST /admin/stores/{store_id}/webhook_endpoints', () => {
  it('returns 201 with the secret, for all types', async () => {
    const { status, json } = await admin('POST', pathOf(store), { url: URL_OF_HOOK })
    expect(status).toBe(201)
    expect(json).toEqual({
      id: expect.stringMatching(ID),
      url: URL_OF_HOOK,
      types: null,
      enabled: true,
      state: 'ok',
      created_at: expect.stringMatching(TIMESTAMP),
      failing_since: null,
      disabled_at: null,
      next_attempt_at: null,
      last_status: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]+=*$/),
    })
  })

  it('creates a different secret of 24 to 64 bytes each time', async () => {
    const secrets = [await newEndpoint(store), await newEndpoint(store)].map(({ secret }): string => secret)
    for (const secret of secrets) {
      const { byteLength } = Buffer.from(secret.replace('whsec_', ''), 'base64')
      expect(byteLength).toBeGreaterThanOrEqual(24)
      expect(byteLength).toBeLessThanOrEqual(64)
    }
    expect(new Set(secrets).size).toBe(2)
  })

  it('keeps the URL as it was sent and the types in their order', async () => {
    const url = `HTTPS://CRM.Example.com:443/a/../b?x=ä#${'x'.repeat(100)}`
    const types = ['webhook_endpoint.disabled', 'user.created']
    const { id } = await newEndpoint(store, { url, types })
    expect((await admin('GET', `${pathOf(store)}/${id}`)).json).toMatchObject({ url, types })
  })

  it('treats null types as omitted', async () => {
    const [first, second] = [await newEndpoint(store, { types: null }), await newEndpoint(store)]
    expect([first.types, second.types]).toEqual([null, null])
    expect(first.id).not.toBe(second.id)
  })

  it('returns 422 already_exists for the URL of another endpoint of the store, disabled ones included', async () => {
    const owner = await newStore()
    const { id } = await newEndpoint(owner, { url: URL_OF_HOOK })
    await rowsOf('update webhook_endpoints set disabled_at = 1 where id = ?', await idIn(owner, id))
    const answer = await admin('POST', pathOf(owner), { url: URL_OF_HOOK, types: ['user.created'] })
    expect(summary(answer)).toBe('422 already_exists: url')
    expect(refused(answer)).toEqual({ url: URL_OF_HOOK })
    expect((await newEndpoint(await newStore(), { url: URL_OF_HOOK })).url).toBe(URL_OF_HOOK)
    expect((await newEndpoint(owner, { url: `${URL_OF_HOOK}/` })).url).toBe(`${URL_OF_HOOK}/`)
    await admin('DELETE', `${pathOf(owner)}/${id}`)
    expect((await newEndpoint(owner, { url: URL_OF_HOOK })).url).toBe(URL_OF_HOOK)
  })

  it('creates one endpoint when creates with one URL run concurrently', async () => {
    const owner = await newStore()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => admin('POST', pathOf(owner), { url: URL_OF_HOOK })),
    )
    expect(answers.map(summary).toSorted()).toEqual(['201', ...Array<string>(9).fill('422 already_exists: url')])
    expect((await admin('GET', pathOf(owner))).json.data).toHaveLength(1)
  })

  it('returns 422 already_exists before limit_reached', async () => {
    const owner = await newStore()
    for (let n = 0; n < 16; n++) await newEndpoint(owner, { url: `${URL_OF_HOOK}?${n}` })
    expect(summary(await admin('POST', pathOf(owner), { url: `${URL_OF_HOOK}?3` }))).toBe('422 already_exists: url')
    expect(summary(await admin('POST', pathOf(owner), { url: `${URL_OF_HOOK}?16` }))).toBe('422 limit_reached: url')
  })

  it('accepts every event type', async () => {
    const types = [...EVENT_TYPES]
    expect((await newEndpoint(store, { types })).types).toEqual(types)
  })

  it.each([{}, { url: null }, { types: [] }])('returns 400 missing_parameter for %j', async (body) => {
    expect(summary(await admin('POST', pathOf(store), body))).toBe('400 missing_parameter: url')
  })

  it.each<[string, unknown, string, string]>([
    ['url', '', 'url', ''],
    ['url', 5, 'url', '5'],
    ['url', ['https://crm.example.com'], 'url', '["https://crm.example.com"]'],
    ['url', 'https://crm.example.com/\0', 'url', 'https://crm.example.com/\0'],
    ['secret', 'whsec_x', 'secret', 'whsec_x'],
    ['url', 'https://[fd00::1]/', 'url', 'https://[fd00::1]/'],
    ['types', [], 'types', '[]'],
    ['types', 'user.created', 'types', 'user.created'],
    ['types', {}, 'types', '{}'],
    ['types', ['user.created', 'user.created'], 'types', '["user.created","user.created"]'],
    ['types', ['user.created', 'user.deleted'], 'types.1', 'user.deleted'],
    ['types', ['*'], 'types.0', '*'],
    ['types', [null], 'types.0', 'null'],
  ])('returns 422 for %s %j', async (sent, value, field, echoed) => {
    const answer = await admin('POST', pathOf(store), { url: URL_OF_HOOK, [sent]: value })
    expect(summary(answer)).toBe(`422 invalid_parameter: ${field}`)
    expect(refused(answer)).toEqual({ [field]: echoed })
  })

  it.each([
    [' https://crm.example.com/', 'must have no blanks around it, and no line breaks in it'],
    ['crm.example.com', 'must be a URL'],
    ['https://a:b@crm.example.com/', 'must not hold a user name or password'],
    ['http://crm.example.com/', 'must be an https URL'],
    ['https://10.0.0.1/', 'must name a public host'],
  ])('explains what is wrong with %j', async (url, explanation) => {
    const answer = await admin('POST', pathOf(store), { url })
    expect(answer.json.details).toEqual([{ field: 'url', value: url, explanation }])
  })

  it('accepts a URL of 2048 characters and returns 422 for one more', async () => {
    const url = `https://crm.example.com/${'x'.repeat(2024)}`
    expect((await newEndpoint(store, { url })).url).toBe(url)
    const answer = await admin('POST', pathOf(store), { url: `${url}x` })
    expect(summary(answer)).toBe('422 invalid_parameter: url')
    expect(refused(answer)).toEqual({ url: url.slice(0, 256) })
  })

  it('lists invalid fields in the order of the documented table', async () => {
    const answer = await admin('POST', pathOf(store), { types: 1, url: 'http://10.0.0.1' })
    expect(summary(answer)).toBe('422 invalid_parameter: url, types')
  })

  it.each([
    ['development', '201'],
    ['test', '201'],
    ['production', '422 invalid_parameter: url'],
    ['staging', '422 invalid_parameter: url'],
    ['', '422 invalid_parameter: url'],
  ])('returns for a loopback URL in the environment %j: %s', async (ENVIRONMENT, outcome) => {
    for (const url of [
      'http://localhost:8080/',
      'http://127.0.0.1:8080/',
      'http://[::1]:8080/',
      'https://localhost/',
    ]) {
      expect(summary(await admin('POST', pathOf(store), { url }, { ENVIRONMENT }))).toBe(outcome)
    }
  })

  it('returns 422 limit_reached for the 17th endpoint of a store, disabled ones included, until one is deleted', async () => {
    const made = []
    for (let i = 0; i < MAX; i++) made.push((await newEndpoint(store)).id)
    await rowsOf('update webhook_endpoints set disabled_at = 1 where id = ?', await idIn(store, made[0]))
    const answer = await admin('POST', pathOf(store), { url: URL_OF_HOOK })
    expect(summary(answer)).toBe('422 limit_reached: url')
    expect(refused(answer)).toEqual({ url: URL_OF_HOOK })
    await admin('DELETE', `${pathOf(store)}/${made[0]}`)
    expect((await admin('POST', pathOf(store), { url: URL_OF_HOOK })).status).toBe(201)
  })

  it('returns 404 for an unknown store, after all errors of the body', async () => {
    expect(summary(await admin('POST', '/stores/none/webhook_endpoints', { url: URL_OF_HOOK }))).toBe('404 not_found')
    expect(summary(await admin('POST', '/stores/none/webhook_endpoints', {}))).toBe('400 missing_parameter: url')
  })
})

describe('GET /admin/stores/{store_id}/webhook_endpoints', () => {
  it('returns pages in the order of the ids, of this store only and without secrets', async () => {
    const [own, other] = [await newStore(), await newStore()]
    await newEndpoint(other)
    const endpoints = []
    for (const types of [null, ['user.created'], null]) endpoints.push(await newEndpoint(own, { types }))
    const first = await admin('GET', `${pathOf(own)}?limit=2`)
    const second = await admin('GET', `${pathOf(own)}?limit=2&after=${first.json.next}`)
    expect(second.json.next).toBeNull()
    for (const endpoint of endpoints) delete endpoint.secret
    expect([...first.json.data, ...second.json.data]).toEqual(endpoints)
    for (const { text } of [first, second]) expect(text).not.toMatch(/secret|whsec_/)
  })

  it('returns 422 for an invalid page', async () => {
    expect(summary(await admin('GET', `${pathOf(store)}?limit=0&after=x`))).toBe('422 invalid_parameter: limit, after')
  })

  it('returns 404 for an unknown store', async () => {
    expect(summary(await admin('GET', '/stores/none/webhook_endpoints'))).toBe('404 not_found')
  })
})

describe('GET /admin/stores/{store_id}/webhook_endpoints/{id}', () => {
  it('returns the endpoint without the secret', async () => {
    const { secret: _, ...endpoint } = await newEndpoint(store, { types: ['user.created'] })
    const { status, json, text } = await admin('GET', `${pathOf(store)}/${endpoint.id}`)
    expect(status).toBe(200)
    expect(json).toEqual(endpoint)
    expect(text).not.toMatch(/secret|whsec_/)
  })
})

describe('DELETE /admin/stores/{store_id}/webhook_endpoints/{id}', () => {
  it('returns 204 without a body, and 404 the second time', async () => {
    const { id } = await newEndpoint(store)
    const first = await admin('DELETE', `${pathOf(store)}/${id}`)
    expect([first.status, first.text]).toEqual([204, ''])
    expect(summary(await admin('DELETE', `${pathOf(store)}/${id}`))).toBe('404 not_found')
    expect(summary(await admin('GET', `${pathOf(store)}/${id}`))).toBe('404 not_found')
  })
})

describe('POST /admin/stores/{store_id}/webhook_endpoints/{id}/rotate_secret', () => {
  it('returns the endpoint with a new secret, which no later response contains', async () => {
    const { secret, ...endpoint } = await newEndpoint(store)
    const { status, json } = await admin('POST', `${pathOf(store)}/${endpoint.id}/rotate_secret`)
    expect(status).toBe(200)
    expect(json).toEqual({ ...endpoint, secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) })
    expect(json.secret).not.toBe(secret)
    expect((await admin('GET', `${pathOf(store)}/${endpoint.id}`)).json).toEqual(endpoint)
  })
})

describe('POST /admin/stores/{store_id}/webhook_endpoints/{id}/enable', () => {
  it('returns 200 with the endpoint without its secret, whether it was disabled or not', async () => {
    const { secret: _, ...endpoint } = await newEndpoint(store)
    const first = await admin('POST', `${pathOf(store)}/${endpoint.id}/enable`)
    const id = await idIn(store, endpoint.id)
    await rowsOf('update webhook_endpoints set disabled_at = 1, failing_since = 1 where id = ?', id)
    const disabled = await admin('GET', `${pathOf(store)}/${endpoint.id}`)
    expect(disabled.json).toEqual({
      ...endpoint,
      enabled: false,
      state: 'disabled',
      failing_since: '1970-01-01T00:00:00.001Z',
      disabled_at: '1970-01-01T00:00:00.001Z',
    })
    const second = await admin('POST', `${pathOf(store)}/${endpoint.id}/enable`)
    for (const { status, json, text } of [first, second]) {
      expect(status).toBe(200)
      expect(json).toEqual(endpoint)
      expect(text).not.toMatch(/secret|whsec_/)
    }
  })

  it('wakes the endpoint, also one that is down, which no other change wakes', async () => {
    const hook = await newHook()
    await rowsOf('update webhook_endpoints set is_down = 1 where id = ?', hook.endpoint_id)
    await change(hook)
    expect(hook.wakes()).toBe(0)
    await onHook(hook, 'POST', '/enable')
    expect(hook.wakes()).toBe(1)
  })
})

describe('PATCH /admin/stores/{store_id}/webhook_endpoints/{id}', () => {
  it('returns 422 already_exists for the URL of another endpoint, and changes nothing', async () => {
    const own = await newStore()
    const [first, second] = [await newEndpoint(own), await newEndpoint(own)]
    const patch = (body: object) => admin('PATCH', `${pathOf(own)}/${second.id}`, body)
    const answer = await patch({ url: first.url, types: ['user.created'] })
    expect(summary(answer)).toBe('422 already_exists: url')
    expect(refused(answer)).toEqual({ url: first.url })
    expect((await admin('GET', `${pathOf(own)}/${second.id}`)).json).toMatchObject({ url: second.url, types: null })
    expect((await patch({ url: second.url, types: ['user.created'] })).status).toBe(200)
    expect((await admin('PATCH', `${pathOf(own)}/4294967295`, { url: first.url })).status).toBe(404)
  })

  it('accepts the own URL of an endpoint that has had the same as another one since before that was rejected', async () => {
    const own = await newStore()
    const [first, second] = [await newEndpoint(own), await newEndpoint(own)]
    await rowsOf('update webhook_endpoints set url = ? where id = ?', first.url, await idIn(own, second.id))
    const answer = await admin('PATCH', `${pathOf(own)}/${second.id}`, { url: first.url, types: ['user.created'] })
    expect(answer.json).toMatchObject({ url: first.url, types: ['user.created'] })
    expect((await admin('PATCH', `${pathOf(own)}/${second.id}`, { url: second.url })).json.url).toBe(second.url)
  })

  it('gives a URL to one of several endpoints when they are moved there concurrently', async () => {
    const own = await newStore()
    const ids: string[] = []
    for (let n = 0; n < 5; n++) ids.push((await newEndpoint(own)).id)
    const answers = await Promise.all(ids.map((id) => admin('PATCH', `${pathOf(own)}/${id}`, { url: URL_OF_HOOK })))
    expect(answers.map(summary).toSorted()).toEqual(['200', ...Array<string>(4).fill('422 already_exists: url')])
  })

  it('changes the fields that are present, and treats null types as all types', async () => {
    const own = await newStore()
    const { id, secret: _, ...endpoint } = await newEndpoint(own, { types: ['user.created', 'user.erased'] })
    const url = 'https://other.example.com/'
    expect((await admin('PATCH', `${pathOf(own)}/${id}`, { url })).json).toEqual({ id, ...endpoint, url })
    expect((await admin('PATCH', `${pathOf(own)}/${id}`, { types: null })).json).toEqual({
      id,
      ...endpoint,
      url,
      types: null,
    })
  })

  it('writes the types before and after to the event, and of the URL only the name of the field', async () => {
    const own = await newStore()
    const { id } = await newEndpoint(own, { types: ['user.created', 'user.erased'] })
    const send = (body: object) => admin('PATCH', `${pathOf(own)}/${id}`, body)
    await send({ url: 'https://example.com/hooks/s3cr3t' })
    await send({ types: null })
    await send({ url: 'https://example.com/?key=s3cr3t', types: ['user.created'] })
    await admin('POST', `${pathOf(own)}/${id}/rotate_secret`)
    const { json, text } = await admin('GET', `/stores/${own.id}/events?type=webhook_endpoint.updated`)
    const types = { from: ['user.created', 'user.erased'], to: null }
    expect(json.data.map(({ data }: any) => data)).toEqual([
      { webhook_endpoint_id: id, fields: ['url'] },
      { webhook_endpoint_id: id, changes: { types } },
      { webhook_endpoint_id: id, fields: ['url'], changes: { types: { from: null, to: ['user.created'] } } },
      { webhook_endpoint_id: id },
    ])
    expect(text).not.toContain('s3cr3t')
    const stored = await rowsOf('select data from events where id >> 32 = ?', await storeNumber(own))
    for (const url of ['s3cr3t', new URL(URL_OF_HOOK).hostname]) expect(JSON.stringify(stored)).not.toContain(url)
  })

  it.each([{}, { url: URL_OF_HOOK }, { types: null }, undefined])(
    'changes nothing and writes no event for %j',
    async (body) => {
      const own = await newStore()
      const { secret: _, ...endpoint } = await newEndpoint(own, { url: URL_OF_HOOK })
      const before = await eventsOf(own)
      const { status, json } = await admin('PATCH', `${pathOf(own)}/${endpoint.id}`, body)
      expect([status, json]).toEqual([200, endpoint])
      expect(await eventsOf(own)).toEqual(before)
    },
  )

  it.each([
    [{ url: null }, 'url'],
    [{ url: 'https://10.0.0.1/' }, 'url'],
    [{ types: [] }, 'types'],
    [{ types: ['user.deleted'] }, 'types.0'],
    [{ enabled: false }, 'enabled'],
  ])('returns 422 for %j', async (body, field) => {
    const { id } = await newEndpoint(store)
    expect(summary(await admin('PATCH', `${pathOf(store)}/${id}`, body))).toBe(`422 invalid_parameter: ${field}`)
  })
})

describe('POST /admin/stores/{store_id}/webhook_endpoints/{id}/test', () => {
  it.each([
    [204, 204, null],
    [500, 500, null],
    [302, 302, null],
    ['cut' as const, null, 'unreachable'],
    [{ cloudflare: 530 }, null, 'unreachable'],
    [{ cloudflare: 521 }, null, 'unreachable'],
    [{ cloudflare: 525 }, null, 'unreachable'],
    [{ cloudflare: 503 }, 503, null],
    [530, 530, null],
  ])('sends a signed test request immediately and returns its result: %j', async (reply, status, failure) => {
    const hook = await newHook({ types: ['user.created'] })
    await hook.receiver.answer(reply)
    const answer = await onHook(hook, 'POST', '/test')
    expect(summary(answer)).toBe('200')
    expect(answer.json).toEqual({ status, duration_ms: expect.any(Number), failure })
    const [request, ...others] = await hook.receiver.requests()
    if (!request) throw new Error('nothing has arrived')
    expect(others).toEqual([])
    expect(verified(request, hook.secret)).toEqual({
      id: '0',
      type: 'webhook_endpoint.test',
      timestamp: expect.stringMatching(TIMESTAMP),
      store_id: hook.store.id,
      request_id: answer.headers.get('X-Request-Id'),
      actor: { type: 'system' },
      data: { webhook_endpoint_id: String(hook.id) },
    })
    expect(request.headers['webhook-id']).toContain(`${hook.store.id}_test_`)
  })

  it('writes no event, delivery or failure, and a disabled endpoint stays disabled', async () => {
    const hook = await newHook()
    await rowsOf('update webhook_endpoints set disabled_at = 1 where id = ?', hook.endpoint_id)
    await hook.receiver.answer(410)
    const state = async () => [
      await eventsOf(hook.store),
      await rowsOf('select * from webhook_endpoints where id = ?', hook.endpoint_id),
    ]
    const before = await state()
    expect((await onHook(hook, 'POST', '/test')).json.status).toBe(410)
    expect(await state()).toEqual(before)
    expect((await onHook(hook, 'GET', '/deliveries')).json.data).toEqual([])
    expect(hook.wakes()).toBe(0)
  })

  it('has an endpoint that is down send what waits if it succeeds, and leaves it down otherwise', async () => {
    const hook = await newHook()
    await work(hook)
    const probe_at = Date.now() + 3_600_000
    const down = `json_set(value, '$.failures', 20, '$.failing_since', 1, '$.probe_at', ${probe_at})`
    await inObject(hook, `update health set value = ${down}`)
    await evictDurableObject(objectOf(hook))
    const [event] = await change(hook)
    await hook.receiver.answer(500)
    expect((await onHook(hook, 'POST', '/test')).json.status).toBe(500)
    expect(await healthOf(hook)).toMatchObject({ failures: 20, probe_at })
    await hook.receiver.answer(204)
    expect((await onHook(hook, 'POST', '/test')).json.status).toBe(204)
    await vi.waitFor(async () => expect((await arrived(hook)).at(-1)).toBe(event), 20_000)
    expect(await healthOf(hook)).toMatchObject({ failures: 0, failing_since: null, probe_at: null })
  })
})

/** A lost response must not apply one of these changes twice. Each has the status that it returns. */
const CHANGES: [string, (path: string, bindings: object) => Promise<Answer>, string][] = [
  ['a creation', (path, bindings) => admin('POST', path.replace(/\/\d+$/, ''), { url: URL_OF_HOOK }, bindings), '201'],
  ['an update', (path, bindings) => admin('PATCH', path, { url: 'https://other.example.com/' }, bindings), '200'],
  ['a rotation', (path, bindings) => admin('POST', `${path}/rotate_secret`, undefined, bindings), '200'],
  ['an activation', (path, bindings) => admin('POST', `${path}/enable`, undefined, bindings), '200'],
  ['a deletion', (path, bindings) => admin('DELETE', path, undefined, bindings), '204'],
]

describe.each(CHANGES)('%s that is sent again after a lost response', (_, act, outcome) => {
  /** Creates a disabled endpoint and returns its path. */
  async function newDisabled(own: TestStore): Promise<string> {
    const { id } = await newEndpoint(own)
    await rowsOf('update webhook_endpoints set disabled_at = 1 where id = ?', await idIn(own, id))
    return `${pathOf(own)}/${id}`
  }

  it('is applied once with many events in between', async () => {
    const own = await newStore()
    const path = await newDisabled(own)
    const before = (await eventsOf(own)).length
    const fault = inStore(losesAnswer(() => insertEvents(own, { type: 'user.created', count: 30 })))
    expect(summary(await act(path, faultyD1(env.DB, fault)))).toBe(outcome)
    expect(await eventsOf(own)).toHaveLength(before + 31)
  })

  it('is applied once when the endpoint is deleted in between', async () => {
    const own = await newStore()
    const path = await newDisabled(own)
    const fault = losesAnswer(async () => {
      const [row] = await rowsOf(
        'select max(id) & 4294967295 as n from webhook_endpoints where id >> 32 = ?',
        await storeNumber(own),
      )
      if (row.n !== null) await admin('DELETE', `${pathOf(own)}/${row.n}`)
    })
    const answer = await act(path, faultyD1(env.DB, inStore(fault)))
    expect([outcome, '404 not_found']).toContain(summary(answer))
    const types = (await eventsOf(own)).map(({ type }) => type).filter((type) => type.startsWith('webhook_endpoint'))
    expect(types.length).toBeLessThanOrEqual(3)
    expect(types.filter((type) => type === 'webhook_endpoint.deleted')).toHaveLength(1)
  })
})

describe('A secret that is rotated again after a lost response', () => {
  it('still signs, and the later rotation has the newest secret', async () => {
    const own = await newStore()
    const { id } = await newEndpoint(own)
    let second = ''
    const fault = losesAnswer(async () => {
      second = (await admin('POST', `${pathOf(own)}/${id}/rotate_secret`)).json.secret
    })
    const first = (
      await admin('POST', `${pathOf(own)}/${id}/rotate_secret`, undefined, faultyD1(env.DB, inStore(fault)))
    ).json.secret
    const [row] = await rowsOf('select secret, older_secrets from webhook_endpoints where id = ?', await idIn(own, id))
    expect(row.secret).toBe(second)
    expect(Object.keys(JSON.parse(row.older_secrets))).toContain(first)
    expect(Object.keys(JSON.parse(row.older_secrets))).toHaveLength(2)
  })
})

describe.each([
  ['GET', ''],
  ['DELETE', ''],
  ['POST', '/rotate_secret'],
  ['PATCH', ''],
  ['POST', '/enable'],
  ['POST', '/test'],
  ['GET', '/deliveries'],
])('%s /admin/stores/{store_id}/webhook_endpoints/{id}%s', (method, action) => {
  it('returns 404 for an unknown id', async () => {
    for (const id of ['0', 'abc', '4294967295'])
      expect(summary(await admin(method, `${pathOf(store)}/${id}${action}`))).toBe('404 not_found')
  })

  it('returns 404 for an endpoint of another store and changes nothing', async () => {
    const other = await newStore()
    await insertEvents(other, { type: 'user.created', count: 1000 })
    const { id } = await newEndpoint(other)
    const [before] = await rowsOf('select * from webhook_endpoints where id = ?', await idIn(other, id))
    expect(before).toBeDefined()
    expect(summary(await admin(method, `${pathOf(store)}/${id}${action}`))).toBe('404 not_found')
    expect(await rowsOf('select * from webhook_endpoints where id = ?', await idIn(other, id))).toEqual([before])
  })

  it('returns 404 for an unknown store', async () => {
    const { id } = await newEndpoint(store)
    expect(summary(await admin(method, `/stores/none/webhook_endpoints/${id}${action}`))).toBe('404 not_found')
  })
})

describe('An operator with the role viewer', () => {
  it('can read endpoints and deliveries, and gets 403 for changes and tests', async () => {
    const hook = await newHook({ types: ['user.erased'] })
    const path = `/admin${pathOf(hook.store)}/${hook.id}`
    const [event = 0] = await insertEvents(hook.store, { type: 'user.created', count: 1 })
    await rowsOf('update webhook_endpoints set failing_since = 1 where id = ?', hook.endpoint_id)
    const { token } = await newOperator('viewer')
    const state = async () => [
      await rowsOf('select * from webhook_endpoints where id = ?', hook.endpoint_id),
      await eventsOf(hook.store),
    ]
    const before = await state()
    for (const action of ['', '/deliveries']) expect(summary(await call('GET', path + action, { token }))).toBe('200')
    for (const action of ['/enable', '/test', '/rotate_secret', `/deliveries/${numberOf(event)}/redeliver`])
      expect(summary(await call('POST', path + action, { token }))).toBe('403 insufficient_scope')
    for (const method of ['PATCH', 'DELETE'])
      expect(summary(await call(method, path, { token }))).toBe('403 insufficient_scope')
    expect(await state()).toEqual(before)
    expect(await hook.receiver.requests()).toEqual([])
  })
})

describe('A token with the scopes of webhooks', () => {
  it('does under /v1 what an operator does under /admin, by webhooks:read and webhooks:write', async () => {
    const hook = await newHook({ store, types: ['user.erased'] })
    const send = (method: string, path: string, token: string, body?: unknown) =>
      call(method, `/v1${pathOf(store)}${path}`, {
        token,
        bindings: hook.bindings,
        ...(body !== undefined && { body }),
      })
    const reader = (await newToken(store, { scopes: ['webhooks:read'] })).token
    const writer = (await newToken(store, { scopes: ['webhooks:write'] })).token
    const one = `/${hook.id}`
    const [event = 0] = await insertEvents(store, { type: 'user.created', count: 1 })
    for (const path of ['', one, `${one}/deliveries`]) {
      expect(summary(await send('GET', path, reader))).toBe('200')
      expect(summary(await send('GET', path, writer))).toBe('403 insufficient_scope')
    }
    const writes: [string, string, object?][] = [
      ['POST', '', { url: URL_OF_HOOK }],
      ['PATCH', one, { types: ['user.created'] }],
      ['POST', `${one}/rotate_secret`],
      ['POST', `${one}/enable`],
      ['POST', `${one}/test`],
      ['POST', `${one}/deliveries/${numberOf(event)}/redeliver`],
      ['DELETE', one],
    ]
    for (const [method, path, body] of writes) {
      expect(summary(await send(method, path, reader, body))).toBe('403 insufficient_scope')
      expect((await send(method, path, writer, body)).status).toBeLessThan(300)
    }
  })
})

describe('Tests and redeliveries of an endpoint', () => {
  it('have a limit together, of 10 in 60 seconds', async () => {
    const hook = await newHook({ store })
    const keys: string[] = []
    const WEBHOOK_LIMITER = {
      limit: async ({ key }: { key: string }) => ({ success: keys.push(key) <= 2 }),
    }
    const send = (path: string) => admin('POST', `${pathOf(store)}/${hook.id}${path}`, {}, { WEBHOOK_LIMITER })
    expect((await send('/test')).status).toBe(200)
    expect((await send(`/deliveries/${hook.id}/redeliver`)).status).toBe(200)
    for (const path of ['/test', `/deliveries/${hook.id}/redeliver`]) {
      const answer = await send(path)
      expect(summary(answer)).toBe('429 rate_limited')
      expect(answer.headers.get('RateLimit-Policy')).toBe('"webhooks";q=10;w=60')
    }
    expect(new Set(keys)).toEqual(new Set([`registrar:${hook.endpoint_id}`]))
    expect(await hook.receiver.requests()).toHaveLength(2)
    expect((await admin('POST', `${pathOf(store)}/4294967295/test`, {}, { WEBHOOK_LIMITER })).status).toBe(404)
    expect(keys).toHaveLength(4)
  })

  it('have a limit of their store, of 60 in 60 seconds, however many endpoints come and go', async () => {
    const owner = await newStore()
    const counts = new Map<string, number>()
    const STORE_WEBHOOK_LIMITER = {
      limit: async ({ key }: { key: string }) => {
        counts.set(key, (counts.get(key) ?? 0) + 1)
        return { success: (counts.get(key) ?? 0) <= 3 }
      },
    }
    const answers: [number, string | null][] = []
    for (let n = 0; n < 5; n++) {
      const hook = await newHook({ store: owner })
      const answer = await admin('POST', `${pathOf(owner)}/${hook.id}/test`, {}, { STORE_WEBHOOK_LIMITER })
      answers.push([answer.status, answer.headers.get('RateLimit-Policy')])
      await admin('DELETE', `${pathOf(owner)}/${hook.id}`)
    }
    const limited = [429, '"store_webhooks";q=60;w=60']
    expect(answers).toEqual([...Array.from({ length: 3 }, () => [200, null]), limited, limited])
    expect([...counts]).toEqual([[`registrar:${await storeNumber(owner)}`, 5]])
  })
})
