import { env } from 'cloudflare:workers'
import { and, eq, getTableColumns, getTableName, or, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { attemptParams, batch, LOOKBACK } from '../../src/db/batch.ts'
import { ValueTooBig } from '../../src/db/database.ts'
import { orm, params, sharedParams, statement } from '../../src/db/statement.ts'
import * as accessTables from '../../src/db/schema/accesses.ts'
import * as jobTables from '../../src/db/schema/jobs.ts'
import * as storeTables from '../../src/db/schema/stores.ts'
import { DATABASE } from '../../src/limits.ts'
import { DATABASE as REAL } from '../../src/limits.ts?real'
import { createV1, newStore, summary, v1User } from '../support/api.ts'
import { recordLog } from '../support/console.ts'
import { RETRYABLE, UNAVAILABLE } from '../support/d1-errors.ts'
import { sharedDb } from '../support/db.ts'
import { type Fault, faultyD1, loses } from '../support/faults.ts'
import { sharedRowsOf, usersOf } from '../support/rows.ts'
import { useLimits } from '../support/small-limits.ts'

const { stores } = storeTables

const p = params('slug', 'language', 'id')

const findStore = statement(p, () =>
  orm
    .select({ slug: stores.slug, language: stores.language })
    .from(stores)
    .where(and(eq(stores.slug, p.slug), eq(stores.language, p.language))),
)

const insertStore = statement(p, () =>
  orm.insert(stores).values({
    id: sql`${p.id}`,
    slug: sql`${p.slug}`,
    name: 'Store',
    language: 'EN',
    expiry_notice_days: 7,
    created_at: 0,
    event_id: 0,
  }),
)

/** Returns the id of a store that no other test uses. */
function newStoreId(): number {
  return (500_000 + Math.floor(Math.random() * 500_000)) * 2 ** 32 + 1
}

const newSlug = () => `s-${crypto.randomUUID()}`

const find = (slug: string, language: string) => findStore({ slug, language, id: null })

const insert = (slug: string, id: number) => insertStore({ slug, language: null, id })

const anyStore = () => find('a', 'EN')

describe('A statement', () => {
  it('is built only at its first use, whatever its values and its database', async () => {
    let built = 0
    const findBySlug = statement({ slug: p.slug }, () => {
      built++
      return orm.select({ id: stores.id }).from(stores).where(eq(stores.slug, p.slug))
    })
    expect(built).toBe(0)
    await batch(sharedDb(), { found: findBySlug({ slug: 'a' }) })
    await batch(sharedDb(faultyD1(env.DB).DB), { found: findBySlug({ slug: 'b' }) })
    expect(built).toBe(1)
  })

  it('binds its values and never writes them into its text', async () => {
    const { DB, statements } = faultyD1(env.DB)
    await batch(sharedDb(DB), { found: find("' or 1=1 --", 'EN') })
    expect(statements().map(({ params }) => params)).toEqual([["' or 1=1 --", 'EN']])
    expect(statements()[0]?.sql).not.toContain('1=1')
  })

  it('binds a value once when it occurs in several places', async () => {
    const findTwice = statement({ slug: p.slug }, () =>
      orm
        .select({ id: stores.id })
        .from(stores)
        .where(or(eq(stores.slug, p.slug), eq(stores.name, p.slug))),
    )
    const { DB, statements } = faultyD1(env.DB)
    await batch(sharedDb(DB), { found: findTwice({ slug: 'a' }) })
    expect(statements()[0]?.params).toEqual(['a'])
  })

  it('throws if it uses a parameter that it does not declare', async () => {
    const undeclared = statement({}, () => orm.select({ id: stores.id }).from(stores).where(eq(stores.slug, p.slug)))
    await expect(batch(sharedDb(), { found: undeclared({}) })).rejects.toThrow('undeclared parameters slug')
  })

  it('throws if a shared parameter has no value', async () => {
    const shared = sharedParams('now')
    const findNow = statement({}, () => orm.select({ id: stores.id }).from(stores).where(eq(stores.id, shared.now)))
    await expect(batch(sharedDb(), { found: findNow({}) })).rejects.toThrow('no value for the parameter now')
  })

  it('cannot have a parameter with the name of a shared one', () => {
    expect(() => params('attempt')).toThrow('attempt')
    expect(() => sharedParams('slug')).toThrow('slug')
  })
})

describe('A batch', () => {
  it('returns the rows of each step under its name, and none for an omitted step', async () => {
    const [one, two] = [await newStore('PT'), await newStore('ES')]
    const answers = await batch(sharedDb(), {
      first: find(one.id, 'PT'),
      none: undefined,
      second: find(two.id, 'PT'),
      third: find(two.id, 'ES'),
    })
    expect(answers).toEqual({
      first: [{ slug: one.id, language: 'PT' }],
      none: [],
      second: [],
      third: [{ slug: two.id, language: 'ES' }],
    })
  })

  it('is one round trip and adds up its costs', async () => {
    const { DB, roundTrips } = faultyD1(env.DB)
    const db = sharedDb(DB)
    const slug = newSlug()
    await batch(db, { insert: insert(slug, newStoreId()), found: find(slug, 'EN') })
    await batch(db, { found: find(slug, 'EN') })
    expect(roundTrips()).toBe(2)
    expect(db.cost).toMatchObject({ roundTrips: 2, rowsWritten: 2 })
    expect(db.cost.rowsRead).toBeGreaterThan(0)
  })

  it('names a value that is too big, and is not sent again', async () => {
    const message = 'D1_ERROR: string or blob too big: SQLITE_TOOBIG'
    const { DB, roundTrips } = faultyD1(env.DB, () => ({ when: 'before', message }))
    await expect(batch(sharedDb(DB), { found: anyStore() }, { retry: 'only reads' })).rejects.toThrow(ValueTooBig)
    expect(roundTrips()).toBe(1)
  })

  it('does not name a statement that is too long, which is a defect', async () => {
    const message = 'D1_ERROR: statement too long: SQLITE_TOOBIG'
    const { DB } = faultyD1(env.DB, () => ({ when: 'before', message }))
    await expect(batch(sharedDb(DB), { found: anyStore() })).rejects.toThrow(message)
  })

  it('applies all of its steps in their order or none of them', async () => {
    const db = sharedDb()
    const [slug, id] = [newSlug(), newStoreId()]
    const insertOnce = insert(slug, id)
    await expect(batch(db, { insert: insertOnce, again: insertOnce })).rejects.toThrow(/UNIQUE constraint failed/)
    const found = find(slug, 'EN')
    expect(await batch(db, { before: found, insert: insertOnce, after: found })).toMatchObject({
      before: [],
      after: [{ slug }],
    })
  })
})

describe('A batch that fails', () => {
  useLimits(DATABASE, { retryBaseMs: REAL.retryBaseMs })
  const FAULTS = RETRYABLE.flatMap((message) =>
    (['before', 'after'] as const).map((when): [string, string, Fault] => [message, when, { message, when }]),
  )

  beforeEach(() => {
    vi.spyOn(Math, 'random').mockReturnValue(0)
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it.each(FAULTS)('is sent once without a reason to retry: %j, %s the commit', async (_, _when, fault) => {
    const { DB, roundTrips } = faultyD1(env.DB, () => fault)
    await expect(batch(sharedDb(DB), { found: anyStore() })).rejects.toMatchObject({
      failure: 'd1_connection_lost',
    })
    expect(roundTrips()).toBe(1)
  })

  it.each(FAULTS)('is sent four times with a reason: %j, %s the commit', async (_, _when, fault) => {
    const { DB, roundTrips } = faultyD1(env.DB, () => fault)
    const sent = batch(sharedDb(DB), { found: anyStore() }, { retry: 'only reads' })
    await expect(sent).rejects.toMatchObject({ failure: 'd1_connection_lost' })
    expect(roundTrips()).toBe(1 + DATABASE.retries)
  })

  it.each(UNAVAILABLE)('is sent once even with a reason when D1 reports %j: %s', async (message, failure) => {
    const { DB, roundTrips } = faultyD1(env.DB, () => ({ when: 'before', message }))
    const sent = batch(sharedDb(DB), { found: anyStore() }, { retry: 'only reads' })
    await expect(sent).rejects.toMatchObject({ failure })
    expect(roundTrips()).toBe(1)
  })

  it('throws an unknown error unchanged after one attempt', async () => {
    const { DB, roundTrips } = faultyD1(env.DB, () => ({ when: 'before', message: 'D1_ERROR: unheard of' }))
    const sent = batch(sharedDb(DB), { found: anyStore() }, { retry: 'only reads' })
    await expect(sent).rejects.toThrow('D1_ERROR: unheard of')
    expect(roundTrips()).toBe(1)
  })

  it('waits up to 0.1, 0.2 and 0.4 s at random before its retries', async () => {
    vi.mocked(Math.random).mockReturnValue(0.5)
    const waits = vi.spyOn(globalThis, 'setTimeout')
    const { DB } = faultyD1(env.DB, loses('before'))
    const sent = batch(sharedDb(DB), { found: anyStore() }, { retry: 'only reads' })
    await expect(sent).rejects.toMatchObject({ failure: 'd1_connection_lost' })
    expect(waits.mock.calls.map(([, ms]) => ms)).toEqual([DATABASE.deadlineMs, 50, 100, 200])
  })

  it('looks further back for its own event in a retry', async () => {
    const findLookback = statement({}, () =>
      orm
        .select({ lookback: sql<number>`${attemptParams.lookback}`.as('lookback') })
        .from(stores)
        .limit(1),
    )
    await newStore()
    const look = async (fault: (trip: number) => Fault) => {
      const { found } = await batch(
        sharedDb(faultyD1(env.DB, fault).DB),
        { found: findLookback({}) },
        { retry: 'only reads' },
      )
      return found
    }
    expect(await look(() => undefined)).toEqual([{ lookback: LOOKBACK.firstAttempt }])
    expect(await look(loses('before', 1))).toEqual([{ lookback: LOOKBACK.laterAttempt }])
  })
})

describe('A batch without a response from D1', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it.each([undefined, 'only reads'] as const)(
    'fails at the deadline of the batch and not earlier; retry: %s',
    async (reason) => {
      const { DB, roundTrips } = faultyD1(env.DB, () => ({ when: 'hangs' }))
      const failed = vi.fn<(error: any) => void>()
      const sent = batch(sharedDb(DB), { found: anyStore() }, reason === undefined ? {} : { retry: reason }).catch(
        failed,
      )
      await vi.advanceTimersByTimeAsync(DATABASE.deadlineMs - 1)
      expect(failed).not.toHaveBeenCalled()
      await vi.advanceTimersByTimeAsync(1)
      await sent
      expect(failed.mock.calls).toEqual([[expect.objectContaining({ failure: 'd1_no_answer' })]])
      expect(roundTrips()).toBe(1)
    },
  )

  it('has one deadline for all attempts', async () => {
    const { DB, roundTrips } = faultyD1(env.DB, (trip) => loses('before', 2)(trip) ?? { when: 'hangs' })
    const failed = vi.fn<(error: any) => void>()
    const sent = batch(sharedDb(DB), { found: anyStore() }, { retry: 'only reads' }).catch(failed)
    await vi.advanceTimersByTimeAsync(DATABASE.deadlineMs)
    await sent
    expect(failed.mock.calls).toEqual([[expect.objectContaining({ failure: 'd1_no_answer' })]])
    expect(roundTrips()).toBe(3)
  })

  it('returns 503 with Retry-After and logs a code, and the client can send the request again', async () => {
    const store = await newStore()
    const user = v1User()
    const { DB } = faultyD1(env.DB, () => ({ when: 'hangs' }))
    const [line] = await recordLog(async () => {
      const sent = createV1(store, user, { bindings: { DB } })
      await vi.advanceTimersByTimeAsync(DATABASE.deadlineMs)
      const answer = await sent
      expect(summary(answer)).toBe('503 service_unavailable')
      expect(answer.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/)
    })
    expect(line).toMatchObject({ status: 503, failure: 'd1_no_answer', d1_round_trips: 1 })
    expect(await usersOf(store)).toEqual([])
    expect(summary(await createV1(store, user))).toBe('201')
  })

  it('leaves no timer when D1 does respond', async () => {
    await batch(sharedDb(), { found: anyStore() })
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('The schema', () => {
  const TABLES = Object.entries({ ...storeTables, ...accessTables, ...jobTables })
  it.each(TABLES)('has the columns of %s in the order of the table', async (_, table: SQLiteTable) => {
    const { results } = await env.DB.prepare('select name from pragma_table_info(?)')
      .bind(getTableName(table))
      .all<{ name: string }>()
    expect(results.map(({ name }) => name)).toEqual(Object.keys(getTableColumns(table)))
  })

  it('rejects a store number whose ids would not be safe integers', async () => {
    const id = 2_097_152 * 2 ** 32 + 1
    const inserted = batch(sharedDb(), { store: insert(newSlug(), id) })
    await expect(inserted).rejects.toThrow(/CHECK constraint failed: stores_number/)
    expect(await sharedRowsOf('select * from stores where id = ?', id)).toEqual([])
  })
})
