import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import {
  admin,
  call,
  type CallOptions,
  createV1,
  ID,
  newEmail,
  newStore,
  refused,
  summary,
  TIMESTAMP,
  v1User,
} from '../../support/api.ts'
import { useStillClock } from '../../support/clock.ts'
import { faultyD1, losesAnswer } from '../../support/faults.ts'
import { newOperator } from '../../support/operators.ts'
import { rowsOf, tokenRow } from '../../support/rows.ts'

const uniqueName = () => `Operator ${crypto.randomUUID()}`

function create(body: object, options: CallOptions = {}) {
  return call('POST', '/admin/operators', { token: env.ADMIN_TOKEN, body, ...options })
}

/** Returns the events of an operator. Operators belong to store number 0, so their ids equal their local ids. */
function eventsAbout(id: string): Promise<any[]> {
  return rowsOf('select * from events where id < 4294967296 and subject_id = ? order by id', Number(id))
}

describe('POST /admin/operators', () => {
  it.each(['viewer', 'office', 'admin'])(
    'returns 201 with an operator of the role %s and, only this time, the token',
    async (role) => {
      const name = uniqueName()
      const answer = await create({ name, role })
      expect(answer.status).toBe(201)
      expect(answer.json).toEqual({
        id: expect.stringMatching(ID),
        name,
        role,
        email: null,
        stores: null,
        created_at: expect.stringMatching(TIMESTAMP),
        revoked_at: null,
        last_used_at: null,
        token: expect.stringMatching(/^rgo_[A-Za-z0-9_-]{1,156}$/),
      })
      const [event, ...others] = await eventsAbout(answer.json.id)
      expect(others).toEqual([])
      expect(event).toMatchObject({
        type: 'operator.created',
        request_id: answer.headers.get('X-Request-Id'),
        actor_id: 0,
        previous_id: null,
      })
    },
  )

  it('creates the operator once when its response was lost, even if another one was created in between', async () => {
    for (const others of [async () => {}, () => newOperator('viewer')]) {
      const { DB, roundTrips } = faultyD1(env.DB, losesAnswer(others))
      const { status, json } = await create({ name: uniqueName(), role: 'admin' }, { bindings: { DB } })
      expect([status, roundTrips()]).toEqual([201, 2])
      expect(await rowsOf('select id from access_tokens where name = ?', json.name)).toHaveLength(1)
      expect(await eventsAbout(json.id)).toHaveLength(1)
      expect((await call('GET', '/admin/operator', { token: json.token })).json.id).toBe(json.id)
    }
  })

  it('creates the operator once when its response was lost and it was revoked in between', async () => {
    const name = uniqueName()
    const named = () => rowsOf('select * from access_tokens where name = ?', name)
    const revoke = async () => {
      const [row] = await named()
      return admin('DELETE', `/operators/${row.id}`)
    }
    const { DB, roundTrips } = faultyD1(env.DB, losesAnswer(revoke))
    const { status, json } = await create({ name, role: 'admin' }, { bindings: { DB } })
    expect([status, roundTrips(), json.revoked_at]).toEqual([201, 2, expect.stringMatching(TIMESTAMP)])
    expect(await named()).toHaveLength(1)
    expect((await eventsAbout(json.id)).map(({ type }) => type)).toEqual(['operator.created', 'operator.revoked'])
    expect(summary(await call('GET', '/admin/operator', { token: json.token }))).toBe('401 invalid_token')
  })

  it.each<[object, string]>([
    [{}, '400 missing_parameter: name'],
    [{ name: 'A' }, '400 missing_parameter: role'],
    [{ role: 'root', name: ' ' }, '422 invalid_parameter: name, role'],
    [{ name: 'A', role: 'viewer', scopes: [] }, '422 invalid_parameter: scopes'],
    [{ name: 'A', role: 'viewer', email: 'ada', stores: [] }, '422 invalid_parameter: email, stores'],
    [{ name: 'A', role: 'viewer', stores: 'academy' }, '422 invalid_parameter: stores'],
    [{ name: 'A', role: 'viewer', stores: Array(101).fill('a') }, '422 invalid_parameter: stores'],
    [{ name: 'A', role: 'viewer', stores: ['a', 'a'] }, '422 invalid_parameter: stores'],
    [{ name: 'A', role: 'viewer', stores: ['a', 'A', 5] }, '422 invalid_parameter: stores.1, stores.2'],
  ])('returns for %j the error %s', async (body, expected) => {
    expect(summary(await create(body))).toBe(expected)
  })

  it('returns 422 for an unknown role and echoes it', async () => {
    expect(refused(await create({ name: 'A', role: 'root' }))).toEqual({ role: 'root' })
  })

  it.each(['viewer', 'admin'] as const)(
    'returns 403 to an operator of the role %s, with root as the required role',
    async (role) => {
      const { token } = await newOperator(role)
      const answer = await create({ name: uniqueName(), role: 'viewer' }, { token })
      expect(summary(answer)).toBe('403 insufficient_scope')
      expect(answer.headers.get('WWW-Authenticate')).toBe(
        'Bearer realm="registrar", error="insufficient_scope", scope="root"',
      )
    },
  )
})

describe('GET /admin/operators', () => {
  useStillClock()

  it('returns pages in the order of the ids to any operator, with revoked ones and without tokens', async () => {
    const before = await newOperator('viewer')
    const [first, second, third] = [
      await newOperator('viewer'),
      await newOperator('admin'),
      await newOperator('viewer'),
    ]
    await admin('DELETE', `/operators/${second.id}`)
    const list = (query: string) => call('GET', `/admin/operators?${query}`, { token: third.token })
    const page = await list(`limit=2&after=${before.id}`)
    const { token: _, ...shown } = first
    expect(page.json).toEqual({
      data: [shown, { ...second, token: undefined, revoked_at: expect.stringMatching(TIMESTAMP) }],
      next: second.id,
    })
    const [{ last_used_at }] = (await list(`limit=1&after=${second.id}`)).json.data
    expect(last_used_at).toBe(`${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`)
    const rest = await list(`after=${page.json.next}`)
    expect(rest.json.data.map(({ id }: any) => id)).toContain(third.id)
    for (const { text } of [page, rest]) expect(text).not.toMatch(/"token"|rgo_/)
  })
})

describe('DELETE /admin/operators/{id}', () => {
  it('returns 204, then 404, and the operator is rejected from the next request on', async () => {
    const { id, token } = await newOperator('admin')
    expect((await call('GET', '/admin/stores', { token })).status).toBe(200)
    const answer = await admin('DELETE', `/operators/${id}`)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(summary(await call('GET', '/admin/stores', { token }))).toBe('401 invalid_token')
    expect(summary(await admin('DELETE', `/operators/${id}`))).toBe('404 not_found')
    expect((await eventsAbout(id)).map(({ type }) => type)).toEqual(['operator.created', 'operator.revoked'])
  })

  it('revokes the operator once when its response was lost, even if another one was created in between', async () => {
    for (const others of [async () => {}, () => newOperator('viewer')]) {
      const { id } = await newOperator('viewer')
      const { DB, roundTrips } = faultyD1(env.DB, losesAnswer(others))
      const answer = await call('DELETE', `/admin/operators/${id}`, { token: env.ADMIN_TOKEN, bindings: { DB } })
      expect([answer.status, roundTrips()]).toEqual([204, 2])
      expect(await eventsAbout(id)).toHaveLength(2)
    }
  })

  it.each(['abc', '4294967295'])('returns 404 for the id %s', async (id) => {
    expect(summary(await admin('DELETE', `/operators/${id}`))).toBe('404 not_found')
  })

  it('returns 404 for a token of a store and does not revoke it', async () => {
    const store = await newStore()
    const { id } = await tokenRow(store)
    expect(summary(await admin('DELETE', `/operators/${id}`))).toBe('404 not_found')
    expect((await createV1(store, v1User())).status).toBe(201)
  })
})

describe('GET /admin/operator', () => {
  it('returns the root without an id and without a round trip', async () => {
    const { DB, roundTrips } = faultyD1(env.DB)
    const { status, json } = await call('GET', '/admin/operator', { token: env.ADMIN_TOKEN, bindings: { DB } })
    expect(status).toBe(200)
    expect(json).toEqual({ id: null, name: 'root', role: 'root', email: null, stores: null })
    expect(roundTrips()).toBe(0)
  })

  it.each(['viewer', 'office', 'admin'] as const)('returns the operator with the role %s', async (role) => {
    const [store, email] = [await newStore(), newEmail()]
    const { id, name, token } = await newOperator(role, { email, stores: [store.id] })
    const { json } = await call('GET', '/admin/operator', { token })
    expect(json).toEqual({ id, name, role, email, stores: [store.id] })
  })

  it('returns 401 to a token of a store', async () => {
    const { token } = await newStore()
    expect(summary(await call('GET', '/admin/operator', { token }))).toBe('401 invalid_token')
  })
})

describe('An operator', () => {
  it('is rejected on v1 with 401', async () => {
    const [store, { token }] = [await newStore(), await newOperator('admin')]
    expect(summary(await createV1({ ...store, token }, v1User()))).toBe('401 invalid_token')
  })
})
