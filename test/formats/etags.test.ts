/** ETag and If-Match follow RFC 9110 (8.8.3, 13.1.1): without them, a client can overwrite a change that it has not seen. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Answer } from '../support/openapi.ts'
import {
  call,
  type CallOptions,
  createV1,
  newAccess,
  newStore,
  newUser,
  summary,
  updateAccess,
  v1User,
} from '../support/api.ts'
import { INTEGRATOR } from '../support/callers.ts'
import { recordEvents } from '../support/events.ts'
import { faultyD1, faultyKv, loses, losesAnswer } from '../support/faults.ts'
import { newProduct, type TestStore } from '../support/rows.ts'

const STRONG = /^"[\x21\x23-\x7e]+"$/

let store: TestStore

beforeEach(async () => {
  store = await newStore()
})

function patch(id: string, body: unknown, options: CallOptions = {}) {
  return INTEGRATOR.send('PATCH', store, `/product_accesses/${id}`, { body, ...options })
}

async function read(id: string) {
  const { json, headers } = await INTEGRATOR.send('GET', store, `/product_accesses/${id}`)
  return { access: json, etag: headers.get('ETag') ?? '' }
}

const ifMatch = (tag: string) => ({ headers: { 'If-Match': tag } })

const send =
  (method: string) =>
  (id: string, body: unknown, options: CallOptions = {}) =>
    INTEGRATOR.send(method, store, `/product_accesses/${id}`, { body, ...options })

/** Each operation on an access that supports If-Match has a body here that differs from the current record. */
const UPDATES = [
  {
    name: 'PUT /v1/stores/{store_id}/product_accesses/{id}',
    success: '201',
    notFound: '404',
    invalid: { status: 'open' },
    invalidField: 'status',
    send: send('PUT'),
    body: (i: number): object => ({ access_due_date: new Date(Date.UTC(2030, 0, i)).toISOString() }),
  },
  {
    name: 'PATCH /v1/stores/{store_id}/product_accesses/{id}',
    success: '200',
    notFound: '404 not_found',
    invalid: { progress: 101 },
    invalidField: 'progress',
    send: send('PATCH'),
    body: (i: number): object => ({ progress: i }),
  },
]

describe('The ETag of an access', () => {
  it('is strong and the same in every response that shows one state', async () => {
    const access = await newAccess(store)
    const path = `/product_accesses/${access.id}`
    const answers = [await INTEGRATOR.send('GET', store, path), await INTEGRATOR.send('HEAD', store, path)]
    answers.push(await updateAccess(store, access.id, {}), await patch(access.id, {}))
    const tags = answers.map(({ headers }) => headers.get('ETag'))
    expect(tags[0]).toMatch(STRONG)
    expect(new Set(tags).size).toBe(1)
  })

  it('is in the response to the grant', async () => {
    const user = await createV1(store, v1User())
    const ids = { user_id: user.json.id, product_id: (await newProduct(store)).id }
    const granted = await INTEGRATOR.send('POST', store, '/product_accesses', { body: ids })
    expect(granted.headers.get('ETag')).toBe((await read(granted.json.id)).etag)
  })

  it('does not change with the name of the user', async () => {
    const { id, user } = await newAccess(store)
    const { etag, access } = await read(id)
    await INTEGRATOR.send('PATCH', store, `/users/${user.id}`, { body: { name: 'Augusta' } })
    expect(await read(id)).toEqual({ etag, access: { ...access, user: { ...access.user, name: 'Augusta' } } })
  })

  it('changes with every change by anyone, even back to an earlier state', async () => {
    const { id } = await newAccess(store)
    const tags = [(await read(id)).etag]
    for (const change of [
      () => updateAccess(store, id, { status: 'without_access' }),
      () => patch(id, { progress: 10 }),
      () => updateAccess(store, id, { status: 'with_access' }),
      () => patch(id, { progress: 0 }),
      () => updateAccess(store, id, { access_due_date: '2030-01-01T00:00:00Z' }),
    ]) {
      tags.push((await change()).headers.get('ETag') ?? '')
      expect((await read(id)).etag).toBe(tags.at(-1))
    }
    expect(new Set(tags).size).toBe(6)
    for (const tag of tags) expect(tag).toMatch(STRONG)
  })

  it('stays the same when nothing changes', async () => {
    const { id } = await newAccess(store)
    await patch(id, { progress: 10, grade: 'A', passed: true })
    const { access, etag } = await read(id)
    const { status, access_due_date, progress, grade, passed } = access
    const answers = [
      await updateAccess(store, id, {}),
      await updateAccess(store, id, { status, access_due_date }),
      await patch(id, { progress, grade, passed }),
      await updateAccess(store, id, { status: 'open' }),
    ]
    expect(answers.map(({ headers }) => headers.get('ETag'))).toEqual([etag, etag, etag, null])
    expect((await read(id)).etag).toBe(etag)
  })

  it('is that of the state which a replay shows, stored or rebuilt from the record', async () => {
    const user = await newUser(store)
    const body = { user_id: user.id, product_id: (await newProduct(store)).id }
    const headers = { 'X-Idempotency-Key': crypto.randomUUID() }
    const grant = (bindings = {}) =>
      call('POST', `/v1/stores/${store.id}/product_accesses`, { token: store.token, body, headers, bindings })
    const first = await grant()
    const changed = await updateAccess(store, first.json.id, { status: 'without_access' })
    const [stored, rebuilt] = [await grant(), await grant({ REPLAYS: faultyKv(env.REPLAYS, () => 'loses').REPLAYS })]
    expect([stored.text, stored.headers.get('ETag')]).toEqual([first.text, first.headers.get('ETag')])
    expect([rebuilt.json.status, rebuilt.headers.get('ETag')]).toEqual(['without_access', changed.headers.get('ETag')])
  })

  it('differs from that of another access', async () => {
    const [first, second] = [await newAccess(store), await newAccess(store)]
    expect((await read(first.id)).etag).not.toBe((await read(second.id)).etag)
  })
})

describe.each(UPDATES)('$name with If-Match', ({ send, body, success, notFound, invalid, invalidField }) => {
  /** Returns an access with an earlier ETag and its current one. */
  async function changed() {
    const { id } = await newAccess(store)
    const { etag: stale } = await read(id)
    await send(id, body(1))
    return { id, stale, ...(await read(id)) }
  }

  async function changesOf(id: string): Promise<number> {
    return (await INTEGRATOR.send('GET', store, `/product_accesses/${id}/events`)).json.data.length
  }

  it.each<[string, (etag: string, stale: string) => string]>([
    ['the ETag', (etag) => etag],
    ['any (*)', () => '*'],
    ['a list with the ETag last', (etag, stale) => `"x","y" ,\t${stale},${etag}`],
    ['the weak form of the ETag, as Cloudflare compresses a response', (etag) => `W/${etag}`],
    ['a list with the weak form of the ETag', (etag, stale) => `W/${stale}, W/${etag}`],
  ])('returns success, a new ETag and one event for %s', async (_, tag) => {
    const { id, etag, stale, access } = await changed()
    const events = await recordEvents(store, async () => {
      const answer = await send(id, body(2), ifMatch(tag(etag, stale)))
      expect(summary(answer)).toBe(success)
      expect(answer.headers.get('ETag')).not.toBe(etag)
      expect(answer.json).toEqual({ ...access, ...body(2) })
    })
    expect(events).toHaveLength(1)
    expect(await changesOf(id)).toBe(3)
  })

  it.each<[string, (etag: string, stale: string, other: string) => string]>([
    ['an earlier ETag', (_, stale) => stale],
    ['the weak form of an earlier ETag', (_, stale) => `W/${stale}`],
    ['the ETag with a suffix, as other proxies write it', (etag) => etag.replace(/"$/, '-gzip"')],
    ['the ETag of another access', (_etag, _stale, other) => other],
  ])('returns 412 etag_mismatch for %s and changes nothing', async (_, tag) => {
    const { id, etag, stale, access } = await changed()
    const { etag: other } = await changed()
    const sent = ifMatch(tag(etag, stale, other))
    const events = await recordEvents(store, async () => {
      for (const nothing of [body(2), body(1), {}]) {
        const answer = await send(id, nothing, sent)
        expect(summary(answer)).toBe('412 etag_mismatch')
        expect(answer.json).toMatchObject({ type: 'precondition_failed', message: expect.any(String) })
        expect(answer.json).not.toHaveProperty('details')
        expect(answer.headers.has('ETag')).toBe(false)
      }
    })
    expect(events).toEqual([])
    expect(await read(id)).toEqual({ access, etag })
  })

  it('returns success and the same ETag when nothing changes', async () => {
    const { id, etag } = await changed()
    for (const nothing of [{}, body(1)]) {
      const answer = await send(id, nothing, ifMatch(etag))
      expect(summary(answer)).toBe(success)
      expect(answer.headers.get('ETag')).toBe(etag)
    }
  })

  it.each(['*', '"1-1"'])('returns 404 for %s when the access does not exist', async (tag) => {
    for (const unknown of ['4294967295', 'abc', '0']) {
      expect(summary(await send(unknown, body(1), ifMatch(tag)))).toBe(notFound)
      expect(summary(await send(unknown, {}, ifMatch(tag)))).toBe(notFound)
      expect(summary(await send(unknown, body(1), ifMatch(`"${unknown}-1"`)))).toBe(notFound)
    }
  })

  it('returns 422 and 400 before 412', async () => {
    const { id, stale } = await changed()
    expect(summary(await send(id, invalid, ifMatch(stale)))).toBe(`422 invalid_parameter: ${invalidField}`)
    expect(summary(await send(id, '[', ifMatch(stale)))).toBe('400 malformed_body: body')
  })

  it('accepts one of 10 concurrent updates with the same ETag', async () => {
    const { id, etag } = await changed()
    let answers: Answer[] = []
    const events = await recordEvents(store, async () => {
      answers = await Promise.all(Array.from({ length: 10 }, (_, i) => send(id, body(i + 2), ifMatch(etag))))
    })
    const winners = answers.filter((answer) => summary(answer) === success)
    expect(winners).toHaveLength(1)
    expect(answers.filter((answer) => summary(answer) === '412 etag_mismatch')).toHaveLength(9)
    expect(events.map(({ request_id }) => request_id)).toEqual([winners[0]?.headers.get('X-Request-Id')])
    expect((await read(id)).access).toEqual(winners[0]?.json)
  })

  it.each(['before', 'after'] as const)('returns the usual response when D1 fails %s the commit', async (when) => {
    const { id, etag, stale, access } = await changed()
    const refused = await send(id, body(2), { ...ifMatch(stale), bindings: faultyD1(env.DB, loses(when, 1)) })
    expect(summary(refused)).toBe('412 etag_mismatch')
    const { DB, roundTrips } = faultyD1(env.DB, loses(when, 1))
    const answer = await send(id, body(2), { ...ifMatch(etag), bindings: { DB } })
    expect(summary(answer)).toBe(success)
    expect(answer.json).toEqual({ ...access, ...body(2) })
    expect(answer.headers.get('ETag')).toBe((await read(id)).etag)
    expect(roundTrips()).toBe(2)
    expect(await changesOf(id)).toBe(3)
  })

  it('returns the current record when another request changes it between a lost response and the retry', async () => {
    const { id, etag } = await changed()
    const { DB } = faultyD1(
      env.DB,
      losesAnswer(() => patch(id, { grade: 'A' })),
    )
    const answer = await send(id, body(2), { ...ifMatch(etag), bindings: { DB } })
    expect(summary(answer)).toBe(success)
    expect(answer.json).toMatchObject({ ...body(2), grade: 'A' })
    expect(await changesOf(id)).toBe(4)
  })
})

describe('The header If-Match', () => {
  it('is ignored by operations that do not change an existing record', async () => {
    const headers = { 'If-Match': '"1-1"' }
    const { id } = await newAccess(store)
    const answers = [
      await createV1(store, v1User(), { headers }),
      await call('GET', '/v1/token', { token: store.token, headers }),
      await INTEGRATOR.send('GET', store, '/events', { headers }),
      await INTEGRATOR.send('GET', store, `/product_accesses/${id}`, { headers }),
    ]
    expect(answers.map(summary)).toEqual(['201', '200', '200', '200'])
  })
})
