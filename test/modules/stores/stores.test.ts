import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import {
  admin,
  call,
  createV1,
  createV3,
  newAccess,
  newStore,
  newToken,
  newUser,
  refused,
  summary,
  TIMESTAMP,
  updateAccess,
  useStore,
  v1User,
  v3User,
} from '../../support/api.ts'
import { faultyD1, loses, losesAnswer } from '../../support/faults.ts'
import { newOperator } from '../../support/operators.ts'
import { eventsOf, rowsOf } from '../../support/rows.ts'

const SLUG = /^[a-z0-9][a-z0-9_-]{0,63}$/

const store = useStore()

/** Abbreviations and offsets have no days, and the others are no zones. */
const NO_TIME_ZONES = ['CET', 'GMT', 'utc', '+01:00', 'Etc/GMT+5', 'Europe/Madrit', 'Madrid', '', 'UTC ', 1, null]

/** Returns a body with a unique id. */
function newStoreBody(fields: object = {}) {
  return { id: `s-${crypto.randomUUID()}`, name: 'Academy', language: 'EN', ...fields }
}

describe('POST /admin/stores', () => {
  it('returns 201 with the store', async () => {
    const body = newStoreBody({ language: 'PT' })
    const { status, json } = await admin('POST', '/stores', body)
    expect(status).toBe(201)
    const settings = {
      time_zone: 'UTC',
      suspended: false,
      expiry_notice_days: 7,
      place: 'shared',
      jurisdiction: null,
      location: null,
    }
    expect(json).toEqual({ ...body, ...settings, created_at: expect.stringMatching(TIMESTAMP) })
  })

  it.each(['UTC', 'Europe/Lisbon', 'Asia/Kolkata', 'Asia/Calcutta', 'America/Argentina/Buenos_Aires'])(
    'returns the time zone %s as it is sent',
    async (time_zone) => {
      const { status, json } = await admin('POST', '/stores', newStoreBody({ time_zone }))
      expect(status).toBe(201)
      expect(json.time_zone).toBe(time_zone)
      expect((await admin('GET', `/stores/${json.id}`)).json).toEqual(json)
    },
  )

  it.each(NO_TIME_ZONES)('returns 422 for the time zone %j', async (time_zone) => {
    const answer = await admin('POST', '/stores', newStoreBody({ time_zone }))
    expect(summary(answer)).toBe('422 invalid_parameter: time_zone')
    expect(answer.json.details[0].explanation).toContain('Europe/Lisbon')
  })

  it.each([undefined, null])('generates an id when it is %s', async (id) => {
    const { status, json } = await admin('POST', '/stores', newStoreBody({ id }))
    expect(status).toBe(201)
    expect(json.id).toMatch(SLUG)
  })

  it('returns 422 already_exists when the id exists', async () => {
    const answer = await admin('POST', '/stores', newStoreBody({ id: store.id }))
    expect(summary(answer)).toBe('422 already_exists: id')
    expect(answer.json.type).toBe('validation_error')
    expect(refused(answer)).toEqual({ id: store.id })
  })

  it.each([
    [{}, 'name', ['name', 'language']],
    [{ name: 'A' }, 'language', ['language']],
    [{ language: null, name: null }, 'name', ['name', 'language']],
    [{ id: 5, language: 'EN' }, 'name', ['name']],
  ])('returns 400 missing_parameter for %j', async (body, first, all) => {
    const answer = await admin('POST', '/stores', body)
    expect(summary(answer)).toBe(`400 missing_parameter: ${first}`)
    for (const field of all) expect(answer.json.message).toContain(field)
  })

  it.each<[string, unknown, string]>([
    ['id', '', ''],
    ['id', '-a', '-a'],
    ['id', 'Academy', 'Academy'],
    ['id', 'a/b', 'a/b'],
    ['id', 'é', 'é'],
    ['id', 'a\n', 'a\n'],
    ['id', 'a'.repeat(65), 'a'.repeat(65)],
    ['id', 5, '5'],
    ['name', ' ', ' '],
    ['name', 'x'.repeat(256), 'x'.repeat(256)],
    ['language', 'en', 'en'],
    ['language', 'FR', 'FR'],
  ])('returns 422 for %s %j', async (field, value, echoed) => {
    const answer = await admin('POST', '/stores', newStoreBody({ [field]: value }))
    expect(summary(answer)).toBe(`422 invalid_parameter: ${field}`)
    expect(refused(answer)).toEqual({ [field]: echoed })
  })

  it('lists invalid fields in the order of the documented table', async () => {
    const answer = await admin('POST', '/stores', { language: 1, name: 1, id: 1 })
    expect(summary(answer)).toBe('422 invalid_parameter: id, name, language')
  })

  it('accepts an id of 64 characters and an id that starts with a digit', async () => {
    for (const length of [64, 40]) {
      const id = `0_-${crypto.randomUUID()}`.padEnd(length, 'z')
      expect((await admin('POST', '/stores', newStoreBody({ id }))).json.id).toBe(id)
    }
  })

  it('accepts a name of 255 code points', async () => {
    const name = '😀'.repeat(255)
    expect((await admin('POST', '/stores', newStoreBody({ name }))).json.name).toBe(name)
  })
})

describe('POST /admin/stores after a lost response', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['nothing', async () => {}],
    ['another store', () => newStore()],
  ])('creates the store once with %s in between', async (_, others) => {
    for (const id of [`s-${crypto.randomUUID()}`, undefined]) {
      const { DB, roundTrips } = faultyD1(env.DB, losesAnswer(others))
      const options = { token: env.ADMIN_TOKEN, body: newStoreBody({ id }), bindings: { DB } }
      const { status, json } = await call('POST', '/admin/stores', options)
      expect([status, roundTrips()]).toEqual([201, 2])
      const [row] = await rowsOf('select * from stores where slug = ?', json.id)
      const made = (await eventsOf({ id: json.id, token: '' })).map(({ id: event, type }) => [event, type])
      expect(made).toEqual([[row.id, 'store.created']])
    }
  })

  it('returns the current store when it was changed in between', async () => {
    const body = newStoreBody()
    const rename = () => admin('PATCH', `/stores/${body.id}`, { name: 'Renamed' })
    const { DB } = faultyD1(env.DB, losesAnswer(rename))
    const { status, json } = await call('POST', '/admin/stores', { token: env.ADMIN_TOKEN, body, bindings: { DB } })
    expect([status, json.name]).toEqual([201, 'Renamed'])
  })
})

describe('POST /admin/stores by an admin who is revoked meanwhile', () => {
  it.each(['an id', 'no id'])('creates the store once when the response was lost, with %s', async (given) => {
    const operator = await newOperator('admin')
    const revoke = () => admin('DELETE', `/operators/${operator.id}`)
    const { DB, roundTrips } = faultyD1(env.DB, losesAnswer(revoke))
    const body = newStoreBody(given === 'an id' ? {} : { id: undefined })
    const { status, json } = await call('POST', '/admin/stores', { token: operator.token, body, bindings: { DB } })
    expect([status, roundTrips(), json.name]).toEqual([201, 2, body.name])
    const events = await eventsOf({ id: json.id, token: '' })
    expect(events.map(({ type, actor_id }) => [type, String(actor_id)])).toEqual([['store.created', operator.id]])
  })

  it('creates no store when the request was lost before it arrived', async () => {
    const operator = await newOperator('admin')
    const { DB, roundTrips } = faultyD1(env.DB, async (trip) => {
      if (trip > 0) return undefined
      await admin('DELETE', `/operators/${operator.id}`)
      return loses('before')(trip)
    })
    const body = newStoreBody()
    const answer = await call('POST', '/admin/stores', { token: operator.token, body, bindings: { DB } })
    expect([summary(answer), roundTrips()]).toEqual(['401 invalid_token', 2])
    expect((await admin('GET', `/stores/${body.id}`)).status).toBe(404)
  })
})

describe('PATCH /admin/stores/{store_id}', () => {
  const patch = (id: string, body?: object) => admin('PATCH', `/stores/${id}`, body)

  it('returns 200 with the same fields as its creation', async () => {
    const { json: created } = await admin('POST', '/stores', newStoreBody())
    const { status, json } = await patch(created.id, {
      name: 'New',
      language: 'PT',
      suspended: true,
      expiry_notice_days: 0,
    })
    expect(status).toBe(200)
    const changed = { name: 'New', language: 'PT', suspended: true, expiry_notice_days: 0 }
    expect(json).toEqual({ ...created, ...changed })
    expect((await admin('GET', `/stores/${created.id}`)).json).toEqual(json)
  })

  it.each(NO_TIME_ZONES)('returns 422 for the time zone %j', async (time_zone) => {
    expect(summary(await patch(store.id, { time_zone }))).toBe('422 invalid_parameter: time_zone')
  })

  it('changes the time zone, and moves no date that is stored', async () => {
    const here = await newStore()
    const access = await newAccess(here)
    const access_due_date = '2027-12-31T23:59:59.999Z'
    await updateAccess(here, access.id, { access_due_date })
    expect((await patch(here.id, { time_zone: 'America/Santiago' })).json.time_zone).toBe('America/Santiago')
    const path = `/stores/${here.id}/product_accesses/${access.id}`
    expect((await admin('GET', path)).json.access_due_date).toBe(access_due_date)
    const events = (await eventsOf(here)).filter(({ type }) => type === 'store.updated')
    expect(events.map(({ data }) => JSON.parse(data))).toEqual([
      { changes: { time_zone: { from: 'UTC', to: 'America/Santiago' } } },
    ])
  })

  it('gives new users the new language', async () => {
    const here = await newStore('EN')
    await patch(here.id, { language: 'PT' })
    expect((await newUser(here)).language).toBe('PT')
  })

  it('writes one event with the changes, and none when nothing changes', async () => {
    const here = await newStore()
    const bodies = [
      { suspended: true, expiry_notice_days: 90 },
      { suspended: true },
      {},
      undefined,
      { suspended: false },
    ]
    for (const body of bodies) expect((await patch(here.id, body)).status).toBe(200)
    const events = (await eventsOf(here)).filter(({ type }) => type === 'store.updated')
    const [first] = events
    expect(events.map(({ data }) => JSON.parse(data))).toEqual([
      { changes: { suspended_at: { from: null, to: first.created_at }, expiry_notice_days: { from: 7, to: 90 } } },
      { changes: { suspended_at: { from: first.created_at, to: null } } },
    ])
  })

  it.each<[string, unknown, string]>([
    ['name', null, 'null'],
    ['name', ' ', ' '],
    ['language', null, 'null'],
    ['language', 'FR', 'FR'],
    ['suspended', null, 'null'],
    ['suspended', 'true', 'true'],
    ['expiry_notice_days', -1, '-1'],
    ['expiry_notice_days', 91, '91'],
    ['expiry_notice_days', 1.5, '1.5'],
    ['expiry_notice_days', null, 'null'],
    ['id', 'other', 'other'],
  ])('returns 422 for %s %j', async (field, value, echoed) => {
    const answer = await patch(store.id, { [field]: value })
    expect(summary(answer)).toBe(`422 invalid_parameter: ${field}`)
    expect(refused(answer)).toEqual({ [field]: echoed })
  })

  it('returns 404 for an unknown store', async () => {
    expect(summary(await patch('nobody', { name: 'New' }))).toBe('404 not_found')
  })
})

describe('A suspended store', () => {
  it('returns 403 without a challenge to its tokens, but not to operators', async () => {
    const here = await newStore()
    const access = await newAccess(here)
    await admin('PATCH', `/stores/${here.id}`, { suspended: true })
    for (const answer of [
      await createV1(here, v1User()),
      await createV3(here, v3User()),
      await updateAccess(here, access.id, {}),
    ]) {
      expect(summary(answer)).toBe('403 store_suspended')
      expect(answer.headers.has('WWW-Authenticate')).toBe(false)
    }
    expect((await admin('POST', `/stores/${here.id}/users`, v1User())).status).toBe(201)
    expect((await admin('PUT', `/stores/${here.id}/product_accesses/${access.id}`, {})).status).toBe(201)
  })

  it('returns 403 before a missing scope and an invalid body, and after a revoked token', async () => {
    const here = await newStore()
    const { id, token } = await newToken(here, { scopes: ['events:read'] })
    await admin('PATCH', `/stores/${here.id}`, { suspended: true })
    expect(summary(await createV1({ ...here, token }, {}))).toBe('403 store_suspended')
    await admin('DELETE', `/stores/${here.id}/tokens/${id}`)
    expect(summary(await createV1({ ...here, token }, {}))).toBe('401 invalid_token')
  })

  it('accepts its tokens again when the suspension ends, and other stores are not affected', async () => {
    const [here, other] = [await newStore(), await newStore()]
    await admin('PATCH', `/stores/${here.id}`, { suspended: true })
    expect((await createV1(other, v1User())).status).toBe(201)
    await admin('PATCH', `/stores/${here.id}`, { suspended: false })
    expect((await createV1(here, v1User())).status).toBe(201)
  })
})

describe('GET /admin/stores/{store_id}', () => {
  it('returns 200 with the store', async () => {
    const { json: created } = await admin('POST', '/stores', newStoreBody())
    const { status, json } = await admin('GET', `/stores/${created.id}`)
    expect(status).toBe(200)
    expect(json).toEqual(created)
  })

  it.each(['nobody', 'Academy', '%00', '__proto__', 'a%20b', 'x'.repeat(300)])(
    'returns 404 not_found for %s',
    async (id) => {
      const answer = await admin('GET', `/stores/${id}`)
      expect(summary(answer)).toBe('404 not_found')
      expect(answer.json).not.toHaveProperty('details')
    },
  )
})

describe('GET /admin/stores', () => {
  it('returns pages in the order of the ids, each store once', async () => {
    const prefix = `p-${crypto.randomUUID()}`
    const ids = ['-1', '-2', '-3', '-4', '_5'].map((suffix) => prefix + suffix)
    for (const id of ids.toReversed()) await admin('POST', '/stores', newStoreBody({ id }))

    const first = await admin('GET', `/stores?limit=2&after=${prefix}`)
    expect(first.status).toBe(200)
    expect(Object.keys(first.json).toSorted()).toEqual(['data', 'next'])
    const second = await admin('GET', `/stores?limit=2&after=${first.json.next}`)
    const third = await admin('GET', `/stores?limit=1&after=${second.json.next}`)
    const found = [first, second, third].flatMap(({ json }) => json.data)
    expect(found.map(({ id }) => id)).toEqual(ids)
    expect(found[0]).toEqual((await admin('GET', `/stores/${ids[0]}`)).json)
  })

  it('returns next null at the end', async () => {
    const id = `zzzz-${crypto.randomUUID()}`
    await admin('POST', '/stores', newStoreBody({ id }))
    const { json } = await admin('GET', `/stores?after=${'z'.repeat(64)}`)
    expect(json).toEqual({ data: [], next: null })
  })
})

describe('The token of the root', () => {
  it.each([
    ['GET', '/admin'],
    ['GET', '/admin/'],
    ['HEAD', '/admin/stores'],
    ['POST', '/admin/stores'],
    ['PATCH', '/admin/stores/x'],
    ['DELETE', '/admin/stores/x/tokens/1'],
    ['OPTIONS', '/admin/stores'],
    ['PUT', '/admin/nothing'],
  ])('%s %s returns 404 route_not_found when ADMIN_TOKEN is not set or too short', async (method, path) => {
    for (const ADMIN_TOKEN of ['', undefined, 'x'.repeat(31)]) {
      const answer = await call(method, path, { token: ADMIN_TOKEN ?? env.ADMIN_TOKEN, bindings: { ADMIN_TOKEN } })
      expect(answer.status).toBe(404)
      expect(answer.headers.has('Allow')).toBe(false)
      expect(answer.headers.has('WWW-Authenticate')).toBe(false)
      expect(answer.json?.code).toBe(method === 'HEAD' ? undefined : 'route_not_found')
    }
  })

  it.each([
    ['no token', {}],
    ['an unsupported media type', { headers: { 'Content-Type': 'text/plain' }, body: 'x' }],
    ['a Content-Encoding', { headers: { 'Content-Encoding': 'gzip' }, body: {} }],
    ['too large a body', { body: 'x'.repeat(65_537) }],
    ['a malformed body', { body: '{' }],
    ['a valid body and an empty token', { headers: { Authorization: 'Bearer ' }, body: newStoreBody() }],
  ])('returns 404 route_not_found without ADMIN_TOKEN for %s', async (_, options) => {
    const answer = await call('POST', '/admin/stores', { ...options, bindings: { ADMIN_TOKEN: '' } })
    expect(summary(answer)).toBe('404 route_not_found')
  })

  it('is rejected when one character differs, and so is a token of a store', async () => {
    const tokens = [
      env.ADMIN_TOKEN.toUpperCase(),
      env.ADMIN_TOKEN.slice(0, -1),
      `${env.ADMIN_TOKEN}x`,
      'undefined',
      store.token,
    ]
    for (const token of tokens) {
      const answer = await call('GET', '/admin/stores', { token })
      expect(summary(answer)).toBe('401 invalid_token')
      expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer realm="registrar", error="invalid_token"')
    }
  })

  it('is rejected on v1', async () => {
    const answer = await createV1({ ...store, token: env.ADMIN_TOKEN }, v1User())
    expect(summary(answer)).toBe('401 invalid_token')
  })
})
