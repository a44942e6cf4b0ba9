import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import {
  admin,
  call,
  type CallOptions,
  createV1,
  newToken,
  newUser,
  summary,
  useStore,
  v1User,
} from '../../support/api.ts'
import { recordConsole } from '../../support/console.ts'
import { measure } from '../../support/costs.ts'
import { faultyKv } from '../../support/faults.ts'
import {
  claimsOf,
  defineField,
  eventsOf,
  idIn,
  insertAccess,
  newProduct,
  rowsOf,
  storeNumber,
  usersOf,
  useToken,
} from '../../support/rows.ts'

const store = useStore()

function erase(id: string, options: CallOptions = {}) {
  return call('DELETE', `/v1/stores/${store.id}/users/${id}`, { token: store.token, ...options })
}

describe('DELETE /v1/stores/{store_id}/users/{id}', () => {
  it('returns 204 without a body, and 404 the second time', async () => {
    const { id } = await newUser(store)
    const { status, text } = await erase(id)
    expect([status, text]).toEqual([204, ''])
    expect(summary(await erase(id))).toBe('404 not_found')
    expect(summary(await call('GET', `/v1/stores/${store.id}/users/${id}`, { token: store.token }))).toBe(
      '404 not_found',
    )
  })

  it('deletes the accesses of the user, and no others', async () => {
    const [ada, kay] = [await newUser(store), await newUser(store)]
    const { id: product_id } = await newProduct(store)
    await insertAccess(store, { user_id: ada.id, product_id })
    const kept = await insertAccess(store, { user_id: kay.id, product_id })
    await erase(ada.id)
    const rows = await rowsOf(
      'select id from product_accesses where product_id % 4294967296 = ? and store = (select id >> 32 from stores where slug = ?)',
      Number(product_id),
      store.id,
    )
    expect(rows.map(({ id }) => String(id % 2 ** 32))).toEqual([kept])
  })

  it('writes an event without personal data and keeps the earlier events', async () => {
    const { id } = await newUser(store)
    const before = await eventsOf(store)
    await erase(id)
    const after = await eventsOf(store)
    expect(after.slice(0, -1)).toEqual(before)
    const { subject_id, ...event } = after.at(-1)
    expect(subject_id % 2 ** 32).toBe(Number(id))
    expect(event).toMatchObject({ type: 'user.erased', previous_id: subject_id, user_id: null, data: null })
  })

  it('removes the history of the user and keeps the events in the feed', async () => {
    const { id } = await newUser(store)
    const read = (path: string) => call('GET', `/v1/stores/${store.id}/${path}`, { token: store.token })
    expect((await read(`users/${id}/events`)).json.data).toHaveLength(1)
    await erase(id)
    expect(summary(await read(`users/${id}/events`))).toBe('404 not_found')
    const { json } = await read(`events?user_id=${id}&limit=100`)
    expect(json.data.map(({ type }: any) => type)).toEqual(['user.created', 'user.erased'])
  })

  it('frees the email for a new user, who gets a new id', async () => {
    const { id, email } = await newUser(store)
    await erase(id)
    const { status, json } = await createV1(store, v1User({ email }))
    expect(status).toBe(201)
    expect(Number(json.id)).toBeGreaterThan(Number(id))
  })

  it('keeps the idempotency claim, so that a retry of the create returns 404 and creates nobody', async () => {
    const body = v1User()
    const headers = { 'X-Idempotency-Key': crypto.randomUUID() }
    const { json } = await createV1(store, body, { headers })
    const claims = await claimsOf(store)
    await erase(json.id)
    expect(await claimsOf(store)).toEqual(claims)
    expect(summary(await createV1(store, body, { headers }))).toBe('404 not_found')
    expect((await usersOf(store)).filter(({ email }) => email === body.email)).toEqual([])
  })

  it('requires users:erase', async () => {
    const { id } = await newUser(store)
    const { token } = await newToken(store, { scopes: ['users:read', 'users:write'] })
    expect(summary(await erase(id, { token }))).toBe('403 insufficient_scope')
    expect((await admin('DELETE', `/stores/${store.id}/users/${id}`)).status).toBe(204)
  })

  it('returns 412 etag_mismatch when If-Match has another ETag', async () => {
    const { json, headers } = await createV1(store, v1User())
    expect(summary(await erase(json.id, { headers: { 'If-Match': '"1-1"' } }))).toBe('412 etag_mismatch')
    expect((await erase(json.id, { headers: { 'If-Match': headers.get('ETag') ?? '' } })).status).toBe(204)
    expect(summary(await erase(json.id, { headers: { 'If-Match': '"1-1"' } }))).toBe('404 not_found')
  })

  it.each(['1', '4294967295', 'x', '0'])('returns 404 for the id %s and writes nothing', async (id) => {
    await useToken(store)
    const cost = await measure((bindings) => erase(id, { bindings }))
    expect(cost).toMatchObject({ outcome: '404 not_found', trips: 1, written: 0 })
  })

  it('costs one round trip, and writes only the deleted rows and the event', async () => {
    const { id } = await newUser(store, { external_id: 'x' })
    await useToken(store)
    const cost = await measure((bindings) => erase(id, { bindings }))
    expect(cost).toMatchObject({ outcome: '204', trips: 1 })
    expect(cost.written).toBeLessThanOrEqual(4)
    // Without the index of user and product, the query reads all accesses of the store.
    expect(cost.read).toBeLessThan(150)
  })

  it('returns 204 to one of ten concurrent erasures and 404 to the others', async () => {
    const { id } = await newUser(store)
    const answers = await Promise.all(Array.from({ length: 10 }, () => erase(id)))
    expect(answers.map(summary).toSorted()).toEqual(['204', ...Array(9).fill('404 not_found')])
  })

  it('leaves at most one user when creates with the same email arrive at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const body = v1User()
      const { json } = await createV1(store, body)
      const create = () => createV1(store, body)
      const [, ...answers] = await Promise.all([erase(json.id), create(), create(), create()])
      const created = answers.filter(({ status }) => status === 201)
      expect(created.length).toBeLessThanOrEqual(1)
      const rows = (await usersOf(store)).filter(({ email }) => email === body.email)
      expect(rows.map((row) => String(row.id % 2 ** 32))).toEqual(created.map((answer) => answer.json.id))
    }
  })
})

/**
 * Returns every value of every row of the store as text. Its rows are found by the first column, which is the number of the
 * store or an id of it. Tables with another key are read as a whole, and have few rows: jobs, and the youngest tokens.
 */
async function dump(began: number): Promise<string> {
  const number = await storeNumber(store)
  const range = [number, await idIn(store, 0), await idIn(store, 2 ** 32 - 1)]
  const tables = await rowsOf(
    `select name, (select column.name from pragma_table_info(tables.name) column where cid = 0) as key
      from sqlite_schema tables where type = 'table' and name not like '\\_cf%' escape '\\' and ? > 0`,
    number,
  )
  const rows = await Promise.all(
    tables.map(({ name, key }) => {
      if (name === 'jobs') return rowsOf('select * from jobs where ? > 0', number)
      if (name === 'fencing_tokens')
        return rowsOf('select * from fencing_tokens where created_at >= ? and ? > 0', began, number)
      return rowsOf(`select * from "${name}" where "${key}" = ?1 or "${key}" between ?2 and ?3`, ...range)
    }),
  )
  return JSON.stringify(rows)
}

describe('After DELETE /v1/stores/{store_id}/users/{id}', () => {
  it('no table, reachable KV value, log line or response contains a string of the person', async () => {
    const began = Date.now()
    await defineField(store, 'nick')
    const mark = () => `mark${crypto.randomUUID().replaceAll('-', '')}`
    const person = {
      name: mark(), last_name: mark(), email: `${mark()}@${mark()}.example.com`, phone: mark(), external_id: mark(),
      avatar: mark(), custom_fields: { nick: mark() }, password: mark(),
    } // prettier-ignore
    const later = {
      name: mark(),
      email: `${mark()}@${mark()}.example.com`,
      custom_fields: { nick: mark() },
      password: mark(),
    }
    const marks = [person, later].flatMap((fields) =>
      Object.values(fields).flatMap((value) =>
        typeof value === 'string' ? value.replace('.example.com', '').split('@') : Object.values(value),
      ),
    )
    const options = { headers: { 'X-Idempotency-Key': crypto.randomUUID() } }
    const { REPLAYS, keys } = faultyKv(env.REPLAYS)
    const users = `/v1/stores/${store.id}/users`
    const answers: string[] = []
    const keep = async (sent: ReturnType<typeof call>) => {
      const { text, headers: answered } = await sent
      answers.push(text + JSON.stringify([...answered]))
    }
    let id = ''
    const lines = await recordConsole(async () => {
      id = (await createV1(store, person, { ...options, bindings: { REPLAYS } })).json.id
      await insertAccess(store, { user_id: id, product_id: (await newProduct(store)).id })
      await call('PATCH', `${users}/${id}`, { token: store.token, body: later })
      await createV1(store, person, options)
      await call('POST', `${users}/verify_password`, {
        token: store.token,
        body: { email: later.email, password: later.password },
      })
      await call('GET', `${users}?q=${later.name}&email=${later.email}`, { token: store.token })
      expect(await dump(began)).toContain(later.name)
      expect((await erase(id)).status).toBe(204)
      for (const path of [
        `${users}/${id}`,
        `${users}?limit=100`,
        `${users}?q=mark`,
        `/v1/stores/${store.id}/events?limit=100`,
      ]) {
        await keep(call('GET', path, { token: store.token }))
      }
      await keep(call('PATCH', `${users}/${id}`, { token: store.token, body: { phone: '1' } }))
      await keep(createV1(store, person, options))
    })
    const stored = await dump(began)
    for (const text of marks) {
      expect(stored).not.toContain(text)
      expect(lines.join('\n')).not.toContain(text)
      expect(answers.join('\n')).not.toContain(text)
    }
    // KV may still contain the response, because nothing can read it: the replay checks D1 first and returns 404.
    expect(await env.REPLAYS.get(keys()[0] ?? '')).toContain(person.name)
  })
})
