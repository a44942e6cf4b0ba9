/** The limits that keep the cost of a request, and the size of a response, in proportion to the size of the request. */
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { MAX_LENGTH } from '../../../src/modules/users/user-fields.ts'
import { CUSTOM_FIELDS } from '../../../src/limits.ts'
import { call, createV1, createV3, newStore, newToken, summary, useStore, v1User, v3User } from '../../support/api.ts'
import { summaries } from '../../support/batches.ts'
import { measure } from '../../support/costs.ts'
import { type Fault, faultyD1 } from '../../support/faults.ts'
import { defineField, eventsOf, idIn, insertEvents, rowsOf, userRow } from '../../support/rows.ts'

const store = useStore({ fields: ['field1', ...Array.from({ length: 101 }, (_, i) => `f${i}`)], isUsed: true })

function sendBatch(items: unknown, options: object = {}) {
  const body = typeof items === 'string' ? `{"items":${items}}` : { items, ...options }
  return call('POST', `/v1/stores/${store.id}/users/batch`, { token: store.token, body })
}

function patch(id: string, body: unknown) {
  return call('PATCH', `/v1/stores/${store.id}/users/${id}`, { token: store.token, body })
}

async function newUser(fields: object = {}): Promise<string> {
  const { status, json } = await createV1(store, v1User(fields))
  expect(status).toBe(201)
  return json.id
}

/** Returns the JSON of a user whose custom field `f0` has the digits. */
function withDigits(user: object, digits: string): string {
  return JSON.stringify({ ...user, custom_fields: { field1: 'x', f0: 0 } }).replace('"f0":0', `"f0":${digits}`)
}

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, i]))

/** Returns custom fields whose JSON has this many bytes, in fields from `f{first}` on. */
function sized(bytes: number, first = 0): Record<string, string> {
  const fields: Record<string, string> = {}
  const size = () => new TextEncoder().encode(JSON.stringify(fields)).length
  for (let i = first; size() < bytes; i++) {
    fields[`f${i}`] = ''
    const left = bytes - size()
    // No field is left with less than it needs for its key.
    fields[`f${i}`] = 'x'.repeat(left > 1000 ? Math.min(1000, left - 20) : left)
  }
  expect(size()).toBe(bytes)
  return fields
}

const LONG = [
  ['an integer', '9'.repeat(65)],
  ['a fraction that parses to 1', `1.${'0'.repeat(63)}`],
  ['an exponent', `1e${'0'.repeat(62)}1`],
  ['as many digits as fit into a body', `1.${'0'.repeat(64_000)}`],
] as const

describe('A number in custom_fields', () => {
  it.each(LONG)('of more than 64 characters is 422 on every route: %s', async (_, digits) => {
    const id = await newUser()
    const explanation = 'must be a number of at most 64 characters'
    const expected = { field: 'custom_fields.f0', value: digits.slice(0, 256), explanation }
    const batch = await sendBatch(`[${withDigits(v1User(), digits)}]`)
    const errors = [
      (await createV1(store, withDigits(v1User(), digits))).json,
      (await createV3(store, withDigits(v3User(), digits))).json,
      (await patch(id, withDigits({}, digits))).json,
      batch.json.results[0].error,
    ]
    for (const { code, details } of errors) {
      expect([code, details]).toEqual(['invalid_parameter', [expected]])
    }
  })

  it.each(['9'.repeat(64), `1.${'0'.repeat(62)}`, `-0.${'1'.repeat(61)}`])(
    'of 64 characters is kept as sent: %s',
    async (digits) => {
      const id = await newUser()
      const answers = [
        await createV1(store, withDigits(v1User(), digits)),
        await createV3(store, withDigits(v3User(), digits)),
        await patch(id, withDigits({}, digits)),
      ]
      for (const { text } of answers) expect(text).toContain(`"f0":${digits}`)
      const { json } = await sendBatch(`[${withDigits(v1User(), digits)}]`)
      expect((await userRow(store, json.results[0].id)).custom_fields).toContain(`"f0":${digits}`)
    },
  )

  it('is listed together with every other invalid field, in the order of the table', async () => {
    const body = withDigits(v1User({ name: '', password: ' ' }), '1'.repeat(65))
    expect(summary(await createV1(store, body))).toBe('422 invalid_parameter: name, custom_fields.f0, password')
  })

  it('is checked in a body that is nested too deeply for recursion', async () => {
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
    const body = withDigits(v1User({ x: 0 }), `1.${'0'.repeat(64)}`).replace('"x":0', `"x":${deep}`)
    expect(summary(await createV1(store, body))).toBe('422 invalid_parameter: custom_fields.f0')
  })
})

describe('The keys of custom_fields', () => {
  it('are 422 if there are more than 100, before the database is asked', async () => {
    const id = await newUser()
    for (const send of [
      (bindings: object) => createV1(store, v1User({ custom_fields: keys(101) }), { bindings }),
      (bindings: object) => createV3(store, v3User({ custom_fields: { field1: 'x', ...keys(100) } }), { bindings }),
      (bindings: object) =>
        call('PATCH', `/v1/stores/${store.id}/users/${id}`, {
          token: store.token,
          body: { custom_fields: keys(101) },
          bindings,
        }),
    ]) {
      const { outcome, statements } = await measure(send)
      expect(outcome).toBe('422 invalid_parameter: custom_fields')
      // Only the authorization, which comes first in the order of checks.
      expect(statements).toHaveLength(1)
    }
    expect(summaries(await sendBatch([v1User({ custom_fields: keys(101) }), v1User()]))).toEqual([
      '422 invalid_parameter: custom_fields',
      '201',
    ])
  })

  it('may be 100', async () => {
    const id = await newUser({ custom_fields: keys(100) })
    expect(summary(await patch(id, { custom_fields: keys(100) }))).toBe('200')
    expect(summary(await createV3(store, v3User({ custom_fields: { field1: 'x', ...keys(99) } })))).toBe('201')
    expect(summaries(await sendBatch([v1User({ custom_fields: keys(100) })]))).toEqual(['201'])
  })
})

/** The columns in which a copy of a user differs. */
const COPIED: Record<string, string> = { id: 'n', event_id: 'n', email_key: "n || '@example.com'" }

describe('The size of custom_fields', () => {
  const { bytes } = CUSTOM_FIELDS
  const TOO_LARGE = '422 invalid_parameter: custom_fields'

  it('may be 32,768 bytes of JSON and no more', async () => {
    const id = await newUser({ custom_fields: sized(bytes) })
    expect((await userRow(store, id)).custom_fields).toHaveLength(bytes)
    const larger = sized(bytes + 1)
    expect(summary(await createV1(store, v1User({ custom_fields: larger, phone: 5 })))).toBe(
      '422 invalid_parameter: phone, custom_fields',
    )
    const v3 = v3User({ custom_fields: { field1: 'x', ...sized(bytes - 13) } })
    expect(summary(await createV3(store, v3))).toBe('201')
    expect(summary(await createV3(store, v3User({ custom_fields: { field1: 'x', ...sized(bytes - 12) } })))).toBe(
      TOO_LARGE,
    )
    expect(summary(await patch(await newUser(), { custom_fields: larger, phone: 5 }))).toBe(
      '422 invalid_parameter: phone, custom_fields',
    )
    expect(
      summaries(await sendBatch([v1User({ custom_fields: larger }), v1User({ custom_fields: sized(bytes) })])),
    ).toEqual([TOO_LARGE, '201'])
  })

  it('counts bytes, not characters', async () => {
    const custom_fields = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`f${i}`, '😀'.repeat(1000)]))
    expect(summary(await createV1(store, v1User({ custom_fields })))).toBe(TOO_LARGE)
  })

  it('counts what an update adds to what the user has', async () => {
    const id = await newUser({ custom_fields: sized(bytes - 1000) })
    const events = await eventsOf(store)
    const answer = await patch(id, { custom_fields: sized(1100, 50) })
    expect(summary(answer)).toBe(TOO_LARGE)
    expect(answer.json.details[0].explanation).toContain('together with what the user has')
    expect((await userRow(store, id)).custom_fields).toHaveLength(bytes - 1000)
    expect(await eventsOf(store)).toHaveLength(events.length)
    // Merging replaces the two braces and adds a comma: 1,001 bytes are 1,000 more.
    expect(summary(await patch(id, { custom_fields: sized(1001, 50) }))).toBe('200')
    expect((await userRow(store, id)).custom_fields).toHaveLength(bytes)
    expect(summary(await patch(id, { name: 'Augusta' }))).toBe('200')
    expect(summary(await patch(id, { custom_fields: { f1: null, f90: 'x'.repeat(900) } }))).toBe('200')
    expect(summary(await patch('1', { custom_fields: sized(1100, 50) }))).toBe('404 not_found')
  })

  it('counts what a batch adds to what the user has', async () => {
    const [full, other] = [v1User({ custom_fields: sized(bytes - 1000) }), v1User()]
    const id = await newUser(full)
    const events = await eventsOf(store)
    const items = [{ ...full, custom_fields: sized(1100, 50) }, other]
    const rejected = await sendBatch(items, { on_existing: 'update', dry_run: true })
    expect(summaries(rejected)).toEqual([TOO_LARGE, '201'])
    expect(summaries(await sendBatch(items, { on_existing: 'update' }))).toEqual([TOO_LARGE, '201'])
    expect(await eventsOf(store)).toHaveLength(events.length + 1)
    expect((await userRow(store, id)).custom_fields).toHaveLength(bytes - 1000)
    expect(summaries(await sendBatch(items, { on_existing: 'skip' }))).toEqual(['200', '200'])
    expect(summaries(await sendBatch(items))).toEqual(['422 email_taken: email', '422 email_taken: email'])
    const fits = [{ ...full, custom_fields: { f0: null, ...sized(1001, 50) } }]
    expect(summaries(await sendBatch(fits, { on_existing: 'update' }))).toEqual(['200'])
    expect((await userRow(store, id)).custom_fields).toHaveLength(bytes)
  })

  it('keeps a page of 100 users, each as large as ASCII text can make it, below 4 MB', async () => {
    const large = await newStore()
    for (let i = 0; i < 40; i++) await defineField(large, `f${i}`)
    const { name, phone, avatar, external_id, email } = MAX_LENGTH
    const user = (i: number) => ({
      name: 'n'.repeat(name),
      last_name: 'l'.repeat(name),
      email: `${i}@${`${'d'.repeat(60)}.`.repeat(4)}com`.slice(0, email),
      phone: '1'.repeat(phone),
      avatar: 'a'.repeat(avatar),
      external_id: 'e'.repeat(external_id),
      country: 'DE',
      custom_fields: sized(bytes),
    })
    const { json: first } = await createV1(large, user(0))
    const [id, ids] = [await idIn(large, first.id), await insertEvents(large, { type: 'user.created', count: 99 })]
    const columns = (await rowsOf('select * from users where id = ?', id)).flatMap((row) => Object.keys(row))
    const values = columns.map((name) => COPIED[name] ?? name)
    await rowsOf(
      `insert into users (${columns.join(', ')})
        select ${values.join(', ')} from users, (select id as n from events where id between ?2 and ?3) where id = ?1`,
      id,
      ids[0],
      ids.at(-1),
    )
    const page = await call('GET', `/v1/stores/${large.id}/users?limit=100`, { token: large.token })
    expect(page.json.data).toHaveLength(100)
    expect(page.text.length).toBeGreaterThan(100 * bytes)
    expect(page.text.length).toBeLessThan(4_000_000)
  })
})

describe('A batch with as many unknown custom fields as fit', () => {
  /** 100 items with `count` unknown keys each. */
  const items = (count: number) =>
    Array.from({ length: 100 }, () =>
      v1User({ custom_fields: Object.fromEntries(Array.from({ length: count }, (_, i) => [`x${i}`, 0])) }),
    )

  async function send(count: number) {
    const { DB, roundTrips, rowsRead } = faultyD1(env.DB)
    const path = `/v1/stores/${store.id}/users/batch`
    const body = JSON.stringify({ items: items(count) })
    const answer = await call('POST', path, { token: store.token, body, bindings: { DB } })
    return { answer, sentBytes: body.length, trips: roundTrips(), read: rowsRead() }
  }

  it('is not given to the database, and returns one detail for each item', async () => {
    const { answer, sentBytes, trips, read } = await send(950)
    expect(sentBytes).toBeGreaterThan(850_000)
    expect(new Set(summaries(answer))).toEqual(new Set(['422 invalid_parameter: custom_fields']))
    expect(trips).toBe(1)
    // Each item is a row of the list, and none has a key.
    expect(read).toBeLessThan(300)
    expect(answer.text.length).toBeLessThan(70_000)
  })

  it('returns at most 100 details for each item', async () => {
    const { answer, read } = await send(100)
    expect(answer.json.results.map(({ error }: any) => error.details.length)).toEqual(Array(100).fill(100))
    expect(answer.text.length).toBeLessThan(1_048_576)
    // Each key is looked up once for the plan and once for the events.
    expect(read).toBeLessThan(25_000)
  })
})

describe('A value that D1 cannot store', () => {
  it('is 422, and is not retried', async () => {
    const tooBig: Fault = { when: 'before', message: 'D1_ERROR: string or blob too big: SQLITE_TOOBIG' }
    const send = async (token: string) => {
      const { DB, roundTrips } = faultyD1(env.DB, (trip) => (trip === 0 ? tooBig : undefined))
      const answer = await createV1(store, v1User(), { token, bindings: { DB } })
      return [summary(answer), answer.json.details?.[0].value, roundTrips()]
    }
    // The second round trip checks the caller: the failed one did not get that far.
    expect(await send(store.token)).toEqual(['422 invalid_parameter: body', '', 2])
    const { token } = await newToken(store, { scopes: ['users:read'] })
    expect(await send(token)).toEqual(['403 insufficient_scope', undefined, 2])
  })
})
