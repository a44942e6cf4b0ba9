import { describe, expect, it } from 'vitest'
import { call, createV1, refused, summary, useStore, v1User } from '../../support/api.ts'

const store = useStore()

const list = (query: string) => call('GET', `/v1/stores/${store.id}/users${query}`, { token: store.token })

describe('The query', () => {
  it.each<[string, Record<string, string>]>([
    ['?emial=a@example.com', { emial: 'a@example.com' }],
    ['?limit=1&limit=2', { limit: '2' }],
    ['?limit=0&limit=5', { limit: '5' }],
    ['?limit=1&Limit=1', { Limit: '1' }],
    ['?limit=0&q=ana&order=asc&ids=x', { ids: 'x', order: 'asc', limit: '0' }],
    ['?x', { x: '' }],
    ['?=1', { '': '1' }],
    ['?a=1&limit=101&b=2&a=3', { limit: '101', a: '1', b: '2' }],
    [`?x=${'y'.repeat(300)}`, { x: 'y'.repeat(256) }],
    ['?password=hunter2', { password: '[redacted]' }],
  ])('%s returns 422 with each invalid parameter once, known ones first', async (query, fields) => {
    const answer = await list(query)
    expect(answer.status).toBe(422)
    expect(answer.json.code).toBe('invalid_parameter')
    expect(Object.entries(refused(answer))).toEqual(Object.entries(fields))
    expect(answer.json.details.every(({ explanation }: any) => typeof explanation === 'string')).toBe(true)
  })

  it('returns at most 100 invalid parameters, and says how many more there are', async () => {
    const query = (count: number) => `?${Array.from({ length: count }, (_, i) => `x${i}=1`).join('&')}`
    for (const [count, message] of [
      [100, 'A parameter is invalid.'],
      [101, 'A parameter is invalid. 1 more field is invalid.'],
      [1200, 'A parameter is invalid. 1,100 more fields are invalid.'],
    ] as const) {
      const { json } = await list(query(count))
      expect([json.message, json.details.length]).toEqual([message, 100])
      expect(json.details[99].field).toBe('x99')
    }
  })

  it.each(['', '?', '?limit=1', '?limit=100'])('%j returns 200', async (query) => {
    expect(summary(await list(query))).toBe('200')
  })

  it('of a change returns 422 for any parameter, after the fields of the body, and changes nothing', async () => {
    const created = await createV1(store, v1User())
    const path = `/v1/stores/${store.id}/users/${created.json.id}?name=Ada`
    const answer = await call('PATCH', path, { token: store.token, body: { name: 'Grace' } })
    expect(summary(answer)).toBe('422 invalid_parameter: name')
    expect(answer.json.details[0].explanation).toBe('is not a known parameter of this operation')
    const both = await call('PATCH', `${path}&phone=1`, { token: store.token, body: { phone: 5, name: 5 } })
    expect(refused(both)).toEqual({ name: '5', phone: '5' })
    const unchanged = await call('GET', `/v1/stores/${store.id}/users/${created.json.id}`, { token: store.token })
    expect(unchanged.json).toEqual(created.json)
  })

  it('says that a parameter is given twice', async () => {
    const answer = await list('?limit=1&limit=2')
    expect(answer.json.details).toEqual([{ field: 'limit', value: '2', explanation: 'is given twice' }])
  })
})

describe('The body', () => {
  it('is where the rejected value of a create comes from, whatever the query says', async () => {
    const user = v1User()
    await createV1(store, user)
    const path = `/v1/stores/${store.id}/users?email=other@example.com`
    const answer = await call('POST', path, { token: store.token, body: user })
    expect([summary(answer), refused(answer)]).toEqual(['422 email_taken: email', { email: user.email }])
  })

  it('returns at most 100 invalid fields, the known ones first, and says how many more there are', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`x${i}`, i]))
    const { json: user } = await createV1(store, v1User())
    const path = `/v1/stores/${store.id}/users/${user.id}`
    const { status, json } = await call('PATCH', path, { token: store.token, body: { ...unknown, phone: 5 } })
    expect([status, json.message]).toEqual([422, 'A parameter is invalid. 101 more fields are invalid.'])
    expect(json.details.map(({ field }: any) => field)).toEqual(['phone', ...Object.keys(unknown).slice(0, 99)])
  })
})
