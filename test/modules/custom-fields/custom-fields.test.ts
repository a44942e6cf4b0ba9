import { beforeAll, describe, expect, it } from 'vitest'
import { env } from 'cloudflare:workers'
import { admin, call, createV1, newStore, refused, summary, TIMESTAMP, useStore, v1User } from '../../support/api.ts'
import { faultyD1, losesAnswer } from '../../support/faults.ts'
import { inStore } from '../../support/places.ts'
import { eventsOf, numberOf, usersOf } from '../../support/rows.ts'

const store = useStore()
let path: string

beforeAll(async () => {
  path = `/stores/${store.id}/custom_fields`
})

describe('PUT /admin/stores/{store_id}/custom_fields/{key}', () => {
  it('returns 201 with the field the first time and 200 afterwards', async () => {
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

  it('returns a null label when it was omitted', async () => {
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
    'accepts the key %s',
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
  ])('returns 422 for the key %s', async (key, echoed) => {
    const answer = await admin('PUT', `${path}/${key}`, {})
    expect(summary(answer)).toBe('422 invalid_parameter: key')
    expect(refused(answer)).toEqual({ key: echoed })
  })

  it.each<[unknown, string]>([
    ['', ''],
    [5, '5'],
    ['x'.repeat(256), 'x'.repeat(256)],
  ])('returns 422 for the label %j', async (label, echoed) => {
    const answer = await admin('PUT', `${path}/labelled`, { label })
    expect(summary(answer)).toBe('422 invalid_parameter: label')
    expect(refused(answer)).toEqual({ label: echoed })
  })

  it('accepts a label of 255 code points', async () => {
    const label = '😀'.repeat(255)
    expect((await admin('PUT', `${path}/emoji`, { label })).json.label).toBe(label)
  })

  it('treats an omitted body as an empty object', async () => {
    expect((await admin('PUT', `${path}/bodiless`)).json.label).toBeNull()
  })

  it('defines the field only in its own store', async () => {
    const other = await newStore()
    await admin('PUT', `${path}/own`, {})
    expect((await admin('GET', `/stores/${other.id}/custom_fields`)).json).toEqual({ data: [], next: null })
  })
})

describe('GET /admin/stores/{store_id}/custom_fields', () => {
  it('returns pages in the order of the keys, each field once', async () => {
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
  it('returns 204 without a body, and 404 the second time', async () => {
    await admin('PUT', `${path}/doomed`, {})
    const first = await admin('DELETE', `${path}/doomed`)
    expect(first.status).toBe(204)
    expect(first.text).toBe('')
    expect(summary(await admin('DELETE', `${path}/doomed`))).toBe('404 not_found')
  })

  it('rejects new values immediately and keeps the values of users', async () => {
    const other = await newStore()
    await admin('PUT', `/stores/${other.id}/custom_fields/rank`, {})
    const fields = { custom_fields: { rank: 1 } }
    const { json: user } = await createV1(other, v1User(fields))
    await admin('DELETE', `/stores/${other.id}/custom_fields/rank`)
    expect(summary(await createV1(other, v1User(fields)))).toBe('422 invalid_parameter: custom_fields.rank')
    const row = (await usersOf(other)).find(({ id }) => numberOf(id) === Number(user.id))
    expect(JSON.parse(row.custom_fields)).toEqual({ rank: 1 })
  })

  it('allows a later PUT to define the field again, with 201', async () => {
    await admin('PUT', `${path}/again`, { label: 'Old' })
    await admin('DELETE', `${path}/again`)
    const { status, json } = await admin('PUT', `${path}/again`, {})
    expect(status).toBe(201)
    expect(json.label).toBeNull()
  })

  it('returns 404 for a field of another store and does not delete it', async () => {
    const other = await newStore()
    await admin('PUT', `/stores/${other.id}/custom_fields/theirs`, {})
    expect(summary(await admin('DELETE', `${path}/theirs`))).toBe('404 not_found')
    expect((await admin('PUT', `/stores/${other.id}/custom_fields/theirs`, {})).status).toBe(200)
  })

  it.each(['nothing', 'a%20b', '%00', 'x'.repeat(300)])('returns 404 for the key %s', async (key) => {
    expect(summary(await admin('DELETE', `${path}/${key}`))).toBe('404 not_found')
  })
})

describe('The events of a custom field', () => {
  it('contain the key and the change of the label, and do not exist when nothing changes', async () => {
    const other = await newStore()
    const field = `/stores/${other.id}/custom_fields/rank`
    for (const body of [{}, {}, { label: 'Rank' }, { label: 'Rank' }, { label: null }, { label: 'Grade' }]) {
      await admin('PUT', field, body)
    }
    await admin('DELETE', field)
    const events = (await eventsOf(other)).filter(({ type }) => type.startsWith('custom_field.'))
    const [first] = events
    const key = { custom_field_key: 'rank' }
    expect(events.map(({ type, data, subject_id }) => [type, JSON.parse(data), subject_id])).toEqual([
      ['custom_field.created', key, first.id],
      ['custom_field.updated', { ...key, changes: { label: { from: null, to: 'Rank' } } }, first.id],
      ['custom_field.updated', { ...key, changes: { label: { from: 'Rank', to: 'Grade' } } }, first.id],
      ['custom_field.deleted', key, first.id],
    ])
    expect(events.map(({ previous_id }) => previous_id)).toEqual([null, ...events.slice(0, 3).map(({ id }) => id)])
  })
})

describe('The change of a label whose response was lost', () => {
  it.each<[string, (field: string) => Promise<unknown>, string, string | null]>([
    ['is applied once', async () => {}, '200', 'New'],
    ['does not undo a later change', (field) => admin('PUT', field, { label: 'Later' }), '200', 'Later'],
    ['does not define a deleted field again', (field) => admin('DELETE', field), '404 not_found', null],
  ])('%s', async (_, others, expected, label) => {
    const other = await newStore()
    const field = `/stores/${other.id}/custom_fields/rank`
    await admin('PUT', field, { label: 'Old' })
    const { DB } = faultyD1(env.DB, inStore(losesAnswer(() => others(field))))
    const options = { token: env.ADMIN_TOKEN, body: { label: 'New' }, bindings: { DB } }
    const answer = await call('PUT', `/admin${field}`, options)
    expect(summary(answer)).toBe(expected)
    const { json } = await admin('GET', `/stores/${other.id}/custom_fields`)
    expect(json.data.map((row: any) => row.label)).toEqual(label === null ? [] : [label])
    const updates = (await eventsOf(other)).filter(({ data }) => data?.includes('"to":"New"'))
    expect(updates).toHaveLength(1)
  })
})

describe('Two concurrent PUTs of a new key', () => {
  it('define the field once and return 201 and 200', async () => {
    const other = await newStore()
    const put = () => admin('PUT', `/stores/${other.id}/custom_fields/rank`, {})
    const answers = await Promise.all([put(), put()])
    expect(answers.map(summary).toSorted()).toEqual(['200', '201'])
    expect((await eventsOf(other)).filter(({ type }) => type === 'custom_field.created')).toHaveLength(1)
  })
})
