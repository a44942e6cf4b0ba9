import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../../support/openapi.ts'
import { admin, call, newEmail, newStore, refused, summary, TIMESTAMP } from '../../support/api.ts'
import { faultyD1, losesAnswer, losesConnection } from '../../support/faults.ts'
import { newOperator, type Operator } from '../../support/operators.ts'
import { rowsOf } from '../../support/rows.ts'

const update = (id: string, body: unknown, bindings: object = {}) => admin('PATCH', `/operators/${id}`, body, bindings)

/** Returns the events of an operator as /admin/events shows them. */
async function eventsAbout(id: string): Promise<any[]> {
  // The first operator of the database has the first event, before which there is no cursor.
  const after = id === '1' ? '' : `&after=${Number(id) - 1}`
  const { json } = await admin('GET', `/events?limit=100${after}`)
  return json.data.filter(({ data }: any) => data.operator_id === id)
}

describe('PATCH /admin/operators/{id}', () => {
  it('changes each field and writes an event with the names of the fields alone', async () => {
    const [one, other] = [await newStore(), await newStore()]
    const created: any = await newOperator('viewer', { email: newEmail(), stores: [one.id] })
    const { token: _, ...shown } = created
    const email = newEmail()
    const changes = [{ name: 'Ada' }, { role: 'admin' }, { email }, { stores: [other.id, one.id] }, { stores: null }]
    for (const change of changes) {
      const { status, json } = await update(created.id, change)
      expect([status, json]).toEqual([200, Object.assign(shown, change)])
    }
    expect((await update(created.id, { email: null, role: 'viewer' })).json).toMatchObject({ email: null })
    const events = (await eventsAbout(created.id)).slice(1)
    expect(events.map(({ type, data }) => [type, data.fields])).toEqual(
      [['name'], ['role'], ['email'], ['stores'], ['stores'], ['role', 'email']].map((fields) => [
        'operator.updated',
        fields,
      ]),
    )
    expect(events[0].data).toEqual({ operator_id: created.id, fields: ['name'] })
    expect(JSON.stringify(events)).not.toContain(email)
  })

  it('returns the operator and writes no event if nothing changes', async () => {
    const store = await newStore()
    const created: any = await newOperator('admin', { email: newEmail(), stores: [store.id] })
    const { token: _, ...shown } = created
    const { name, role, email, stores } = shown
    for (const body of [undefined, {}, { name, role, email, stores }]) {
      const { status, json } = await update(shown.id, body)
      expect([status, json]).toEqual([200, shown])
    }
    expect(await eventsAbout(shown.id)).toHaveLength(1)
  })

  it.each<[object, string]>([
    [{ name: null, role: null }, '422 invalid_parameter: name, role'],
    [{ role: 'root', email: 'ada', stores: [] }, '422 invalid_parameter: role, email, stores'],
    [{ token: 'x' }, '422 invalid_parameter: token'],
  ])('returns for %j the error %s', async (body, expected) => {
    const { id } = await newOperator('viewer')
    expect(summary(await update(id, body))).toBe(expected)
  })

  it('returns 404 for a revoked operator, an unknown one and a token of a store', async () => {
    const { id } = await newOperator('viewer')
    await admin('DELETE', `/operators/${id}`)
    for (const unknown of [id, '4294967295', 'x', '0']) {
      expect(summary(await update(unknown, { name: 'New' }))).toBe('404 not_found')
    }
    expect(await eventsAbout(id)).toHaveLength(2)
  })

  it('is made once if its response was lost or it arrives late', async () => {
    const lost = await newOperator('viewer')
    const answered = faultyD1(env.DB, losesAnswer())
    expect(summary(await update(lost.id, { role: 'admin' }, { DB: answered.DB }))).toBe('200')
    expect(await eventsAbout(lost.id)).toHaveLength(2)
    const late = await newOperator('viewer')
    const { DB, arrive } = faultyD1(env.DB, losesConnection)
    expect(summary(await update(late.id, { name: 'New' }, { DB }))).toBe('200')
    await update(late.id, { name: 'Newest' })
    await arrive()
    const list = await admin('GET', `/operators?after=${Number(late.id) - 1}&limit=1`)
    expect(list.json.data[0]).toMatchObject({ id: late.id, name: 'Newest' })
    expect(await eventsAbout(late.id)).toHaveLength(3)
  })

  it('takes effect with the next request', async () => {
    const store = await newStore()
    const { id, token } = await newOperator('admin')
    const read = () => call('GET', `/admin/stores/${store.id}`, { token }).then(summary)
    expect(await read()).toBe('200')
    await update(id, { stores: [(await newStore()).id] })
    expect(await read()).toBe('404 not_found')
    await update(id, { stores: [store.id] })
    expect(await read()).toBe('200')
  })
})

describe('The stores of an operator', () => {
  it.each<[string, (stores: string[]) => Promise<Answer>]>([
    ['POST', (stores) => admin('POST', '/operators', { name: 'A', role: 'viewer', stores })],
    ['PATCH', async (stores) => update((await newOperator('viewer')).id, { stores })],
    ['PATCH of an unknown operator', (stores) => update('4294967295', { stores })],
  ])('are 422 on %s if they do not exist, and each is listed', async (_, send) => {
    const store = await newStore()
    const answer = await send(['no-such-store', store.id, 'nor-this-one'])
    expect(summary(answer)).toBe('422 invalid_parameter: stores.0, stores.2')
    expect(refused(answer)).toEqual({ 'stores.0': 'no-such-store', 'stores.2': 'nor-this-one' })
  })

  it('may be 100, and read back in the order in which they were sent', async () => {
    const ids = await Promise.all(
      Array.from({ length: 100 }, async () => {
        return (await admin('POST', '/stores', { name: 'S', language: 'EN' })).json.id
      }),
    )
    const { stores } = (await admin('POST', '/operators', { name: 'A', role: 'viewer', stores: ids })).json
    expect(stores).toEqual(ids)
  })
})

describe('The email of an operator', () => {
  const create = (email: string) => admin('POST', '/operators', { name: 'A', role: 'viewer', email })
  const upper = (email: string) => email.toUpperCase()

  it('reads back as sent and belongs to one operator, in any letter case', async () => {
    const email = `Ada.${newEmail()}`
    expect((await create(email)).json.email).toBe(email)
    const again = await create(upper(email))
    expect(summary(again)).toBe('422 already_exists: email')
    expect(refused(again)).toEqual({ email: upper(email) })
    const other = await newOperator('viewer', { email: newEmail() })
    expect(summary(await update(other.id, { email: upper(email) }))).toBe('422 already_exists: email')
    expect(await eventsAbout(other.id)).toHaveLength(1)
  })

  it('may change its letter case, and is free once its operator is revoked or has another one', async () => {
    const [email, second] = [newEmail(), newEmail()]
    const first = await newOperator('viewer', { email })
    expect((await update(first.id, { email: upper(email) })).json.email).toBe(upper(email))
    await admin('DELETE', `/operators/${first.id}`)
    const next = await create(email)
    expect(next.status).toBe(201)
    await update(next.json.id, { email: second })
    const last = await create(email)
    expect([last.status, last.json.revoked_at]).toEqual([201, null])
    const { data } = (await admin('GET', `/operators?after=${Number(first.id) - 1}&limit=1`)).json
    expect(data[0]).toMatchObject({ email: upper(email), revoked_at: expect.stringMatching(TIMESTAMP) })
  })

  it('belongs to one operator if several get it at the same time', async () => {
    const email = newEmail()
    const others: Operator[] = await Promise.all([newOperator('viewer'), newOperator('viewer')])
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, () => create(email)),
      ...others.map(({ id }) => update(id, { email: upper(email) })),
    ])
    const outcomes = answers.map(summary).toSorted()
    expect(outcomes.slice(1)).toEqual(Array(7).fill('422 already_exists: email'))
    expect(outcomes[0]).toMatch(/^20[01]$/)
    expect(await rowsOf('select id from access_tokens where email_key = ?', email)).toHaveLength(1)
  })

  it('is reported after unknown stores, and after 404', async () => {
    const { email } = (await create(newEmail())).json
    const body = { name: 'A', role: 'viewer', email, stores: ['no-such-store'] }
    expect(summary(await admin('POST', '/operators', body))).toBe('422 invalid_parameter: stores.0')
    expect(summary(await update('4294967295', { email }))).toBe('404 not_found')
  })
})
