/** Integrators rely on what each event contains: the actor, the record, the real changes, and no personal data. */
import { beforeAll, describe, expect, it } from 'vitest'
import { announceExpiries } from '../../../src/modules/accesses/expiry.ts'
import type { Answer } from '../../support/openapi.ts'
import {
  admin,
  call,
  createV1,
  createV3,
  ID,
  newAccess,
  newStore,
  newToken,
  TIMESTAMP,
  updateAccess,
  v1User,
  v3User,
} from '../../support/api.ts'
import { INTEGRATOR, OPERATOR } from '../../support/callers.ts'
import { sharedDb } from '../../support/db.ts'
import { feedOf, recordEvents } from '../../support/events.ts'
import { defineField, eventsOf, idIn, insertEvent, newProduct, rowsOf, type TestStore } from '../../support/rows.ts'

/** The test knows the id and name of the token of this store. */
let store: TestStore
let actor: object

beforeAll(async () => {
  const { id } = await newStore()
  const scopes = ['users:read', 'users:write', 'product_accesses:read', 'product_accesses:write', 'events:read']
  const token = await newToken({ id, token: '' }, { name: 'Checkout', scopes })
  store = { id, token: token.token }
  actor = { type: 'access_token', id: token.id, name: 'Checkout' }
})

const ROOT = { type: 'operator', id: null, name: 'root' }

/** Returns the response to a request and the one event that it wrote, whose time must be that of the request. */
async function witness(send: () => Promise<Answer>) {
  let answer: Answer | undefined
  const from = Date.now()
  const events = await recordEvents(store, async () => (answer = await send()))
  if (!answer) throw new Error('nothing was sent')
  expect(events).toHaveLength(1)
  const [event] = events
  expect(Date.parse(event.timestamp)).toBeGreaterThanOrEqual(from)
  expect(Date.parse(event.timestamp)).toBeLessThanOrEqual(Date.now())
  return { answer, event }
}

/** Returns the fields that every event has from its request. */
function told(answer: Answer) {
  return {
    id: expect.stringMatching(ID),
    timestamp: expect.stringMatching(TIMESTAMP),
    store_id: store.id,
    request_id: answer.headers.get('X-Request-Id'),
  }
}

function patch(id: string, body: unknown) {
  return INTEGRATOR.send('PATCH', store, `/product_accesses/${id}`, { body })
}

async function newGrant() {
  const user = await createV1(store, v1User())
  return { user_id: user.json.id, product_id: (await newProduct(store)).id }
}

describe('The event of', () => {
  it.each([
    { version: 'v1', create: () => createV1(store, v1User()) },
    {
      version: 'v1, with a key,',
      create: () => createV1(store, v1User(), { headers: { 'X-Idempotency-Key': 'k-1' } }),
    },
    { version: 'v3', create: () => createV3(store, v3User()) },
  ])('a $version create is user.created with the id of the user', async ({ create }) => {
    const { answer, event } = await witness(create)
    const data = { user_id: String(answer.json.id) }
    expect(event).toEqual({ ...told(answer), type: 'user.created', actor, data })
  })

  it.each([
    { by: 'a token', send: INTEGRATOR.send, of: () => actor },
    { by: 'an operator', send: OPERATOR.send, of: () => ROOT },
  ])('a grant by $by is product_access.granted with the ids and the time of the access', async ({ send, of }) => {
    const ids = await newGrant()
    const { answer, event } = await witness(() => send('POST', store, '/product_accesses', { body: ids }))
    const data = { ...ids, product_access_id: answer.json.id }
    expect(event).toEqual({ ...told(answer), type: 'product_access.granted', actor: of(), data })
    expect(event.timestamp).toBe(answer.json.created_at)
  })

  it('an update is product_access.updated with the ids and the changes', async () => {
    const access = await newAccess(store)
    const { answer, event } = await witness(() => updateAccess(store, access.id, { status: 'without_access' }))
    const data = {
      user_id: access.user.id,
      product_id: access.product.id,
      product_access_id: access.id,
      changes: { status: { from: 'with_access', to: 'without_access' } },
    }
    expect(event).toEqual({ ...told(answer), type: 'product_access.updated', actor, data })
  })

  it('recorded progress is product_access.progressed with the ids and only the names of the fields', async () => {
    const access = await newAccess(store)
    const { answer, event } = await witness(() => patch(access.id, { progress: 40, grade: 'A', passed: false }))
    const data = {
      user_id: access.user.id,
      product_id: access.product.id,
      product_access_id: access.id,
      fields: ['progress', 'grade'],
    }
    expect(event).toEqual({ ...told(answer), type: 'product_access.progressed', actor, data })
  })

  it('a new token is access_token.created by the operator, with its id and the time of its creation', async () => {
    const { answer, event } = await witness(() => admin('POST', `/stores/${store.id}/tokens`, { name: 'New' }))
    const data = { access_token_id: answer.json.id }
    expect(event).toEqual({ ...told(answer), type: 'access_token.created', actor: ROOT, data })
    expect(event.timestamp).toBe(answer.json.created_at)
  })

  it('a change of the store is store.updated with the old and the new values', async () => {
    const send = (body: object) => admin('PATCH', `/stores/${store.id}`, body)
    const { answer, event } = await witness(() => send({ name: 'Other', expiry_notice_days: 3 }))
    const changes = { name: { from: 'Store', to: 'Other' }, expiry_notice_days: { from: 7, to: 3 } }
    const data = { store_id: store.id, changes }
    expect(event).toEqual({ ...told(answer), type: 'store.updated', actor: ROOT, data })
    const suspended = await witness(() => send({ suspended: true }))
    expect(suspended.event.data.changes).toEqual({ suspended: { from: false, to: true } })
    const resumed = await witness(() => send({ suspended: false }))
    expect(resumed.event.data.changes).toEqual({ suspended: { from: true, to: false } })
  })

  it('a change by the service itself has no request id and the actor system', async () => {
    const access = await newAccess(store)
    await updateAccess(store, access.id, { access_due_date: '2000-01-01T00:00:00Z' })
    const now = Date.now()
    const [event, ...others] = await recordEvents(store, () => announceExpiries(sharedDb(), { run_id: 'run', now }))
    expect(others).toEqual([])
    expect(event).toEqual({
      id: expect.stringMatching(ID),
      type: 'product_access.expired',
      timestamp: new Date(now).toISOString(),
      store_id: store.id,
      request_id: null,
      actor: { type: 'system' },
      data: { user_id: access.user.id, product_id: access.product.id, product_access_id: access.id },
    })
  })

  it('a request with several changes has the request id without the index of the change', async () => {
    const id = await insertEvent(store, { type: 'user.created' })
    const request_id = crypto.randomUUID()
    const token = await idIn(store, 2)
    await rowsOf('update events set request_id = ?, actor_id = ? where id = ?', `${request_id}/17`, token, id)
    expect((await feedOf(store)).at(-1)).toMatchObject({ request_id, actor: { type: 'access_token' } })
  })

  it('a revoked token still has the token as its actor', async () => {
    const { id, token } = await newToken(store, { name: 'Gone' })
    const events = await recordEvents(store, () => createV1({ ...store, token }, v1User()))
    await rowsOf('update access_tokens set revoked_at = 1 where id = ?', await idIn(store, id))
    const [event] = await feedOf(store, { after: String(Number(events[0].id) - 1) })
    expect(event.actor).toEqual({ type: 'access_token', id, name: 'Gone' })
  })
})

describe('The data of the event', () => {
  it.each([
    ['user.updated', '{"fields":["email","phone"]}', { user_id: '9', fields: ['email', 'phone'] }],
    ['user.erased', null, { user_id: '9' }],
    ['access_token.rotated', null, { access_token_id: '9' }],
    [
      'access_token.updated',
      '{"changes":{"scopes":{"from":"users:read","to":"users:read users:write"},"expires_at":{"from":null,"to":0.0}}}',
      {
        access_token_id: '9',
        changes: {
          scopes: { from: ['users:read'], to: ['users:read', 'users:write'] },
          expires_at: { from: null, to: '1970-01-01T00:00:00.000Z' },
        },
      },
    ],
    ['product.deleted', null, { product_id: '9' }],
    [
      'product.updated',
      '{"changes":{"expiration_days":{"from":null,"to":30}}}',
      { product_id: '9', changes: { expiration_days: { from: null, to: 30 } } },
    ],
    ['custom_field.created', '{"custom_field_key":"field1"}', { custom_field_key: 'field1' }],
    ['webhook_endpoint.disabled', null, { webhook_endpoint_id: '9' }],
    [
      'webhook_endpoint.updated',
      '{"changes":{"types":{"from":null,"to":"user.created user.updated"}}}',
      {
        webhook_endpoint_id: '9',
        changes: { types: { from: null, to: ['user.created', 'user.updated'] } },
      },
    ],
    ['operator.created', null, { operator_id: '9' }],
  ])('%s stored as %s is %j', async (type, stored, data) => {
    const own = await newStore()
    const id = await insertEvent(own, { type, subject: await idIn(own, 9) })
    await rowsOf('update events set data = ? where id = ?', stored, id)
    expect((await feedOf(own)).at(-1)).toMatchObject({ type, data })
    expect((await feedOf(own)).at(-1).data).toEqual(data)
  })
})

describe('The changes in product_access.updated', () => {
  const [FIRST, LAST] = ['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']
  const due = (from: string | null, to: string | null) => ({ access_due_date: { from, to } })
  const closed = { status: { from: 'with_access', to: 'without_access' } }

  it.each<[string, object, object, object]>([
    ['a first due date', {}, { access_due_date: '2030-06-01T00:00:00+02:00' }, due(null, '2030-05-31T22:00:00.000Z')],
    ['the removal of the due date', { access_due_date: Date.parse(LAST) }, { access_due_date: null }, due(LAST, null)],
    ['another due date', { access_due_date: Date.parse(FIRST) }, { access_due_date: LAST }, due(FIRST, LAST)],
    ['the due date 1970-01-01', {}, { access_due_date: '1970-01-01T00:00:00Z' }, due(null, '1970-01-01T00:00:00.000Z')],
    ['both', {}, { status: 'without_access', access_due_date: LAST }, { ...closed, ...due(null, LAST) }],
    ['the status and an unchanged due date', {}, { status: 'without_access', access_due_date: null }, closed],
    ['the due date and an unchanged status', {}, { status: 'with_access', access_due_date: LAST }, due(null, LAST)],
  ])('contain only real changes, with from and to, for %s', async (_, granted, body, changes) => {
    const access = await newAccess(store, {}, granted)
    const { event } = await witness(() => updateAccess(store, access.id, body))
    expect(event.data.changes).toEqual(changes)
  })
})

describe('The events of a store', () => {
  it('are in the order of the changes', async () => {
    let id = ''
    const events = await recordEvents(store, async () => {
      id = (await newAccess(store)).id
      await updateAccess(store, id, { status: 'without_access' })
      await patch(id, { progress: 5 })
      await updateAccess(store, id, { status: 'with_access' })
    })
    expect(events.map(({ type }) => type)).toEqual([
      'user.created',
      'product.created',
      'product_access.granted',
      'product_access.updated',
      'product_access.progressed',
      'product_access.updated',
    ])
    const ids = events.map((event) => Number(event.id))
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    expect(ids).toEqual(ids.map((_, i) => (ids[0] ?? 0) + i))
  })

  it('contain no personal data, password, idempotency key or token', async () => {
    const secret = 'Canary'
    const fields = {
      name: `${secret} Ada`,
      last_name: `${secret} Lovelace`,
      phone: `${secret} 1`,
      avatar: `https://${secret}.example`,
      password: `${secret} horse`,
      external_id: `${secret}-1`,
      custom_fields: { [secret]: secret },
    }
    const newFields = () => ({ ...fields, email: `${secret}.${crypto.randomUUID()}@example.com` })
    await defineField(store, secret)
    const headers = { 'X-Idempotency-Key': `${secret}-key`, 'User-Agent': secret, 'CF-Connecting-IP': '192.0.2.77' }
    let token: any
    const from = (await eventsOf(store)).length
    const events = await recordEvents(store, async () => {
      await createV3(store, v3User({ ...newFields(), custom_fields: { field1: secret } }), { headers })
      const user = await createV1(store, newFields(), { headers })
      const { id: product_id } = await newProduct(store, { name: secret, type: secret })
      const body = { user_id: user.json.id, product_id }
      const access = await INTEGRATOR.send('POST', store, '/product_accesses', { body, headers })
      await updateAccess(store, access.json.id, { status: 'without_access' }, { headers })
      await patch(access.json.id, {
        progress: 1,
        grade: secret,
        concept_grade: secret,
        certificate_url: `https://${secret}.x`,
      })
      token = await newToken(store, { name: secret })
      await call('GET', '/v1/token', { token: token.token, headers })
    })
    expect(events.map(({ type }) => type)).toEqual([
      'user.created',
      'user.created',
      'product.created',
      'product_access.granted',
      'product_access.updated',
      'product_access.progressed',
      'access_token.created',
    ])
    const text = JSON.stringify([events, (await eventsOf(store)).slice(from)]).toLowerCase()
    const secrets = [secret.toLowerCase(), '@', 'rgs_', '$argon2id$', '192.0.2.77', token.token.slice(-60, -43)]
    expect(secrets.filter((part) => text.includes(part.toLowerCase()))).toEqual([])
  })
})
