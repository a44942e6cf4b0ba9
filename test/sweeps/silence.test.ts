/** What changes nothing tells nothing. */
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  admin,
  type Answer,
  call,
  createV1,
  newAccess,
  newStore,
  newToken,
  summary,
  type TestStore,
  updateAccess,
  v1User,
} from './support/api.ts'
import { changesOf, recordEvents, toldChangesOf } from './support/events.ts'

let store: TestStore

beforeAll(async () => {
  store = await newStore()
})

const KEY = { 'X-Idempotency-Key': 'order-1' }
const PROGRESS = {
  started_at: '2026-01-02T03:04:05.006Z',
  completed_at: '2026-02-03T04:05:06.007Z',
  progress: 100,
  grade: 9.5,
  concept_grade: 'A',
  passed: true,
  certificate_url: 'https://example.com/c.pdf',
}

function patch(id: string, body: unknown, headers = {}) {
  const path = `/admin/stores/${store.id}/product_accesses/${id}`
  return call('PATCH', path, { token: env.ADMIN_TOKEN, body, headers })
}

/** Prepares what stays silent, and sends it. */
type Prepare = () => Promise<() => Promise<Answer>>

const silent: [string, string, Prepare][] = [
  [
    'an update of {}',
    '201',
    async () => {
      const { id } = await newAccess(store)
      return () => updateAccess(store, id, {})
    },
  ],
  [
    'an update to the values that are there',
    '201',
    async () => {
      const { id, status, access_due_date } = await newAccess(store, { expiration_days: 30 })
      return () => updateAccess(store, id, { status, access_due_date })
    },
  ],
  [
    'an update to the due date that is there, in another offset',
    '201',
    async () => {
      const { id } = await newAccess(store, {}, { access_due_date: '2030-01-01T00:00:00Z' })
      return () => updateAccess(store, id, { access_due_date: '2030-01-01T02:00:00+02:00' })
    },
  ],
  [
    'the removal of a limit that is none',
    '201',
    async () => {
      const { id } = await newAccess(store)
      return () => updateAccess(store, id, { access_due_date: null })
    },
  ],
  [
    'recorded progress of {}',
    '200',
    async () => {
      const { id } = await newAccess(store)
      return () => patch(id, {})
    },
  ],
  [
    'the progress that is recorded already',
    '200',
    async () => {
      const { id } = await newAccess(store)
      await patch(id, PROGRESS)
      return () => patch(id, PROGRESS)
    },
  ],
  [
    'a replay of a key',
    '201',
    async () => {
      const body = v1User()
      const headers = { 'X-Idempotency-Key': crypto.randomUUID() }
      await createV1(store, body, { headers })
      return () => createV1(store, body, { headers })
    },
  ],
  [
    'a key that was used with another request',
    '422 idempotency_key_reused: X-Idempotency-Key',
    async () => {
      await createV1(store, v1User(), { headers: KEY })
      return () => createV1(store, v1User(), { headers: KEY })
    },
  ],
  ...[undefined, crypto.randomUUID()].map((key): [string, string, Prepare] => [
    `a taken e-mail, ${key ? 'with' : 'without'} a key`,
    '422 email_taken: email',
    async () => {
      const body = v1User()
      await createV1(store, body)
      const headers = key === undefined ? {} : { 'X-Idempotency-Key': key }
      return () => createV1(store, { ...body, email: body.email.toUpperCase() }, { headers })
    },
  ]),
  ['an invalid create', '422 invalid_parameter: email', async () => () => createV1(store, v1User({ email: 'nobody' }))],
  ['a create without a name', '400 missing_parameter: name', async () => () => createV1(store, v1User({ name: null }))],
  [
    'a create without the scope',
    '403 insufficient_scope',
    async () => {
      const { token } = await newToken(store, { scopes: ['events:read'] })
      return () => createV1({ ...store, token }, v1User())
    },
  ],
  [
    'an invalid update',
    '422 invalid_parameter: status',
    async () => {
      const { id } = await newAccess(store)
      return () => updateAccess(store, id, { status: 'open', access_due_date: '2030-01-01T00:00:00Z' })
    },
  ],
  [
    'an update of an access that is not there',
    '404',
    async () => () => updateAccess(store, '9007199254740991', { status: 'without_access' }),
  ],
  [
    'an update that names a stale ETag',
    '412 etag_mismatch',
    async () => {
      const { id } = await newAccess(store)
      return () => updateAccess(store, id, { status: 'without_access' }, { headers: { 'If-Match': `"${id}-9"` } })
    },
  ],
  [
    'recorded progress that names a stale ETag',
    '412 etag_mismatch',
    async () => {
      const { id } = await newAccess(store)
      return () => patch(id, PROGRESS, { 'If-Match': `"${id}-9"` })
    },
  ],
  [
    'a second grant',
    '422 access_exists: product_id',
    async () => {
      const { user, product } = await newAccess(store)
      const ids = { user_id: user.id, product_id: product.id, status: 'without_access' }
      return () => admin('POST', `/stores/${store.id}/product_accesses`, ids)
    },
  ],
  [
    'a grant to a user of another store',
    '422 invalid_parameter: user_id',
    async () => {
      const [here, there] = [await newAccess(store), await newAccess(await newStore())]
      const ids = { user_id: there.user.id, product_id: here.product.id }
      return () => admin('POST', `/stores/${store.id}/product_accesses`, ids)
    },
  ],
  [
    'a second revocation',
    '404 not_found',
    async () => {
      const { id } = await newToken(store)
      await admin('DELETE', `/stores/${store.id}/tokens/${id}`)
      return () => admin('DELETE', `/stores/${store.id}/tokens/${id}`)
    },
  ],
  [
    'a revocation of a token of another store',
    '404 not_found',
    async () => {
      const { id } = await newToken(await newStore())
      return () => admin('DELETE', `/stores/${store.id}/tokens/${id}`)
    },
  ],
  [
    'an invalid token',
    '400 missing_parameter: name',
    async () => () => admin('POST', `/stores/${store.id}/tokens`, {}),
  ],
]

describe('no event is written by', () => {
  it.each(silent)('%s (%s)', async (_, outcome, prepare) => {
    const send = await prepare()
    const before = await changesOf(store)
    let answer: Answer | undefined
    const events = await recordEvents(store, async () => (answer = await send()))
    expect(answer && summary(answer)).toBe(outcome)
    expect(events).toEqual([])
    expect(await changesOf(store)).toEqual(before)
    expect(await toldChangesOf(store)).toEqual(before)
  })
  it('an update or progress of an access of another store, in either of the two', async () => {
    const other = await newStore()
    const { id } = await newAccess(other)
    const before = await changesOf(other)
    const events = await recordEvents(other, async () => {
      for (const headers of [{}, { 'If-Match': '*' }, { 'If-Match': `"${id}-1"` }]) {
        expect(summary(await updateAccess(store, id, { status: 'without_access' }, { headers }))).toBe('404')
        expect(summary(await patch(id, PROGRESS, headers))).toBe('404 not_found')
      }
    })
    expect(events).toEqual([])
    expect(await changesOf(other)).toEqual(before)
    expect(await toldChangesOf(store)).toEqual(await changesOf(store))
  })
})
