/** Bulk changes of the accesses of users who have a value in a custom field. */
import { describe, expect, it } from 'vitest'
import { admin, call, newToken, refused, summary } from '../../support/api.ts'
import { bulk, type Campus, carryOut, newCampus, post, read, run, SILENT } from '../../support/bulk.ts'
import { newOperator } from '../../support/operators.ts'
import { accessesOf, idIn, rowsOf } from '../../support/rows.ts'

const CLOSE = { status: 'without_access' }

/** Creates a campus whose store defines `team.a`, and whose users have these custom fields, as JSON. */
async function newCampusWith(values: (string | null)[]): Promise<Campus> {
  const campus = await newCampus({ users: values.length })
  await admin('PUT', `/stores/${campus.store.id}/custom_fields/team.a`, {})
  for (const [i, json] of values.entries()) await setFields(campus, i, json)
  return campus
}

async function setFields({ store, users }: Campus, user: number, json: string | null): Promise<void> {
  await rowsOf('update users set custom_fields = ? where id = ?', json, await idIn(store, users[user] ?? ''))
}

const filterBy = (value: string, key = 'team.a') => ({ custom_field: { key, value } })

async function closed({ store }: Campus): Promise<number[]> {
  return (await accessesOf(store)).flatMap(({ status }, i) => (status === 'without_access' ? [i] : []))
}

describe('The filter custom_field of a bulk change', () => {
  it.each([
    ['red', [0]],
    ['1.0', [2, 3]],
    ['1', [1]],
    ['true', [4, 5]],
    ['null', [6]],
  ])('matches the value %s as a string, or as JSON that is written like this', async (value, expected) => {
    const values = ['"red"', '1', '1.0', '"1.0"', 'true', '"true"', 'null', '"RED"', '"red "']
    const campus = await newCampusWith([...values.map((json) => `{"team.a":${json}}`), '{"team":{"a":"red"}}', null])
    expect(await run(campus, { filter: filterBy(value), change: CLOSE })).toMatchObject({
      filter: filterBy(value),
      matched: expected.length,
    })
    expect(await closed(campus)).toEqual(expected)
  })

  it('is compared when the access is reached, and combined with the other filters', async () => {
    const campus = await newCampusWith(['{"team.a":"x"}', '{"team.a":"x"}', null, '{"team.a":"x"}'])
    const user_ids = campus.users.slice(0, 3)
    const { id } = await post(campus, { filter: { ...filterBy('x'), user_ids }, change: CLOSE })
    await setFields(campus, 0, '{"team.a":"y"}')
    await setFields(campus, 2, '{"team.a":"x"}')
    await carryOut(campus)
    expect(await read(campus, id)).toMatchObject({ state: 'done', matched: 2, effects: { closed: 2 } })
    expect(await closed(campus)).toEqual([1, 2])
  })

  it('is 422 for a key that the store does not define, beside what else is unknown', async () => {
    const campus = await newCampusWith([null])
    const filter = { ...filterBy('x', 'team'), product_id: '4294967294', user_ids: ['4294967294'] }
    const answer = await bulk(campus, 'POST', '', { filter, change: CLOSE })
    expect(summary(answer)).toBe('422 invalid_parameter: filter.product_id, filter.custom_field.key, filter.user_ids.0')
    expect(refused(answer)).toMatchObject({ 'filter.custom_field.key': 'team' })
  })

  it('needs users:read too, also if it is invalid; an operator needs no scope', async () => {
    const campus = await newCampusWith([null])
    const [writer, both] = [
      await newToken(campus.store, { scopes: ['product_accesses:write'] }),
      await newToken(campus.store, { scopes: ['product_accesses:write', 'users:read'] }),
    ]
    const send = (token: string, filter: object) =>
      bulk(campus, 'POST', '', { filter, change: CLOSE, dry_run: true }, { token })
    for (const filter of [filterBy('x'), filterBy('x', 'unknown'), { custom_field: 5 }]) {
      const answer = await send(writer.token, filter)
      expect(summary(answer)).toBe('403 insufficient_scope')
      expect(answer.headers.get('WWW-Authenticate')).toContain('users:read')
    }
    expect((await send(writer.token, {})).status).toBe(202)
    expect((await send(both.token, filterBy('x'))).status).toBe(202)
    const { token } = await newOperator('office')
    const body = { filter: filterBy('x'), change: CLOSE, dry_run: true }
    const path = `/admin/stores/${campus.store.id}/bulk_changes`
    expect((await call('POST', path, { token, body, bindings: SILENT })).status).toBe(202)
  })
})

describe('The value in the filter custom_field', () => {
  const marked = async (values: (string | null)[], value: string) => {
    const campus = await newCampusWith(values)
    const change = await run(campus, { filter: filterBy(value), change: CLOSE })
    return { campus, ...change }
  }

  it('is shown to operators and to tokens with users:read, and [redacted] to others', async () => {
    const { campus, id } = await marked(['{"team.a":"red"}'], 'red')
    const path = `/v1/stores/${campus.store.id}/bulk_changes`
    const { token } = await newToken(campus.store, { scopes: ['product_accesses:read'] })
    expect((await call('GET', `${path}/${id}`, { token })).json.filter).toEqual(filterBy('[redacted]'))
    expect((await call('GET', path, { token })).json.data[0].filter).toEqual(filterBy('[redacted]'))
    const reader = await newToken(campus.store, { scopes: ['product_accesses:read', 'users:read'] })
    expect((await call('GET', `${path}/${id}`, { token: reader.token })).json.filter).toEqual(filterBy('red'))
    const { json } = await admin('GET', `/stores/${campus.store.id}/bulk_changes/${id}`)
    expect(json.filter).toEqual(filterBy('red'))
  })

  it('is not shown to who cancels without users:read, and the bulk change of others keeps it', async () => {
    const campus = await newCampusWith(['{"team.a":"red"}'])
    const { id } = await post(campus, { filter: filterBy('red'), change: CLOSE })
    const { token } = await newToken(campus.store, { scopes: ['product_accesses:write'] })
    const answer = await call('POST', `/v1/stores/${campus.store.id}/bulk_changes/${id}/cancel`, { token })
    expect(answer.json).toMatchObject({ state: 'canceled', filter: filterBy('[redacted]') })
    expect(await read(campus, id)).toMatchObject({ filter: filterBy('red') })
  })

  it('is erased with the only person who had it, and stays if others had it, too', async () => {
    const { campus, id } = await marked(['{"team.a":"red"}', '{"team.a":"blue"}', '{"team.a":"blue"}'], 'red')
    const ofTwo = await run(campus, { filter: filterBy('blue'), change: CLOSE })
    for (const user of campus.users.slice(0, 2)) await admin('DELETE', `/stores/${campus.store.id}/users/${user}`)
    expect(await read(campus, id)).toMatchObject({ filter: filterBy('[erased]'), matched: 1 })
    expect(await read(campus, ofTwo.id)).toMatchObject({ filter: filterBy('blue'), matched: 2 })
  })

  it('is erased before the bulk change has ended, too, unless somebody else has it', async () => {
    const campus = await newCampusWith(['{"team.a":"red"}', '{"team.a":"blue"}', '{"team.a":"blue"}'])
    const [red, blue] = [
      await post(campus, { filter: filterBy('red'), change: CLOSE }),
      await post(campus, { filter: filterBy('blue'), change: CLOSE }),
    ]
    for (const user of campus.users.slice(0, 2)) await admin('DELETE', `/stores/${campus.store.id}/users/${user}`)
    await carryOut(campus)
    expect(await read(campus, red.id)).toMatchObject({ state: 'done', filter: filterBy('[erased]'), matched: 0 })
    expect(await read(campus, blue.id)).toMatchObject({ state: 'done', filter: filterBy('blue'), matched: 1 })
  })
})
