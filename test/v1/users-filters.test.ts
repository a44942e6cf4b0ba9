import { beforeAll, describe, expect, it } from 'vitest'
import { admin, createV1, createV3, newStore, refused, summary, v1User, v3User } from '../support/api.ts'
import { insertEvents, type TestStore } from '../support/rows.ts'

let store: TestStore

beforeAll(async () => {
  store = await newStore()
})

function list(query: string, storeId = store.id) {
  return admin('GET', `/stores/${storeId}/users?${query}`)
}

describe('GET /admin/stores/{store_id}/users', () => {
  it('returns pages of v1 users in the order of the ids, with users of this store only', async () => {
    const other = await newStore()
    const created = []
    for (const name of ['C', 'A', 'B']) {
      created.push((await createV1(other, v1User({ name, password: 'correct horse battery' }))).json)
    }
    await createV1(store, v1User())

    const first = await list('limit=2', other.id)
    expect(first.status).toBe(200)
    expect(first.json).toEqual({ data: created.slice(0, 2), next: expect.any(String) })
    const second = await list(`limit=2&after=${first.json.next}`, other.id)
    expect(second.json).toEqual({ data: created.slice(2), next: null })
  })

  it('returns users that v3 created in the v1 format', async () => {
    const other = await newStore()
    const { json } = await createV3(other, v3User())
    expect((await list('', other.id)).json.data).toEqual([{ ...json, id: String(json.id) }])
  })

  it.each([
    ['as sent', (id: string) => `${id}@bücher.example`],
    ['in capitals', (id: string) => `${id.toUpperCase()}@BÜCHER.EXAMPLE`],
    ['as punycode', (id: string) => `${id}@xn--bcher-kva.example`],
  ])('finds a user by the email %s', async (_, make) => {
    const tag = crypto.randomUUID()
    const { json } = await createV1(store, v1User({ email: `${tag}@bücher.example` }))
    const found = await list(`email=${encodeURIComponent(make(tag))}`)
    expect(found.json).toEqual({ data: [json], next: null })
  })

  it('finds all users with the same external_id, which is case-sensitive', async () => {
    const external_id = `Crm ${crypto.randomUUID()} é`
    const users = [await createV1(store, v1User({ external_id })), await createV1(store, v1User({ external_id }))]
    await createV1(store, v1User({ external_id: external_id.toLowerCase() }))
    const query = `external_id=${encodeURIComponent(external_id)}`
    expect((await list(query)).json).toEqual({ data: users.map(({ json }) => json), next: null })
    const [first] = (await list(`${query}&limit=1`)).json.data
    expect((await list(`${query}&after=${first.id}`)).json.data).toEqual([users[1]?.json])
  })

  it('returns only users that match all filters', async () => {
    const [external_id, body] = [crypto.randomUUID(), v1User()]
    await createV1(store, { ...body, external_id })
    const email = encodeURIComponent(body.email)
    expect((await list(`email=${email}&external_id=${external_id}`)).json.data).toHaveLength(1)
    expect((await list(`email=${email}&external_id=other`)).json).toEqual({ data: [], next: null })
  })

  it('does not find users of another store', async () => {
    const [other, body] = [await newStore(), v1User()]
    await createV1(store, body)
    expect((await list(`email=${body.email}`, other.id)).json).toEqual({ data: [], next: null })
  })

  it.each([
    ['email=nobody', 'email', 'nobody'],
    ['email=', 'email', ''],
    ['email=%C3%A9@example.com', 'email', 'é@example.com'],
    ['email=a@example.com&email=b@example.com', 'email', 'b@example.com'],
    ['external_id=%00', 'external_id', '\0'],
    [`external_id=${'x'.repeat(256)}`, 'external_id', 'x'.repeat(256)],
  ])('returns 422 for %s', async (query, field, echoed) => {
    const answer = await list(query)
    expect(summary(answer)).toBe(`422 invalid_parameter: ${field}`)
    expect(refused(answer)).toEqual({ [field]: echoed })
  })

  it('lists invalid parameters in the order of the documented table', async () => {
    const answer = await list('after=x&limit=0&external_id=%00&email=x')
    expect(summary(answer)).toBe('422 invalid_parameter: email, external_id, limit, after')
  })

  it('lists a cursor of a search without q together with another invalid parameter', async () => {
    expect(summary(await list('after=eZm9v&limit=0'))).toBe('422 invalid_parameter: limit, after')
  })

  it.each(['after=1&after=2', 'q=a&after=1&after=2', 'q=a&q=b', 'limit=1&limit=2'])(
    'returns 422 for a repeated parameter: %s',
    async (query) => {
      const [, twice] = /(\w+)=\w+&\1=/.exec(query) ?? []
      expect(summary(await list(query))).toBe(`422 invalid_parameter: ${twice}`)
    },
  )
})

describe('GET /admin/stores/{store_id}/users/{id}', () => {
  it('returns 200 with the v1 user', async () => {
    const { json: created } = await createV1(store, v1User({ country: 'gb', password: 'correct horse battery' }))
    const { status, json } = await admin('GET', `/stores/${store.id}/users/${created.id}`)
    expect(status).toBe(200)
    expect(json).toEqual(created)
  })

  it('returns 404 for a user of another store', async () => {
    const other = await newStore()
    // Each store counts its ids from 1, so the user needs an id that this store has not reached yet.
    await insertEvents(other, { type: 'user.created', count: 1000, created_at: 0 })
    const { json } = await createV1(other, v1User())
    expect(summary(await admin('GET', `/stores/${store.id}/users/${json.id}`))).toBe('404 not_found')
  })

  it.each(['0', '01', 'abc', '999999999999', '99999999999999999999', '%00'])(
    'returns 404 for the id %s',
    async (id) => {
      expect(summary(await admin('GET', `/stores/${store.id}/users/${id}`))).toBe('404 not_found')
    },
  )
})
