/** What each change tells: whose it was, what it is about, what really changed, and nothing else. */
import { beforeAll, describe, expect, it } from 'vitest'
import {
  admin,
  type Answer,
  createV1,
  createV3,
  ID,
  newAccess,
  newStore,
  newToken,
  type TestStore,
  TIMESTAMP,
  updateAccess,
  v1User,
  v3User,
} from './support/api.ts'
import { eventRowsOf, recordEvents } from './support/events.ts'

/** A store whose token the test knows by id and name. */
let store: TestStore
let actor: object

beforeAll(async () => {
  const { id } = await newStore()
  const token = await newToken({ id, token: '' }, { name: 'Checkout' })
  store = { id, token: token.token }
  actor = { type: 'access_token', id: token.id, name: 'Checkout' }
})

const OPERATOR = { type: 'operator' }

/** The answer to a request, the time when it was under way, and the one event that it has written. */
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

/** What each event must say of the request that wrote it. */
function told(answer: Answer) {
  return {
    id: expect.stringMatching(ID),
    timestamp: expect.stringMatching(TIMESTAMP),
    store_id: store.id,
    request_id: answer.headers.get('X-Request-Id'),
  }
}

function patch(id: string, body: unknown) {
  return admin('PATCH', `/stores/${store.id}/product_accesses/${id}`, body)
}

async function newGrant() {
  const user = await createV1(store, v1User())
  const product = { name: 'P', slug: `p-${crypto.randomUUID()}`, type: 'course' }
  const { json } = await admin('POST', `/stores/${store.id}/products`, product)
  return { user_id: user.json.id, product_id: json.id }
}

describe('the event of', () => {
  it.each([
    { version: 'v1', create: () => createV1(store, v1User()) },
    {
      version: 'v1, with a key,',
      create: () => createV1(store, v1User(), { headers: { 'X-Idempotency-Key': 'k-1' } }),
    },
    { version: 'v3', create: () => createV3(store, v3User()) },
  ])('a $version create is user.created, with the id of the user', async ({ create }) => {
    const { answer, event } = await witness(create)
    const data = { user_id: String(answer.json.id) }
    expect(event).toEqual({ ...told(answer), type: 'user.created', actor, data })
  })

  it('a grant is product_access.granted, of the operator, with the ids and the time of the access', async () => {
    const ids = await newGrant()
    const { answer, event } = await witness(() => admin('POST', `/stores/${store.id}/product_accesses`, ids))
    const data = { ...ids, product_access_id: answer.json.id }
    expect(event).toEqual({ ...told(answer), type: 'product_access.granted', actor: OPERATOR, data })
    expect(event.timestamp).toBe(answer.json.created_at)
  })

  it('an update is product_access.updated, with the ids and the changes', async () => {
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

  it('recorded progress is product_access.progressed, of the operator, with the ids and the changes', async () => {
    const access = await newAccess(store)
    const { answer, event } = await witness(() => patch(access.id, { progress: 40 }))
    const data = {
      user_id: access.user.id,
      product_id: access.product.id,
      product_access_id: access.id,
      changes: { progress: { from: 0, to: 40 } },
    }
    expect(event).toEqual({ ...told(answer), type: 'product_access.progressed', actor: OPERATOR, data })
  })

  it('a new token is access_token.created, with its id and the time of its creation', async () => {
    const { answer, event } = await witness(() => admin('POST', `/stores/${store.id}/tokens`, { name: 'New' }))
    const data = { access_token_id: answer.json.id }
    expect(event).toEqual({ ...told(answer), type: 'access_token.created', actor: OPERATOR, data })
    expect(event.timestamp).toBe(answer.json.created_at)
  })

  it('a revocation is access_token.revoked, with the id and the time of the revocation', async () => {
    const { id } = await newToken(store)
    const { answer, event } = await witness(() => admin('DELETE', `/stores/${store.id}/tokens/${id}`))
    const data = { access_token_id: id }
    expect(event).toEqual({ ...told(answer), type: 'access_token.revoked', actor: OPERATOR, data })
    const { json } = await admin('GET', `/stores/${store.id}/tokens?limit=100`)
    expect(json.data.find((token: any) => token.id === id).revoked_at).toBe(event.timestamp)
  })

  it('a revoked token still names it', async () => {
    const { id, token } = await newToken(store, { name: 'Gone' })
    const events = await recordEvents(store, async () => {
      await createV1({ ...store, token }, v1User())
      await admin('DELETE', `/stores/${store.id}/tokens/${id}`)
    })
    expect(events.map(({ actor: of }) => of)).toEqual([{ type: 'access_token', id, name: 'Gone' }, OPERATOR])
  })
})

describe('the changes of an update', () => {
  const [FIRST, LAST] = ['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']
  const due = (from: string | null, to: string | null) => ({ access_due_date: { from, to } })
  const closed = { status: { from: 'with_access', to: 'without_access' } }

  it.each<[string, object, object, object]>([
    ['a first due date', {}, { access_due_date: '2030-06-01T00:00:00+02:00' }, due(null, '2030-05-31T22:00:00.000Z')],
    ['no due date any more', { access_due_date: LAST }, { access_due_date: null }, due(LAST, null)],
    ['another due date', { access_due_date: FIRST }, { access_due_date: LAST }, due(FIRST, LAST)],
    ['the due date 1970-01-01', {}, { access_due_date: '1970-01-01T00:00:00Z' }, due(null, '1970-01-01T00:00:00.000Z')],
    ['both', {}, { status: 'without_access', access_due_date: LAST }, { ...closed, ...due(null, LAST) }],
    ['the status, with the due date that is there', {}, { status: 'without_access', access_due_date: null }, closed],
    [
      'the due date, with the status that is there',
      {},
      { status: 'with_access', access_due_date: LAST },
      due(null, LAST),
    ],
  ])('name %s alone, from and to', async (_, granted, body, changes) => {
    const access = await newAccess(store, {}, granted)
    const { event } = await witness(() => updateAccess(store, access.id, body))
    expect(event.data.changes).toEqual(changes)
  })
})

describe('the changes of recorded progress', () => {
  const before = {
    started_at: '2026-01-02T03:04:05.006Z',
    completed_at: null,
    progress: 10,
    grade: 'A',
    concept_grade: 'good',
    passed: false,
    certificate_url: null,
  }

  it.each<[object, object]>([
    [{ started_at: null }, { started_at: { from: before.started_at, to: null } }],
    [{ completed_at: '2026-02-03T04:05:06Z' }, { completed_at: { from: null, to: '2026-02-03T04:05:06.000Z' } }],
    [{ progress: 0 }, { progress: { from: 10, to: 0 } }],
    [{ passed: true }, { passed: { from: false, to: true } }],
    [{ concept_grade: '10' }, { concept_grade: { from: 'good', to: '10' } }],
    [{ concept_grade: '😀"\\\n' }, { concept_grade: { from: 'good', to: '😀"\\\n' } }],
    [{ concept_grade: '' }, { concept_grade: { from: 'good', to: '' } }],
    [{ certificate_url: 'https://x.example/c' }, { certificate_url: { from: null, to: 'https://x.example/c' } }],
    [{ grade: '9.75' }, { grade: { from: 'A', to: '9.75' } }],
    [{ grade: 9.75 }, { grade: { from: 'A', to: 9.75 } }],
    [{ grade: true }, { grade: { from: 'A', to: true } }],
    [{ grade: 'null' }, { grade: { from: 'A', to: 'null' } }],
    [{ grade: null }, { grade: { from: 'A', to: null } }],
    [
      { ...before, progress: 100, passed: true },
      { progress: { from: 10, to: 100 }, passed: { from: false, to: true } },
    ],
  ])('for %j are %j', async (body, changes) => {
    const access = await newAccess(store)
    await patch(access.id, before)
    const { event } = await witness(() => patch(access.id, body))
    expect(event.data.changes).toEqual(changes)
  })

  it('keep the type of a grade: a number is not the text of its digits', async () => {
    const access = await newAccess(store)
    await patch(access.id, { grade: '7' })
    const { event } = await witness(() => patch(access.id, { grade: 7 }))
    expect(event.data.changes).toEqual({ grade: { from: '7', to: 7 } })
  })

  it('show a grade with the digits that were sent', async () => {
    const access = await newAccess(store)
    await patch(access.id, '{"grade":9007199254740993}')
    await patch(access.id, '{"grade":10.50}')
    const { text } = await admin('GET', `/stores/${store.id}/events?product_access_id=${access.id}`)
    expect(text).toContain('{"grade":{"from":null,"to":9007199254740993}}')
    expect(text).toContain('{"grade":{"from":9007199254740993,"to":10.50}}')
  })
})

describe('events', () => {
  it('come in the order of the changes', async () => {
    let id = ''
    const events = await recordEvents(store, async () => {
      id = (await newAccess(store)).id
      await updateAccess(store, id, { status: 'without_access' })
      await patch(id, { progress: 5 })
      await updateAccess(store, id, { status: 'with_access' })
    })
    expect(events.map(({ type }) => type)).toEqual([
      'user.created',
      'product_access.granted',
      'product_access.updated',
      'product_access.progressed',
      'product_access.updated',
    ])
    const ids = events.map((event) => Number(event.id))
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    expect(new Set(ids).size).toBe(5)
  })

  it('hold nothing that a person wrote about themselves, no password, no key and no token', async () => {
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
    await admin('PUT', `/stores/${store.id}/custom_fields/${secret}`, { label: secret })
    const headers = { 'X-Idempotency-Key': `${secret}-key`, 'User-Agent': secret, 'CF-Connecting-IP': '192.0.2.77' }
    let token: any
    const events = await recordEvents(store, async () => {
      await createV3(store, v3User({ ...newFields(), custom_fields: { field1: secret } }), { headers })
      const user = await createV1(store, newFields(), { headers })
      const product = { name: secret, slug: `${secret.toLowerCase()}-${crypto.randomUUID()}`, type: secret }
      const { json } = await admin('POST', `/stores/${store.id}/products`, product)
      const ids = { user_id: user.json.id, product_id: json.id }
      const access = await admin('POST', `/stores/${store.id}/product_accesses`, ids)
      await updateAccess(store, access.json.id, { status: 'without_access' }, { headers })
      await patch(access.json.id, { progress: 1 })
      token = await newToken(store, { name: secret })
      await admin('DELETE', `/stores/${store.id}/tokens/${token.id}`)
    })
    expect(events).toHaveLength(7)
    const text = JSON.stringify([events, await eventRowsOf(store)]).toLowerCase()
    const secrets = [secret.toLowerCase(), '@', 'rgs_', '$scrypt$', '192.0.2.77', token.token.slice(4, 20)]
    expect(secrets.filter((part) => text.includes(part))).toEqual([])
  })
})
