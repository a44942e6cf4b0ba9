/** These tests hold the costs that Cloudflare bills: D1 round trips, rows written, KV operations, and query plans. */
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../support/openapi.ts'
import {
  call,
  createV1,
  createV3,
  newAccess,
  newStore,
  newUser,
  onFreshInstance,
  updateAccess,
  v1User,
  v3User,
} from '../support/api.ts'
import { bulk } from '../support/bulk.ts'
import { type Cost, measure, planOf, plansOf, type Send } from '../support/costs.ts'
import { faultyD1 } from '../support/faults.ts'
import { newOperator } from '../support/operators.ts'
import { IS_OWN, newOwnStore } from '../support/places.ts'
import { newProduct, rowsOf, storeNumber, useToken, type TestStore } from '../support/rows.ts'

interface Operation {
  name: string
  /** Prepares the store and returns the request to measure. */
  prepare: (store: TestStore) => Promise<Send>
  cost: Partial<Cost>
}

const KEY = { 'X-Idempotency-Key': 'order-1' }
const NOTHING = { written: 0, kvReads: 0, kvWrites: 0 }
const DUE = { from: Date.UTC(2030, 0, 1), to: new Date(Date.UTC(2031, 0, 1)).toISOString() }

function create(body: () => object, send = createV1, headers = {}): Operation['prepare'] {
  return (store) => Promise.resolve((bindings) => send(store, body(), { bindings, headers }))
}

/** Prepares the store with the same request, so that the measured one is a repetition. */
function again(body: () => object, send = createV1, headers = {}): Operation['prepare'] {
  return async (store) => {
    const sent = body()
    await send(store, sent, { headers })
    return (bindings) => send(store, sent, { bindings, headers })
  }
}

function update(change: (access: any) => object, due: number | null = null, headers = {}): Operation['prepare'] {
  return async (store) => {
    const access = await newAccess(store, { expiration_days: 30 }, { access_due_date: due })
    return (bindings) => updateAccess(store, access.id, change(access), { bindings, headers })
  }
}

function createBulkChange(fields: object = {}, headers = {}): Operation['prepare'] {
  const body = { filter: {}, change: { extend_days: 1 }, ...fields }
  return async (store) => {
    await newAccess(store)
    // The object of the store, which would carry it out, is not waited for while its costs are measured.
    return (bindings) => bulk({ store }, 'POST', '', body, { bindings, headers })
  }
}

const withPassword = () => v1User({ password: 'horse' })

/** docs/engineers.md lists these costs under "What an operation costs": change both together. */
const REACHING_D1: Operation[] = [
  {
    name: 'a v1 create',
    prepare: create(v1User),
    cost: { outcome: '201', trips: 1, written: 3, kvReads: 0, kvWrites: 0 },
  },
  {
    name: 'a v1 create with an external id, which has an index',
    prepare: create(() => v1User({ external_id: 'crm-1' })),
    cost: { outcome: '201', trips: 1, written: 4, kvReads: 0, kvWrites: 0 },
  },
  {
    name: 'a v1 create with a key',
    prepare: create(v1User, createV1, KEY),
    cost: { outcome: '201', trips: 1, written: 4, kvReads: 0, kvWrites: 1 },
  },
  {
    name: 'a v1 create with a password, which first sends a preview',
    prepare: create(withPassword),
    cost: { outcome: '201', trips: 2, written: 3, kvReads: 0, kvWrites: 0 },
  },
  {
    name: 'a v3 create, with a password and an external id',
    prepare: create(v3User, createV3),
    cost: { outcome: '201', trips: 2, written: 4, kvReads: 0, kvWrites: 0 },
  },
  {
    name: 'a v3 create with a key',
    prepare: create(v3User, createV3, KEY),
    cost: { outcome: '201', trips: 2, written: 5, kvReads: 0, kvWrites: 1 },
  },
  ...[v1User, withPassword].map((body) => ({
    name: `a replay, ${body === v1User ? 'without' : 'with'} a password`,
    prepare: again(body, createV1, KEY),
    cost: { outcome: '201', trips: 1, written: 0, kvReads: 1, kvWrites: 0 },
  })),
  {
    name: 'a key that another request used',
    async prepare(store) {
      await createV1(store, v1User(), { headers: KEY })
      return (bindings) => createV1(store, withPassword(), { bindings, headers: KEY })
    },
    cost: { ...NOTHING, outcome: '422 idempotency_key_reused: X-Idempotency-Key', trips: 1 },
  },
  ...[v1User, withPassword].map((body) => ({
    name: `a taken email, ${body === v1User ? 'without' : 'with'} a password`,
    prepare: again(body),
    cost: { ...NOTHING, outcome: '422 email_taken: email', trips: 1 },
  })),
  {
    name: 'a create with an undefined custom field',
    prepare: create(() => ({ ...withPassword(), custom_fields: { none: 1 } })),
    cost: { ...NOTHING, outcome: '422 invalid_parameter: custom_fields.none', trips: 1 },
  },
  ...['product_id', 'slug'].map((by) => ({
    name: `a grant by ${by}`,
    async prepare(store: TestStore) {
      const [user, product] = [await createV1(store, v1User()), await newProduct(store)]
      const body = { user_id: user.json.id, [by]: by === 'slug' ? product.slug : product.id }
      const path = `/v1/stores/${store.id}/product_accesses`
      return (bindings: object) => call('POST', path, { token: store.token, body, bindings })
    },
    cost: { ...NOTHING, outcome: '201', trips: 1, written: 4 },
  })),
  {
    name: 'an update of an access without a date',
    prepare: update(() => ({ status: 'without_access' })),
    cost: { ...NOTHING, outcome: '201', trips: 1, written: 2 },
  },
  {
    name: 'an update that moves the due date',
    prepare: update(() => ({ access_due_date: DUE.to }), DUE.from),
    cost: { ...NOTHING, outcome: '201', trips: 1, written: 4 },
  },
  {
    name: 'an update that closes an access with a date, where D1 does not bill the removed index entry',
    prepare: update(() => ({ status: 'without_access' }), DUE.from),
    cost: { ...NOTHING, outcome: '201', trips: 1, written: 2 },
  },
  {
    name: 'an update that opens an access with a date',
    async prepare(store) {
      const { id } = await newAccess(store, {}, { status: 'without_access', access_due_date: DUE.from })
      return (bindings) => updateAccess(store, id, { status: 'with_access' }, { bindings })
    },
    cost: { ...NOTHING, outcome: '201', trips: 1, written: 4 },
  },
  {
    name: 'an update of both fields',
    prepare: update(() => ({ status: 'without_access', access_due_date: DUE.to }), DUE.from),
    cost: { ...NOTHING, outcome: '201', trips: 1, written: 2 },
  },
  {
    name: 'an update of {}',
    prepare: update(() => ({}), DUE.from),
    cost: { ...NOTHING, outcome: '201', trips: 1 },
  },
  {
    name: 'an update to the current values',
    prepare: update(({ status, access_due_date }) => ({ status, access_due_date }), DUE.from),
    cost: { ...NOTHING, outcome: '201', trips: 1 },
  },
  {
    name: 'an update with a stale ETag',
    prepare: update(() => ({ status: 'without_access' }), null, { 'If-Match': '"1-1"' }),
    cost: { ...NOTHING, outcome: '412 etag_mismatch', trips: 1 },
  },
  ...['4294967294', 'none', '99999999999999999999', '-1'].map((id) => ({
    name: `an update of the unknown access ${id}`,
    prepare: (store: TestStore) =>
      Promise.resolve((bindings: object) => updateAccess(store, id, { status: 'with_access' }, { bindings })),
    cost: { ...NOTHING, outcome: '404', trips: 1 },
  })),
  {
    name: 'a bulk change',
    prepare: createBulkChange(),
    // Its row has three index entries.
    cost: { ...NOTHING, outcome: '202', trips: 1, written: 5 },
  },
  {
    name: 'a bulk change with a key',
    prepare: createBulkChange({}, KEY),
    cost: { outcome: '202', trips: 1, written: 6, kvReads: 0, kvWrites: 1 },
  },
  {
    name: 'a dry run, which has no event',
    prepare: createBulkChange({ dry_run: true }),
    cost: { ...NOTHING, outcome: '202', trips: 1, written: 4 },
  },
  {
    name: 'a create rejected by validation',
    prepare: create(() => ({ ...withPassword(), email: 'nobody' }), createV1, KEY),
    cost: { ...NOTHING, outcome: '422 invalid_parameter: email', trips: 1 },
  },
  {
    name: 'a create with a missing field',
    prepare: create(() => v1User({ name: undefined })),
    cost: { ...NOTHING, outcome: '400 missing_parameter: name', trips: 1 },
  },
  {
    name: 'a create with an invalid key',
    prepare: create(v1User, createV1, { 'X-Idempotency-Key': 'a b' }),
    cost: { ...NOTHING, outcome: '400 invalid_header: X-Idempotency-Key', trips: 1 },
  },
  {
    name: 'an update rejected by validation',
    prepare: update(() => ({ status: 'open' })),
    cost: { ...NOTHING, outcome: '422 invalid_parameter: status', trips: 1 },
  },
]

/** These scans are cheap: one row of an INSERT, the few rows that an update compares, and the items of a request. */
const SCAN =
  /^SCAN (?!CONSTANT ROW|\d+ CONSTANT ROWS|difference$|request$|permitted LEFT-JOIN$|json_each|listed VIRTUAL|\(subquery)/

/** What an instance remembers, and when a token was used, does not depend on the values in the request. */
const OF_EACH_KIND = new Set([
  'a v1 create with a key',
  'a v3 create, with a password and an external id',
  'a replay, with a password',
  'a grant by slug',
  'an update of both fields',
  'an update of {}',
  'a bulk change',
])

describe('The cost of a request', () => {
  it.each(REACHING_D1)('is as documented, and every search uses a key, for $name', async ({ prepare, cost }) => {
    const store = await newStore()
    const send = await prepare(store)
    await useToken(store)
    const { statements, ...measured } = await measure(send)
    expect(measured).toMatchObject({ ...cost, later: { trips: 0, written: 0 } })
    const plans = (await Promise.all(statements.map(planOf))).flat()
    expect(plans).not.toEqual([])
    expect(plans.filter((step) => SCAN.test(step) || step.includes('TEMP B-TREE'))).toEqual([])
  })

  // When the modules are loaded anew, the pool stops the objects that have the old ones.
  it.skipIf(IS_OWN).each(REACHING_D1.filter(({ name }) => OF_EACH_KIND.has(name)))(
    'is the same on a cold instance for $name',
    async ({ prepare, cost }) => {
      const store = await newStore()
      const send = await prepare(store)
      await useToken(store)
      expect(await onFreshInstance(() => measure(send))).toMatchObject(cost)
    },
  )

  it.each(REACHING_D1.filter(({ name }) => OF_EACH_KIND.has(name)))(
    'includes one round trip and one row after the response for the first use of the day of $name',
    async ({ prepare, cost }) => {
      const store = await newStore()
      const send = await prepare(store)
      await rowsOf('update access_tokens set last_used_at = null where id >> 32 = ?', await storeNumber(store))
      expect(await measure(send)).toMatchObject({ ...cost, later: { trips: 1, written: 1 } })
    },
  )

  it.each<[string, (store: TestStore, bindings: object) => Promise<Answer>]>([
    ['no token', (store, bindings) => createV1(store, v1User(), { token: undefined, bindings })],
    ['a word as the token', (store, bindings) => createV1(store, v1User(), { token: 'secret', bindings })],
    ['a forged token', (store, bindings) => createV1(store, {}, { token: `rgs_1_2_${'A'.repeat(86)}`, bindings })],
    [
      'a forged token of an operator',
      (_, bindings) => call('GET', '/admin/stores', { token: `rgo_0_2_${'A'.repeat(86)}`, bindings }),
    ],
    ['a token with a typo', (store, bindings) => createV1(store, '{', { token: `${store.token}x`, bindings })],
    ['an unknown path', (store, bindings) => call('GET', '/v1/nowhere', { token: store.token, bindings })],
    ['an unsupported method', (store, bindings) => call('PATCH', '/v3/public/users', { token: store.token, bindings })],
    ['too large a body', (store, bindings) => createV1(store, 'x'.repeat(65_537), { bindings })],
    [
      'an unsupported media type',
      (store, bindings) => createV1(store, 'x', { headers: { 'Content-Type': 'text/plain' }, bindings }),
    ],
    ['/openapi.json', (_, bindings) => call('GET', '/openapi.json', { bindings })],
  ])('is nothing for a request with %s', async (_, send) => {
    const store = await newStore()
    expect(await measure((bindings) => send(store, bindings))).toMatchObject({ ...NOTHING, trips: 0 })
  })
})

describe.each(['shared', 'own'])('The cost of the request of an operator, for a store whose place is %s,', (place) => {
  it.each<[string, string, (store: TestStore) => Promise<[path: string, body?: object]>, Partial<Cost>]>([
    ['a read', 'GET', async () => ['/custom_fields'], { outcome: '200', trips: 2, written: 0 }],
    ['a search', 'GET', async () => ['/users?q=ada&limit=50'], { outcome: '200', trips: 2, written: 0 }],
    ['a create', 'POST', async () => ['/users', v1User()], { outcome: '201', trips: 2, written: 3 }],
    [
      'a create with a password',
      'POST',
      async () => ['/users', withPassword()],
      { outcome: '201', trips: 3, written: 3 },
    ],
    [
      'an update',
      'PATCH',
      async (store) => [`/users/${(await newUser(store)).id}`, { name: 'Moon' }],
      { outcome: '200', trips: 2, written: 2 },
    ],
    [
      'an invalid body',
      'POST',
      async () => ['/users', {}],
      { outcome: '400 missing_parameter: name', trips: 1, written: 0 },
    ],
    ['a store that does not exist', 'GET', async () => ['x/users'], { outcome: '404 not_found', trips: 1, written: 0 }],
  ])('is one round trip more than that of a token: %s', async (_, method, prepare, cost) => {
    const store = place === 'own' ? await newOwnStore() : await newStore()
    const [path, body] = await prepare(store)
    const { token } = await newOperator('admin')
    const send: Send = (bindings) => call(method, `/admin/stores/${store.id}${path}`, { token, body, bindings })
    await call('GET', `/admin/stores/${store.id}`, { token })
    expect(await measure(send)).toMatchObject(cost)
  })
})

describe('The rows that a create reads', () => {
  let rows: Record<string, number[]>

  /** Returns the rows read by a create, its replay, and a create with a taken email. */
  async function rowsRead(store: TestStore): Promise<number[]> {
    await useToken(store)
    const body = v1User({ external_id: 'crm-7' })
    const read: number[] = []
    for (const headers of [KEY, KEY, {}]) {
      const { DB, rowsRead } = faultyD1(env.DB)
      await createV1(store, body, { bindings: { DB }, headers })
      read.push(rowsRead())
    }
    return read
  }

  beforeAll(async () => {
    const [small, large] = [await newStore(), await newStore()]
    // Another store keeps both from being the last in the tables; for the last one the queries read fewer rows.
    await newStore()
    for (const store of [small, large]) {
      const number = await storeNumber(store)
      const count = store === large ? 300 : 30
      const base = number * 2 ** 32 + 2
      await rowsOf(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?2)
          insert into events (id, type, created_at, request_id, attempt, subject_id)
          select ?1 + i, 'user.created', 0, 'bulk-' || i, 0, ?1 + i from n`,
        base,
        count,
      )
      await rowsOf(
        `insert into users (id, store, email_key, email, name, last_name, name_folded, last_name_folded, role, language,
            external_id, created_at, updated_at, event_id)
          select id, ?2, request_id || '@example.com', request_id || '@example.com', 'B', 'B', 'b', 'b', 'student', 'EN',
            'crm-7', 0, 0, id from events where id > ?1 and id <= ?1 + ?3`,
        base,
        number,
        count,
      )
    }
    rows = { small: await rowsRead(small), large: await rowsRead(large) }
  })

  it('do not depend on the number of users and events of the store', () => {
    expect(rows['large']).toEqual(rows['small'])
  })
})

describe('The query plan', () => {
  it('of a create searches the email and the claim by their unique keys, and the token by its id', async () => {
    const store = await newStore()
    const plan = (await plansOf((bindings) => createV1(store, v1User(), { bindings, headers: KEY }))).join('\n')
    expect(plan).toMatch(/USING (COVERING )?INDEX users_email_key \(store=\? AND email_key=\?\)/)
    expect(plan).toMatch(/SEARCH claim USING PRIMARY KEY \(store=\? AND caller_id=\? AND operation=\? AND key=\?\)/)
    expect(plan).toMatch(/SEARCH token USING INTEGER PRIMARY KEY \(rowid=\?\)/)
  })
})
