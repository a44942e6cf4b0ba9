/** A request that changes nothing must not write an event, or integrators would process changes that never happened. */
import { describe, expect, it } from 'vitest'
import type { Answer } from '../support/openapi.ts'
import { createV1, newAccess, newToken, summary, updateAccess, useStore, v1User } from '../support/api.ts'
import { INTEGRATOR } from '../support/callers.ts'
import { recordEvents } from '../support/events.ts'
import { accessesOf, usersOf, type TestStore } from '../support/rows.ts'

const store = useStore()

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
  return INTEGRATOR.send('PATCH', store, `/product_accesses/${id}`, { body, headers })
}

function grant(body: unknown, headers = {}) {
  return INTEGRATOR.send('POST', store, '/product_accesses', { body, headers })
}

async function recordsOf(of: TestStore) {
  return { users: await usersOf(of), accesses: await accessesOf(of) }
}

/** Prepares the store and returns the request that must not write an event. */
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
    'an update to the current values',
    '201',
    async () => {
      const { id, status, access_due_date } = await newAccess(store, {}, { access_due_date: Date.UTC(2030, 0, 1) })
      return () => updateAccess(store, id, { status, access_due_date })
    },
  ],
  [
    'an update to the current due date in another time zone',
    '201',
    async () => {
      const { id } = await newAccess(store, {}, { access_due_date: Date.UTC(2030, 0, 1) })
      return () => updateAccess(store, id, { access_due_date: '2030-01-01T02:00:00+02:00' })
    },
  ],
  [
    'the removal of a due date that is not set',
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
    'progress that was already recorded',
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
    'a key that another request used',
    '422 idempotency_key_reused: X-Idempotency-Key',
    async () => {
      await createV1(store, v1User(), { headers: KEY })
      return () => createV1(store, v1User(), { headers: KEY })
    },
  ],
  ...[undefined, crypto.randomUUID()].map((key): [string, string, Prepare] => [
    `a taken email, ${key ? 'with' : 'without'} a key`,
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
    'an update of an unknown access',
    '404',
    async () => () => updateAccess(store, '4294967295', { status: 'without_access' }),
  ],
  [
    'an update with a stale ETag',
    '412 etag_mismatch',
    async () => {
      const { id } = await newAccess(store)
      return () => updateAccess(store, id, { status: 'without_access' }, { headers: { 'If-Match': `"${id}-9"` } })
    },
  ],
  [
    'recorded progress with a stale ETag',
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
      return () => grant({ user_id: user.id, product_id: product.id, status: 'without_access' })
    },
  ],
  [
    'a grant to an unknown user',
    '422 invalid_parameter: user_id',
    async () => {
      const { product } = await newAccess(store)
      return () => grant({ user_id: '4294967295', product_id: product.id })
    },
  ],
  [
    'a replay of a grant',
    '201',
    async () => {
      const { user } = await newAccess(store)
      const { product } = await newAccess(store)
      const body = { user_id: user.id, product_id: product.id }
      const headers = { 'X-Idempotency-Key': crypto.randomUUID() }
      await grant(body, headers)
      return () => grant(body, headers)
    },
  ],
  ['a read', '200', async () => () => INTEGRATOR.send('GET', store, '/product_accesses')],
]

describe('No event is written by', () => {
  it.each(silent)('%s (%s)', async (_, outcome, prepare) => {
    const send = await prepare()
    const before = await recordsOf(store)
    let answer: Answer | undefined
    const events = await recordEvents(store, async () => (answer = await send()))
    expect(answer && summary(answer)).toBe(outcome)
    expect(events).toEqual([])
    expect(await recordsOf(store)).toEqual(before)
  })
})
