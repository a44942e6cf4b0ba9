import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, it } from 'vitest'
import worker from '../../../src/index.ts'
import type { Answer } from '../../support/openapi.ts'
import {
  admin,
  BASE,
  call,
  createV1,
  newAccess,
  newStore,
  newUser,
  OPTIONAL_FIELDS,
  refused,
  summary,
  useStore,
  v1User,
  WITHOUT_QUOTA,
} from '../../support/api.ts'
import { recordConsole } from '../../support/console.ts'
import { plansOf } from '../../support/costs.ts'
import { EXPORT, EXPORT_SEARCH } from '../../../src/modules/users/limits.ts'
import { faultyD1, loses } from '../../support/faults.ts'
import { newOperator } from '../../support/operators.ts'
import { newOwnStore } from '../../support/places.ts'
import {
  defineField,
  deleteField,
  insertEvents,
  newProduct,
  rowsOf,
  storeNumber,
  type TestStore,
} from '../../support/rows.ts'
import { useLimits } from '../../support/small-limits.ts'

function fileOf(store: { id: string }, name: string, query = ''): Promise<Answer> {
  return admin('GET', `/stores/${store.id}/${name}.csv${query}`)
}

/** Parses the rows as objects with the column names as keys. */
function rowsIn({ text }: Answer): any[] {
  return parse(text, { columns: true, record_delimiter: '\r\n' })
}

/**
 * Inserts users with SQL, because thousands of requests would take minutes. Each has custom fields of about so many bytes, and
 * both its names, without accents and in lower case, are `folded`.
 */
async function insertUsers(store: TestStore, count: number, bytes = 10, folded = 'ada'): Promise<void> {
  const ids = await insertEvents(store, { type: 'user.created', count })
  await rowsOf(
    `insert into users (id, store, email_key, email, name, last_name, name_folded, last_name_folded, role, language,
        custom_fields, created_at, updated_at, event_id)
      select id, ?3, 'u' || id || '@example.com', 'u' || id || '@example.com', 'Ada', 'L', ?5, ?5, 'student', 'EN',
        json_object('text', substr(replace(hex(zeroblob(?4)), '00', 'x'), 1, ?4)), 0, 0, id from events where id between ?1 and ?2`,
    ids[0],
    ids.at(-1),
    await storeNumber(store),
    bytes,
    folded,
  )
}

const HEADER = 'id,name,last_name,email,created_at,country,phone,external_id,language,avatar,role,updated_at'
const OWN_COLUMNS = HEADER.split(',').length

describe('GET /admin/stores/:store_id/users.csv', () => {
  it('returns text/csv with a header row, even for a store without users', async () => {
    const answer = await fileOf(await newStore(), 'users')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
    expect(answer.text).toBe(`${HEADER},custom_fields\r\n`)
  })

  it('has a column for each field of the JSON with the same value', async () => {
    const store = await newStore()
    const { custom_fields: _, ...fields } = OPTIONAL_FIELDS
    const { json: user } = await createV1(store, v1User(fields))
    const [row, ...others] = rowsIn(await fileOf(store, 'users'))
    expect(others).toEqual([])
    expect(row).toEqual({ ...user, custom_fields: '' })
  })

  it('leaves a cell empty when the user has no value', async () => {
    const store = await newStore()
    await createV1(store, v1User({ phone: '' }))
    const { text } = await fileOf(store, 'users')
    expect(text.split('\r\n')[1]).toMatch(/^\d+,Ada,Lovelace,[^,]+,[^,]+,,"",,EN,,+student,[^,]+,$/)
  })

  it('has a column for each defined custom field, and one column for all other values', async () => {
    const store = await newStore()
    for (const key of ['rank', 'gone', 'a.b', '__proto__']) await defineField(store, key)
    const custom_fields = JSON.parse('{"rank":"7","gone":"kept","a.b":"x","__proto__":null}')
    await createV1(store, v1User({ custom_fields }))
    await createV1(store, JSON.stringify(v1User({ custom_fields: { rank: 'RANK' } })).replace('"RANK"', '7.50'))
    await createV1(store, v1User({ custom_fields: { rank: '', 'a.b': '=1' } }))
    await deleteField(store, 'gone')
    const { text } = await fileOf(store, 'users')
    const [header = [], ...rows] = parse(text)
    expect(header.slice(OWN_COLUMNS)).toEqual([
      'custom_fields.__proto__',
      'custom_fields.a.b',
      'custom_fields.rank',
      'custom_fields',
    ])
    expect(rows.map((row: string[]) => row.slice(OWN_COLUMNS))).toEqual([
      ['null', 'x', '"7"', '{"gone":"kept"}'],
      ['', '', '7.50', ''],
      ['', '=1', '""', ''],
    ])
  })

  it('accepts the filters of the list', async () => {
    const store = await newStore()
    for (const email of ['ada@example.com', 'alan@example.com', 'grace@example.com']) {
      await createV1(store, v1User({ email, external_id: email[0], name: email.slice(0, 3) }))
    }
    const emails = async (query: string) => rowsIn(await fileOf(store, 'users', query)).map((row) => row.email)
    expect(await emails('?email=ADA%40example.com')).toEqual(['ada@example.com'])
    expect(await emails('?external_id=a')).toEqual(['ada@example.com', 'alan@example.com'])
    expect(await emails('?q=gra')).toEqual(['grace@example.com'])
    expect(await emails('?q=al&external_id=a')).toEqual(['alan@example.com'])
    expect(await emails('?q=nobody')).toEqual([])
  })

  it('escapes formulas only when spreadsheet=true', async () => {
    const store = await newStore()
    await createV1(store, v1User({ name: '=1+1', last_name: 'a;@x', phone: '+34 1' }))
    const cells = async (query: string) => {
      const [{ name, last_name, phone }] = rowsIn(await fileOf(store, 'users', query))
      return [name, last_name, phone]
    }
    expect(await cells('')).toEqual(['=1+1', 'a;@x', '+34 1'])
    expect(await cells('?spreadsheet=false')).toEqual(['=1+1', 'a;@x', '+34 1'])
    expect(await cells('?spreadsheet=true')).toEqual(["'=1+1", "a;'@x", "'+34 1"])
  })

  it.each([
    ['ES', ';'],
    ['PT', ';'],
    ['EN', ','],
  ])(
    'has a byte order mark and the separator of the language %s when spreadsheet=true',
    async (language, delimiter) => {
      const store = await newStore(language)
      await createV1(store, v1User({ name: 'José;', last_name: 'Núñez, hijo' }))
      const response = await worker.fetch(
        new Request<unknown, IncomingRequestCfProperties>(
          `${BASE}/admin/stores/${store.id}/users.csv?spreadsheet=true`,
          {
            headers: { Authorization: `Bearer ${env.ADMIN_TOKEN}` },
          },
        ),
        { ...env, ...WITHOUT_QUOTA },
        createExecutionContext(),
      )
      const bytes = new Uint8Array(await response.arrayBuffer())
      expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
      const [header = [], row = []] = parse(Buffer.from(bytes), { bom: true, delimiter })
      expect(header.join(',')).toBe(`${HEADER},custom_fields`)
      expect(row.slice(1, 3)).toEqual(['José;', 'Núñez, hijo'])
      expect((await fileOf(store, 'users')).text).toMatch(/^id,name,/)
    },
  )

  it('accepts ids, alone and with q, but no order', async () => {
    const store = await newStore()
    const ids = []
    for (const name of ['José', 'Ada', 'Ana']) ids.push((await newUser(store, { name })).id)
    const names = async (query: string) => rowsIn(await fileOf(store, 'users', query)).map(({ name }) => name)
    expect(await names(`?ids=${ids[2]},${ids[0]}`)).toEqual(['José', 'Ana'])
    expect(await names(`?ids=${ids[2]},${ids[0]}&q=LOVELACE%20jose`)).toEqual(['José'])
    expect(summary(await fileOf(store, 'users', '?order=desc'))).toBe('422 invalid_parameter: order')
    expect(summary(await fileOf(store, 'users', '?q=a+b+c+d+e+f'))).toBe('422 invalid_parameter: q')
  })

  it.each(['limit=1', 'after=1', 'spreadsheet=yes', 'spreadsheet=', 'email=x', 'q='])(
    'returns 422 for %s',
    async (query) => {
      const answer = await fileOf({ id: 'nobody' }, 'users', `?${query}`)
      const [field = '', value] = query.split('=')
      expect(summary(answer)).toBe(`422 invalid_parameter: ${field}`)
      expect(refused(answer)).toEqual({ [field]: value })
    },
  )

  it('returns 404 for an unknown store', async () => {
    expect(summary(await fileOf({ id: 'nobody' }, 'users'))).toBe('404 not_found')
  })
})

describe('GET /admin/stores/:store_id/product_accesses.csv', () => {
  it('has a column for each field of the JSON, with the ids of the product and the user', async () => {
    const store = await newStore()
    const plain = await newAccess(store)
    const full = await newAccess(store, { expiration_days: 30 }, { access_due_date: Date.UTC(2030, 0, 1) })
    const progress = {
      started_at: '2026-01-01T00:00:00Z',
      completed_at: '2026-02-01T00:00:00Z',
      progress: 100,
      grade: '7',
      concept_grade: 'A',
      passed: true,
      certificate_url: 'https://example.com/c',
    }
    const { json } = await admin('PATCH', `/stores/${store.id}/product_accesses/${full.id}`, progress)
    const answer = await fileOf(store, 'product_accesses')
    expect(answer.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
    const [first, second] = rowsIn(answer)
    const { product, user, ...fields } = json
    const { product: _, user: __, ...names } = { expiration_days: 0, ...plain }
    expect(Object.keys(first).toSorted()).toEqual([...Object.keys(names), 'product_id', 'user_id'].toSorted())
    expect(first).toMatchObject({
      id: plain.id,
      product_id: plain.product.id,
      user_id: plain.user.id,
      grade: '',
      access_due_date: '',
      expiration_days: '',
      passed: 'false',
      progress: '0',
    })
    expect(second).toEqual({
      ...fields,
      expiration_days: '30',
      grade: '"7"',
      passed: 'true',
      progress: '100',
      product_id: product.id,
      user_id: user.id,
    })
  })

  it('also names the users and the products when spreadsheet=true', async () => {
    const store = await newStore('PT')
    const access = await newAccess(store)
    await admin('PATCH', `/stores/${store.id}/users/${access.user.id}`, { name: 'João', last_name: '=Gonçalves' })
    const { text } = await fileOf(store, 'product_accesses', '?spreadsheet=true')
    const [row]: any[] = parse(text, { columns: true, delimiter: ';', record_delimiter: '\r\n' })
    expect(Object.keys(row).slice(-5)).toEqual(['product_id', 'product_slug', 'user_id', 'user_email', 'user_name'])
    expect(row).toMatchObject({
      product_id: access.product.id,
      product_slug: access.product.slug,
      user_id: access.user.id,
      user_email: access.user.email,
      user_name: 'João =Gonçalves',
    })
  })

  it('accepts the filters of the list', async () => {
    const store = await newStore()
    const early = await newAccess(store, {}, { access_due_date: Date.UTC(2030, 0, 1) })
    const late = await newAccess(store, {}, { access_due_date: Date.UTC(2031, 0, 1), status: 'without_access' })
    const ids = async (query: string) => rowsIn(await fileOf(store, 'product_accesses', query)).map((row) => row.id)
    expect(await ids('')).toEqual([early.id, late.id])
    expect(await ids(`?user_id=${late.user.id}`)).toEqual([late.id])
    expect(await ids(`?product_id=${early.product.id}`)).toEqual([early.id])
    expect(await ids('?status=without_access')).toEqual([late.id])
    expect(await ids('?in_force=true')).toEqual([early.id])
    expect(await ids('?due_before=2030-06-01T00:00:00Z')).toEqual([early.id])
    expect(await ids('?due_after=2030-06-01T00:00:00Z')).toEqual([late.id])
  })

  it.each(['limit=1', 'after=1', 'status=open', 'due_after=today', 'user_id=x'])(
    'returns 422 for %s',
    async (query) => {
      expect(summary(await fileOf({ id: 'nobody' }, 'product_accesses', `?${query}`))).toBe(
        `422 invalid_parameter: ${query.split('=')[0]}`,
      )
    },
  )
})

describe('The times of a CSV file for spreadsheets', () => {
  /** Returns the rows of both files. */
  async function filesOf(store: TestStore, query: string, delimiter: string) {
    const parsed = async (name: string): Promise<any[]> =>
      parse((await fileOf(store, name, query)).text, { columns: true, bom: true, delimiter })
    return { users: await parsed('users'), accesses: await parsed('product_accesses') }
  }

  const times = ({ created_at, started_at, completed_at }: any) => [created_at, started_at, completed_at]

  it.each([
    [
      'Europe/Lisbon',
      [
        ['2027-07-01T22:59:59.999Z', '2027-07-01'],
        ['2027-07-01T22:59:59.000Z', '2027-07-01'],
        ['2027-07-01T23:00:00.000Z', '2027-07-01'],
        ['2027-07-01T22:59:58.999Z', '2027-07-01 23:59:58'],
        ['2027-07-01T10:30:15.500Z', '2027-07-01 11:30:15'],
        ['2027-12-31T23:59:59.999Z', '2027-12-31'],
        ['9999-12-31T23:59:59.999Z', '9999-12-31'],
      ],
    ],
    [
      'America/Santiago',
      [
        // The clocks go back from midnight to 23:00, and 3 April ends when they show midnight for the second time.
        ['2027-04-04T02:59:59.999Z', '2027-04-03 23:59:59'],
        ['2027-04-04T03:00:00.000Z', '2027-04-03 23:00:00'],
        ['2027-04-04T03:59:59.999Z', '2027-04-03'],
        ['2027-04-04T04:00:00.000Z', '2027-04-03'],
        // The clocks go forward at midnight, and 5 September begins at 01:00.
        ['2027-09-05T03:59:59.999Z', '2027-09-04'],
        ['2027-09-05T04:00:00.000Z', '2027-09-04'],
        ['2027-09-05T04:00:01.000Z', '2027-09-05 01:00:01'],
      ],
    ],
    ['Europe/Madrid', [['9999-12-31T23:59:59.999Z', '9999-12-31']]],
  ])('are those of %s, and due dates that end with a day are that day', async (time_zone, dates) => {
    const store = await newStore('PT')
    await admin('PATCH', `/stores/${store.id}`, { time_zone })
    for (const [due = ''] of dates) await newAccess(store, {}, { access_due_date: Date.parse(due) })
    await newAccess(store)
    const local = await filesOf(store, '?spreadsheet=true', ';')
    expect(local.accesses.map((row) => row.access_due_date)).toEqual([...dates.map(([, text]) => text), ''])
    const plain = await filesOf(store, '', ',')
    expect(plain.accesses.map((row) => row.access_due_date)).toEqual([...dates.map(([due]) => due), ''])
  })

  it('are to the second for what has happened, at midnight too', async () => {
    const store = await newStore()
    await admin('PATCH', `/stores/${store.id}`, { time_zone: 'Europe/Lisbon' })
    const { id, user } = await newAccess(store)
    const at = ['2027-06-30T23:00:00.000Z', '2027-07-01T22:59:59.999Z']
    await admin('PATCH', `/stores/${store.id}/product_accesses/${id}`, { started_at: at[0], completed_at: at[1] })
    await rowsOf(
      `update product_accesses set created_at = ?1 where store = ?2`,
      Date.parse('2027-12-31T23:59:59.999Z'),
      await storeNumber(store),
    )
    await rowsOf(
      `update users set created_at = ?1, updated_at = ?2 where store = ?3`,
      Date.parse('2027-01-01T00:00:00.000Z'),
      Date.parse('2027-07-01T12:00:00.000Z'),
      await storeNumber(store),
    )
    const local = await filesOf(store, '?spreadsheet=true', ',')
    expect(times(local.accesses[0])).toEqual(['2027-12-31 23:59:59', '2027-07-01 00:00:00', '2027-07-01 23:59:59'])
    expect(local.users[0]).toMatchObject({
      id: user.id,
      created_at: '2027-01-01 00:00:00',
      updated_at: '2027-07-01 13:00:00',
    })
    const plain = await filesOf(store, '?spreadsheet=false', ',')
    expect(times(plain.accesses[0])).toEqual(['2027-12-31T23:59:59.999Z', ...at])
    expect(plain.users[0]).toMatchObject({
      created_at: '2027-01-01T00:00:00.000Z',
      updated_at: '2027-07-01T12:00:00.000Z',
    })
  })
})

/** The real ones, which the tests below replace. */
const REAL = { ...EXPORT, search: { ...EXPORT_SEARCH } }

describe('A CSV file', () => {
  it('has pages so large that 1,000 statements suffice for a million users, and for a search in ten million', () => {
    expect(REAL.firstPage).toBeLessThanOrEqual(100)
    expect((1000 / 2) * REAL.maxPage).toBe(1_000_000)
    expect((1000 / 2) * REAL.search.names).toBe(10_000_000)
  })
})

describe('A CSV file of several pages', () => {
  useLimits(EXPORT, { firstPage: 10, maxPage: 200 })
  const USERS = 700
  const store = useStore()

  beforeAll(async () => {
    await insertUsers(store, USERS)
    // This user has the next id range in the table: the file must not contain it.
    await createV1(await newStore(), v1User())
  })

  /** Returns a response of which nothing has been read yet. */
  async function begin(
    path: string,
    options: { token?: string; bindings?: object; method?: string; storeId?: string } = {},
  ): Promise<Response> {
    const { token = env.ADMIN_TOKEN, bindings = {}, method = 'GET', storeId = store.id } = options
    const request = new Request<unknown, IncomingRequestCfProperties>(`${BASE}/admin/stores/${storeId}/${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}` },
    })
    const answer = await worker.fetch(request, { ...env, ...WITHOUT_QUOTA, ...bindings }, createExecutionContext())
    return answer
  }

  it('contains every user once in the order of the ids', async () => {
    const ids = rowsIn(await fileOf(store, 'users')).map(({ id }) => Number(id))
    expect(ids).toHaveLength(USERS)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    expect(new Set(ids).size).toBe(USERS)
  })

  it('contains every match of a search', async () => {
    expect(rowsIn(await fileOf(store, 'users', '?q=ada'))).toHaveLength(USERS)
  })

  it('costs one round trip for the store, one for the custom fields and one per page of up to 200, and reads each row twice', async () => {
    const send = (bindings: object) =>
      call('GET', `/admin/stores/${store.id}/users.csv`, { token: env.ADMIN_TOKEN, bindings })
    const { DB, roundTrips, rowsRead, rowsWritten } = faultyD1(env.DB)
    await send({ DB })
    // The pages have 10, 40, 160, 200, 200 and 90 users.
    expect([roundTrips(), rowsWritten()]).toEqual([1 + 1 + 6, 0])
    expect(rowsRead()).toBeLessThan(2 * USERS + 100)
    expect(
      (
        await plansOf((bindings) =>
          call('GET', `/admin/stores/${store.id}/product_accesses.csv`, { token: env.ADMIN_TOKEN, bindings }),
        )
      ).filter((step) => /^SCAN (?!CONSTANT|request$|found$|\(subquery)/.test(step)),
    ).toEqual([])
  })

  it('reads from the database only as fast as the client reads', async () => {
    const { DB, roundTrips } = faultyD1(env.DB)
    const { body } = await begin('users.csv', { bindings: { DB } })
    expect(roundTrips()).toBe(3)
    const reader = body?.getReader()
    await reader?.read()
    expect(roundTrips()).toBe(3)
    await reader?.read()
    expect(roundTrips()).toBe(4)
    await reader?.cancel()
    expect(roundTrips()).toBe(4)
  })

  it('reads only the first page for HEAD', async () => {
    const { DB, roundTrips } = faultyD1(env.DB)
    const answer = await begin('users.csv', { bindings: { DB }, method: 'HEAD' })
    expect([answer.status, await answer.text(), roundTrips()]).toEqual([200, '', 3])
  })

  it('returns 503 when the database fails before the first page', async () => {
    for (const lost of [0, 1]) {
      const { DB } = faultyD1(env.DB, (trip) => (trip >= lost ? loses('before')(0) : undefined))
      const answer = await call('GET', `/admin/stores/${store.id}/users.csv`, {
        token: env.ADMIN_TOKEN,
        bindings: { DB },
      })
      expect(summary(answer)).toBe('503 service_unavailable')
    }
  })

  it('continues after a round trip that failed once', async () => {
    const { DB } = faultyD1(env.DB, (trip) => (trip === 4 ? loses('after')(0) : undefined))
    const answer = await call('GET', `/admin/stores/${store.id}/users.csv`, {
      token: env.ADMIN_TOKEN,
      bindings: { DB },
    })
    expect(rowsIn(answer)).toHaveLength(USERS)
  })

  it('ends with an error and a warning in the log when the database fails later', async () => {
    const { DB } = faultyD1(env.DB, (trip) =>
      trip >= 4 ? { when: 'before', message: 'D1_ERROR: D1 DB is overloaded.' } : undefined,
    )
    const lines = await recordConsole(async () => {
      const answer = await begin('users.csv', { bindings: { DB } })
      expect(answer.status).toBe(200)
      await expect(answer.text()).rejects.toThrow('d1_overloaded')
    })
    const line = lines.map((text) => JSON.parse(text)).find(({ kind }) => kind === 'warning')
    expect(line).toMatchObject({ code: 'answer_cut', failure: 'd1_overloaded', request_id: expect.any(String) })
  })

  it('ends with an error when the operator is revoked during the download', async () => {
    const { id, token } = await newOperator('viewer')
    const answer = await begin('users.csv', { token })
    expect(answer.status).toBe(200)
    await admin('DELETE', `/operators/${id}`)
    const lines = await recordConsole(() => expect(answer.text()).rejects.toThrow('invalid_token'))
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ code: 'answer_cut', failure: 'invalid_token' }),
    )
  })

  it('ends with an error when the operator is revoked, in a database of the store’s own too', async () => {
    const own = await newOwnStore()
    const items = Array.from({ length: EXPORT.firstPage + 1 }, () => v1User())
    await admin('POST', `/stores/${own.id}/users/batch`, { items })
    const { id, token } = await newOperator('viewer')
    const answer = await begin('users.csv', { token, storeId: own.id })
    await admin('DELETE', `/operators/${id}`)
    const lines = await recordConsole(() => expect(answer.text()).rejects.toThrow('invalid_token'))
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ code: 'answer_cut', failure: 'invalid_token' }),
    )
  })
})

describe('A CSV file of large users', () => {
  it('has smaller pages, even after small ones', async () => {
    // Without the custom fields, or without a name, the users of a page would have less than `pageBytes`.
    const [bytes, folded] = [15_000, 'a'.repeat(7500)]
    const own = await newStore()
    await insertUsers(own, EXPORT.firstPage)
    await insertUsers(own, 350, bytes, folded)
    let largest = 0
    const batch = async (statements: D1PreparedStatement[]) => {
      const results = await env.DB.batch(statements)
      largest = Math.max(largest, JSON.stringify(results).length)
      return results
    }
    const DB = { prepare: (text: string) => env.DB.prepare(text), batch }
    const answer = await call('GET', `/admin/stores/${own.id}/users.csv`, { token: env.ADMIN_TOKEN, bindings: { DB } })
    expect(answer.text.match(/\r\n/g)).toHaveLength(1 + EXPORT.firstPage + 350)
    // The second page could have 400 users, and those that are left would have 10.5 MB.
    expect(largest).toBeLessThan(1.1 * EXPORT.pageBytes)
    expect(largest).toBeGreaterThan(0.8 * EXPORT.pageBytes)
  })
})

describe('A CSV file of users that is parsed again', () => {
  it('contains exactly what was sent', async () => {
    const store = await newStore()
    for (const key of ['a', 'b']) await defineField(store, key)
    await newProduct(store)
    const texts = [
      '"',
      'a,b',
      'multi\r\nline',
      '\n',
      ' padded ',
      '=1',
      '\ufeffbom',
      "'",
      '7',
      'null',
      '{"a":1}',
      '"x"',
      '😀',
      ';\t',
      '-0',
      '1e999',
    ]
    for (const text of texts) {
      await createV1(
        store,
        v1User({
          name: `x${text}`,
          last_name: `${text}x`,
          phone: text,
          external_id: text,
          avatar: text,
          custom_fields: { a: text },
        }),
      )
    }
    const rows = rowsIn(await fileOf(store, 'users'))
    const { json } = await admin('GET', `/stores/${store.id}/users?limit=100`)
    expect(
      rows.map(({ name, last_name, phone, external_id, avatar }) => ({ name, last_name, phone, external_id, avatar })),
    ).toEqual(
      json.data.map(({ name, last_name, phone, external_id, avatar }: any) => ({
        name,
        last_name,
        phone,
        external_id,
        avatar,
      })),
    )
    expect(rows.map((row) => valueOf(row['custom_fields.a']))).toEqual(texts)
  })

  function valueOf(written: string): unknown {
    try {
      return JSON.parse(written)
    } catch {
      return written
    }
  }
})

describe('A file of a store with many columns', () => {
  // Twenty rows of the thirteen columns that every file has.
  useLimits(EXPORT, { firstPage: 10, maxPage: 200, maxCells: 260 })

  it('has pages with fewer rows, of which each has as many cells as fit', async () => {
    const own = await newStore()
    await insertUsers(own, 60)
    const { DB, roundTrips } = faultyD1(env.DB)
    const path = `/admin/stores/${own.id}/users.csv`
    const answer = await call('GET', path, { token: env.ADMIN_TOKEN, bindings: { DB } })
    expect(answer.text.match(/\r\n/g)).toHaveLength(1 + 60)
    // The pages have 10, 20, 20 and 10 users.
    expect(roundTrips()).toBe(1 + 1 + 4)
  })
})

describe('A CSV file with q', () => {
  // A tenth of what they are.
  useLimits(EXPORT_SEARCH, { emails: 500, names: 2000 })
  const USERS = 4100
  const store = useStore()

  beforeAll(async () => {
    await insertUsers(store, USERS)
  })

  /** Returns how many statements the file takes, of which D1 allows 1,000, and how many lines it has. */
  async function costOf(query: string) {
    const { DB, statements } = faultyD1(env.DB)
    const path = `/admin/stores/${store.id}/users.csv?${query}`
    const { token } = await newOperator('viewer')
    const answer = await call('GET', path, { token, bindings: { DB } })
    return { statements: statements().length, lines: rowsIn(answer).length }
  }

  it('takes two statements for every 2,000 users', async () => {
    const { statements, lines } = await costOf('q=nobody')
    // The search for the store in the directory, the day of the token's last use, the custom fields, and three pages, of which the first looks for an email, too.
    expect({ statements, lines }).toEqual({ statements: 1 + 1 + 2 + 3 + 2 + 2, lines: 0 })
  })

  it('takes two statements for every 500 users whose email begins with the text', async () => {
    const { statements, lines } = await costOf('q=u&external_id=nobody')
    // The first page searches the names as well, eight more the emails, and then three the names.
    expect(statements).toBeLessThanOrEqual(1 + 1 + 2 + 3 + 8 * 2 + 3 * 2)
    expect(lines).toBe(0)
  })
})
