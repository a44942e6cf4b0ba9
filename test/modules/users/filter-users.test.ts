/** `custom_fields.{key}` in the list of users and its file. */
import { beforeAll, describe, expect, it } from 'vitest'
import { admin, call, createV1, newStore, newToken, refused, summary, v1User } from '../../support/api.ts'
import { measure, plansOf } from '../../support/costs.ts'
import { insertEvent, rowsOf, storeNumber, useToken, type TestStore } from '../../support/rows.ts'

const KEYS = ['value', 'a.b', '__proto__', 'constructor', '-', '0']

let store: TestStore

const list = (query: string, of = store, options: object = {}) =>
  call('GET', `/v1/stores/${of.id}/users?${query}`, { token: of.token, ...options })

async function newStoreWithFields(keys: string[]): Promise<TestStore> {
  const created = await newStore()
  for (const key of keys) await admin('PUT', `/stores/${created.id}/custom_fields/${key}`, {})
  return created
}

/** Creates a user with these custom fields, as JSON: a number keeps its digits. */
const create = async (of: TestStore, custom_fields: string) => {
  const body = JSON.stringify(v1User()).replace(/}$/, `,"custom_fields":${custom_fields}}`)
  return (await createV1(of, body)).json.id
}

const idsOf = ({ json }: any) => json.data.map(({ id }: any) => id)

beforeAll(async () => {
  store = await newStoreWithFields(KEYS)
})

describe('GET …/users?custom_fields.{key}=', () => {
  const VALUES = [
    '7',
    '"7"',
    '7.0',
    '7e0',
    '12345678901234567890.10',
    '-0',
    'true',
    '"true"',
    'null',
    '"null"',
    '""',
    '" 7"',
    '"7B"',
    '"ação, \\"x\\" & 100%"',
    '"\\n"',
  ]
  let own: TestStore
  /** One user for each of the values. */
  let users: string[]

  beforeAll(async () => {
    own = await newStoreWithFields(['value', 'other'])
    users = []
    for (const value of VALUES) users.push(await create(own, `{"other":"7B","value":${value}}`))
    await create(own, '{"other":"7"}')
    await createV1(own, v1User())
  })

  it.each<[string, number[]]>([
    ['7', [0, 1]],
    ['7.0', [2]],
    ['7e0', [3]],
    ['7E0', []],
    ['12345678901234567890.10', [4]],
    ['12345678901234567890.1', []],
    ['0', []],
    ['-0', [5]],
    ['true', [6, 7]],
    ['1', []],
    ['null', [8, 9]],
    ['', [10]],
    [' 7', [11]],
    ['"7"', []],
    ['"7B"', []],
    ['7B', [12]],
    ['7b', []],
    ['ação, "x" & 100%', [13]],
    ['\n', [14]],
  ])('finds %j as it is written', async (value, found) => {
    const answer = await list(`custom_fields.value=${encodeURIComponent(value)}`, own)
    expect(answer.json).toMatchObject({ next: null })
    expect(idsOf(answer)).toEqual(found.map((i) => users[i]))
  })

  it('follows an update, a batch, and the removal of the value', async () => {
    const id = await create(own, '{"value":"before"}')
    const found = async (value: string) => idsOf(await list(`custom_fields.value=${value}`, own))
    const path = `/v1/stores/${own.id}/users`
    await call('PATCH', `${path}/${id}`, { token: own.token, body: { custom_fields: { value: 'after' } } })
    expect([await found('before'), await found('after')]).toEqual([[], [id]])
    await call('PATCH', `${path}/${id}`, { token: own.token, body: { custom_fields: { value: null } } })
    expect(await found('after')).toEqual([])
    const items = [v1User({ custom_fields: { value: 'batch' } })]
    const { json } = await call('POST', `${path}/batch`, { token: own.token, body: { items } })
    expect(await found('batch')).toEqual([json.results[0].id])
  })

  it.each(KEYS)('takes the key %s as it is', async (key) => {
    const id = await create(store, `{${JSON.stringify(key)}:"of ${key}"}`)
    await create(store, '{"value":{"b":1}}'.replace('{"b":1}', '"b"'))
    for (const name of [`custom_fields.${key}`, `custom%5ffields%2E${key.replaceAll('.', '%2e')}`])
      expect(idsOf(await list(`${name}=of+${encodeURIComponent(key)}`))).toEqual([id])
  })

  it('is combined with other filters, in both orders, page by page', async () => {
    const few = await newStoreWithFields(['class'])
    const all = []
    for (const external_id of ['x', 'y', 'x', 'x']) {
      const body = v1User({ external_id, custom_fields: { class: external_id === 'y' ? '7C' : '7B' } })
      all.push((await createV1(few, body)).json)
    }
    const [a, b, c, d] = all
    expect((await list('custom_fields.class=7B', few)).json).toEqual({ data: [a, c, d], next: null })
    expect((await list('custom_fields.class=7B&order=desc&limit=2', few)).json).toEqual({ data: [d, c], next: c.id })
    expect((await list(`custom_fields.class=7B&order=desc&limit=2&after=${c.id}`, few)).json.data).toEqual([a])
    expect((await list('custom_fields.class=7B&external_id=x&limit=1', few)).json).toEqual({ data: [a], next: a.id })
    expect((await list(`custom_fields.class=7B&ids=${b.id},${c.id}`, few)).json).toEqual({ data: [c], next: null })
    expect((await list(`custom_fields.class=7B&email=${b.email}`, few)).json.data).toEqual([])
    expect((await list(`custom_fields.class=7C&email=${b.email}&external_id=y`, few)).json.data).toEqual([b])
    const { text } = await admin('GET', `/stores/${few.id}/users.csv?custom_fields.class=7B&external_id=x`)
    expect(text.match(/^\d+/gm)).toEqual([a.id, c.id, d.id])
    expect((await admin('GET', `/stores/${few.id}/users?custom_fields.class=7C`)).json.data).toEqual([b])
  })

  it.each([
    ['custom_fields.none=1', 'custom_fields.none', { 'custom_fields.none': '1' }],
    ['custom_fields.=1', 'custom_fields.', { 'custom_fields.': '1' }],
    ['custom_fields.%C3%A4=1', 'custom_fields.ä', { 'custom_fields.ä': '1' }],
    [
      `custom_fields.${'k'.repeat(65)}=1`,
      `custom_fields.${'k'.repeat(65)}`,
      { [`custom_fields.${'k'.repeat(65)}`]: '1' },
    ],
    ['custom_fields.value=1&custom_fields.a.b=2', 'custom_fields.a.b', { 'custom_fields.a.b': '2' }],
    ['custom_fields.value=1&custom_fields.value=1', 'custom_fields.value', { 'custom_fields.value': '1' }],
    ['custom_fields.value=1&q=ada', 'custom_fields.value', { 'custom_fields.value': '1' }],
    [
      'custom_fields.value=1&custom_fields.other=2&q=',
      'q, custom_fields.value, custom_fields.other',
      { q: '', 'custom_fields.value': '1', 'custom_fields.other': '2' },
    ],
    ['custom_fields.%20=1&q=ada', 'custom_fields. ', { 'custom_fields. ': '1' }],
    ['custom_fields.value=%00', 'custom_fields.value', { 'custom_fields.value': '\0' }],
    ['custom_fields.value=%ff', 'custom_fields.value', { 'custom_fields.value': '\ufffd' }],
    [`custom_fields.value=${'x'.repeat(1001)}`, 'custom_fields.value', { 'custom_fields.value': 'x'.repeat(256) }],
    ['custom_fields=1', 'custom_fields', { custom_fields: '1' }],
  ])('returns 422 for %s', async (query, fields, values) => {
    const answer = await list(query)
    expect(summary(answer)).toBe(`422 invalid_parameter: ${fields}`)
    expect(refused(answer)).toEqual(values)
    expect(refused(await admin('GET', `/stores/${store.id}/users.csv?${query}`))).toEqual(values)
  })

  it.each([
    ['custom_fields.value=1&after=n1', 'after'],
    ['ids=x&custom_fields.ä=1&order=up&limit=0', 'ids, custom_fields.ä, order, limit'],
  ])('returns 422 for each invalid parameter of %s', async (query, fields) => {
    expect(summary(await list(query))).toBe(`422 invalid_parameter: ${fields}`)
  })

  it('does not know a field any more that has been deleted, nor one of another store', async () => {
    const own2 = await newStoreWithFields(['gone'])
    await create(own2, '{"gone":"x"}')
    await admin('DELETE', `/stores/${own2.id}/custom_fields/gone`)
    expect(summary(await list('custom_fields.gone=x', own2))).toBe('422 invalid_parameter: custom_fields.gone')
    expect(summary(await list('custom_fields.value=x', own2))).toBe('422 invalid_parameter: custom_fields.value')
  })

  it('requires users:read alone', async () => {
    const reader = await newToken(store, { scopes: ['users:read'] })
    const writer = await newToken(store, { scopes: ['users:write'] })
    expect((await list('custom_fields.value=x', store, { token: reader.token })).status).toBe(200)
    for (const query of ['custom_fields.value=x', 'custom_fields.none=x'])
      expect(summary(await list(query, store, { token: writer.token }))).toBe('403 insufficient_scope')
  })

  it('examines at most 10,000 users per page, and next continues', async () => {
    const many = await newStoreWithFields(['class'])
    await useToken(many)
    const first = await insertEvent(many, { type: 'store.updated', subject: (await storeNumber(many)) * 2 ** 32 + 1 })
    await rowsOf(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 12000)
        insert into users (id, store, email_key, email, name, last_name, name_folded, last_name_folded, role, language,
          custom_fields, created_at, updated_at, event_id)
        select ?1 + i, ?1 >> 32, 'u' || i, 'u' || i, 'A', 'B', 'a', 'b', 'student', 'EN',
          json_object('class', iif(i = 12000, '7B', '7C')), 0, 0, ?1 + i from n`,
      first,
    )
    for (const order of ['asc', 'desc']) {
      const found: string[] = []
      let pages = 0
      for (let next: string | null = ''; next !== null; pages++) {
        let json: any
        const { read, trips } = await measure(async (bindings) => {
          const answer = await list(`custom_fields.class=7B&order=${order}${next && `&after=${next}`}`, many, {
            bindings,
          })
          json = answer.json
          return answer
        })
        // Each is read twice.
        expect(read).toBeLessThan(20_050)
        expect(trips).toBe(1)
        found.push(...json.data.map(({ id }: any) => id))
        next = json.next
      }
      expect([found.length, pages]).toEqual([1, 2])
    }
    const cost = (query: string) => measure((bindings) => list(query, many, { bindings }))
    expect((await cost('custom_fields.class=7C&limit=10')).read).toBeLessThan(100)
    expect((await cost('custom_fields.none=7C')).read).toBeLessThan(60)
    const plans = await plansOf((bindings) => list('custom_fields.class=7C', many, { bindings }))
    for (const plan of plans) expect(plan).not.toMatch(/^SCAN (users|access_tokens|stores|custom_fields)/)
  })
})
