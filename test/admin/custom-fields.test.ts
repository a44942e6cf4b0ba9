import { beforeAll, describe, expect, it } from 'vitest'
import { admin, createV1, newStore, refused, summary, type TestStore, TIMESTAMP, v1User } from '../support/api.ts'

let store: TestStore
let path: string

beforeAll(async () => {
  store = await newStore()
  path = `/stores/${store.id}/custom_fields`
})

describe('PUT /admin/stores/{store_id}/custom_fields/{key}', () => {
  it('answers 201 with the field the first time, 200 afterwards', async () => {
    const first = await admin('PUT', `${path}/first`, { label: 'Department' })
    expect(first.status).toBe(201)
    expect(first.json).toEqual({
      key: 'first',
      label: 'Department',
      created_at: expect.stringMatching(TIMESTAMP),
    })
    const second = await admin('PUT', `${path}/first`, { label: 'Team' })
    expect(second.status).toBe(200)
    expect(second.json).toEqual({ ...first.json, label: 'Team' })
  })

  it('answers a null label where none was given', async () => {
    expect((await admin('PUT', `${path}/unlabelled`, {})).json.label).toBeNull()
  })

  it.each([{}, { label: null }])('keeps the label for %j', async (body) => {
    const key = `k-${crypto.randomUUID()}`
    await admin('PUT', `${path}/${key}`, { label: 'Department' })
    const { status, json } = await admin('PUT', `${path}/${key}`, body)
    expect(status).toBe(200)
    expect(json.label).toBe('Department')
  })

  it.each(['a', 'A', '0', '_', '-a', 'a.b', '...', '__proto__', 'constructor', 'x'.repeat(64)])(
    'takes the key %s',
    async (key) => {
      const { status, json } = await admin('PUT', `${path}/${key}`, {})
      expect(status).toBe(201)
      expect(json.key).toBe(key)
    },
  )

  it.each([
    ['a%20b', 'a b'],
    ['%C3%A9', 'é'],
    ['a%2Fb', 'a/b'],
    ['a%0A', 'a\n'],
    ['%00', '\0'],
    ['a,b', 'a,b'],
    ['x'.repeat(65), 'x'.repeat(65)],
  ])('answers 422 for the key %s', async (key, echoed) => {
    const answer = await admin('PUT', `${path}/${key}`, {})
    expect(summary(answer)).toBe('422 invalid_parameter: key')
    expect(refused(answer)).toEqual({ key: echoed })
  })

  it.each<[unknown, string]>([
    ['', ''],
    [' ', ' '],
    [5, '5'],
    [['a'], '["a"]'],
    ['x'.repeat(256), 'x'.repeat(256)],
    ['\0', '\0'],
  ])('answers 422 for the label %j', async (label, echoed) => {
    const answer = await admin('PUT', `${path}/labelled`, { label })
    expect(summary(answer)).toBe('422 invalid_parameter: label')
    expect(refused(answer)).toEqual({ label: echoed })
  })

  it('takes a label of 255 code points', async () => {
    const label = '😀'.repeat(255)
    expect((await admin('PUT', `${path}/emoji`, { label })).json.label).toBe(label)
  })

  it('answers 400 malformed_body without a body', async () => {
    expect(summary(await admin('PUT', `${path}/a`))).toBe('400 malformed_body: body')
  })

  it('defines the field in its own store alone', async () => {
    const other = await newStore()
    await admin('PUT', `${path}/own`, {})
    expect((await admin('GET', `/stores/${other.id}/custom_fields`)).json).toEqual({ data: [], next: null })
  })
})

describe('GET /admin/stores/{store_id}/custom_fields', () => {
  it('answers pages in the order of the keys, each once', async () => {
    const other = await newStore()
    for (const key of ['b', 'a', 'B', '__proto__', 'a.b']) {
      await admin('PUT', `/stores/${other.id}/custom_fields/${key}`, { label: `Label ${key}` })
    }
    const first = await admin('GET', `/stores/${other.id}/custom_fields?limit=2`)
    const second = await admin('GET', `/stores/${other.id}/custom_fields?limit=2&after=${first.json.next}`)
    const third = await admin('GET', `/stores/${other.id}/custom_fields?limit=2&after=${second.json.next}`)
    expect([first, second, third].map(({ json }) => json.data.map(({ key }: any) => key))).toEqual([
      ['B', '__proto__'],
      ['a', 'a.b'],
      ['b'],
    ])
    expect(third.json).toEqual({
      data: [{ key: 'b', label: 'Label b', created_at: expect.stringMatching(TIMESTAMP) }],
      next: null,
    })
  })
})

describe('DELETE /admin/stores/{store_id}/custom_fields/{key}', () => {
  it('answers 204 without a body, and 404 the second time', async () => {
    await admin('PUT', `${path}/doomed`, {})
    const first = await admin('DELETE', `${path}/doomed`)
    expect(first.status).toBe(204)
    expect(first.text).toBe('')
    expect(summary(await admin('DELETE', `${path}/doomed`))).toBe('404 not_found')
  })

  it('stops new values at once on this instance, and keeps those that users have', async () => {
    const other = await newStore()
    await admin('PUT', `/stores/${other.id}/custom_fields/rank`, {})
    const fields = { custom_fields: { rank: 1 } }
    const { json: user } = await createV1(other, v1User(fields))
    await admin('DELETE', `/stores/${other.id}/custom_fields/rank`)
    expect(summary(await createV1(other, v1User(fields)))).toBe('422 invalid_parameter: custom_fields.rank')
    expect((await admin('GET', `/stores/${other.id}/users/${user.id}`)).json.custom_fields).toEqual({ rank: 1 })
  })

  it('is defined anew by another PUT, with 201', async () => {
    await admin('PUT', `${path}/again`, { label: 'Old' })
    await admin('DELETE', `${path}/again`)
    const { status, json } = await admin('PUT', `${path}/again`, {})
    expect(status).toBe(201)
    expect(json.label).toBeNull()
  })

  it('answers 404 for a field of another store, which stays', async () => {
    const other = await newStore()
    await admin('PUT', `/stores/${other.id}/custom_fields/theirs`, {})
    expect(summary(await admin('DELETE', `${path}/theirs`))).toBe('404 not_found')
    expect((await admin('PUT', `/stores/${other.id}/custom_fields/theirs`, {})).status).toBe(200)
  })

  it.each(['nothing', 'a%20b', '%00', 'x'.repeat(300)])('answers 404 for the key %s', async (key) => {
    expect(summary(await admin('DELETE', `${path}/${key}`))).toBe('404 not_found')
  })
})
