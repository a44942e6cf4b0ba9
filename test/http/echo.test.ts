/** An error shows what was sent: numbers have the digits that were sent, also those that a double cannot represent. */
import { describe, expect, it } from 'vitest'
import { call, createV1, refused, useStore, v1User } from '../support/api.ts'
import { INTEGRATOR } from '../support/callers.ts'

const store = useStore()

/** The body as JSON, with this text in place of the number 0.5. */
function withText(body: object, text: string): string {
  return JSON.stringify(body).replace('0.5', text)
}

const NUMBERS = ['1234567890123456789', '5.0', '-0', '1e3', '1E+400', '0.10000000000000000555']

describe('The value of an invalid field', () => {
  it.each(NUMBERS)('is %s as it was sent', async (sent) => {
    expect(refused(await createV1(store, withText(v1User({ name: 0.5 }), sent)))).toEqual({ name: sent })
  })

  it.each(NUMBERS)('is %s as it was sent, in a list or an object', async (sent) => {
    const body = withText(v1User({ name: { s1: [0.5, 's2', { password: 0.25 }] } }), sent)
    expect(refused(await createV1(store, body))).toEqual({ name: `{"s1":[${sent},"s2",{"password":"[redacted]"}]}` })
  })

  it.each(NUMBERS)('is %s as it was sent, of an unknown custom field, which the database reports', async (sent) => {
    const field = 'custom_fields.nobody.has'
    const isTooLarge = sent === '1E+400'
    const answer = await createV1(store, withText(v1User({ custom_fields: { 'nobody.has': 0.5 } }), sent))
    expect(isTooLarge ? answer.status : refused(answer)).toEqual(isTooLarge ? 422 : { [field]: sent })
  })

  it.each(NUMBERS)('is %s as it was sent, in an unknown field and in an item of a list', async (sent) => {
    const bulk = { filter: { user_ids: ['1', 0.5] }, change: { extend_days: 1 } }
    const answer = await INTEGRATOR.send('POST', store, '/bulk_changes', { body: withText(bulk, sent) })
    expect(refused(answer)).toEqual({ 'filter.user_ids.1': sent })
    const rotated = await call('POST', '/v1/token/rotate', { token: store.token, body: `{"hours":${sent}}` })
    expect(refused(rotated)).toEqual({ hours: sent })
  })

  it.each(NUMBERS)('is %s as it was sent, in the second item of a batch', async (sent) => {
    const items = [v1User(), v1User({ name: 0.5, product_accesses: [{ product_id: '1', status: 7 }] }), v1User()]
    const answer = await INTEGRATOR.send('POST', store, '/users/batch', { body: withText({ items }, sent) })
    expect(answer.json.results[1].error.details).toMatchObject([
      { field: 'name', value: sent },
      { field: 'product_accesses.0.status', value: '7' },
    ])
  })
})
