import { env } from 'cloudflare:workers'
import { getTableColumns, getTableName, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { batch, openDb } from '../../src/db/batch.ts'
import { beside, type Params, statement } from '../../src/db/statement.ts'
import * as schema from '../../src/db/schema.ts'
import { D1, OWN_EVENT } from '../../src/limits.ts'
import { createV1, newStore, summary, v1User } from '../support/api.ts'
import { recordLog } from '../support/console.ts'
import { RETRYABLE, UNAVAILABLE } from '../support/d1-errors.ts'
import { type Fault, faultyD1, loses } from '../support/faults.ts'
import { rowsOf, usersOf } from '../support/rows.ts'

const { stores } = schema

const findStore = statement((p: Params<{ slug: string; language: string }>, orm) =>
  orm
    .select({ slug: stores.slug, language: stores.language })
    .from(stores)
    .where(sql`${stores.slug} = ${p.slug} and ${stores.language} = ${p.language}`),
)

const insertStore = statement((p: Params<{ slug: string; id: number }>, orm) =>
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
  return (1_000_000 + Math.floor(Math.random() * 1_000_000)) * 2 ** 32 + 1
}

const newSlug = () => `s-${crypto.randomUUID()}`

const anyStore = () => findStore({ slug: 'a', language: 'EN' })

describe('A statement', () => {
  it('is built only at its first use, whatever its values and its database', async () => {
    let built = 0
    const find = statement((p: Params<{ slug: string }>, orm) => {
      built++
      return orm
        .select({ id: stores.id })
        .from(stores)
        .where(sql`${stores.slug} = ${p.slug}`)
    })
    expect(built).toBe(0)
    await batch(openDb(env.DB), { found: find({ slug: 'a' }) })
    await batch(openDb(faultyD1(env.DB).DB), { found: find({ slug: 'b' }) })
    expect(built).toBe(1)
  })

  it('binds its values and never writes them into its text', async () => {
    const { DB, statements } = faultyD1(env.DB)
    await batch(openDb(DB), { found: findStore({ slug: "' or 1=1 --", language: 'EN' }) })
    expect(statements().map(({ params }) => params)).toEqual([["' or 1=1 --", 'EN']])
    expect(statements()[0]?.sql).not.toContain('1=1')
  })

  it('binds a value once when it occurs in several places', async () => {
    const twice = statement((p: Params<{ slug: string }>, orm) =>
      orm
        .select({ id: stores.id })
        .from(stores)
        .where(sql`${stores.slug} = ${p.slug} or ${stores.name} = ${p.slug}`),
    )
    const { DB, statements } = faultyD1(env.DB)
    await batch(openDb(DB), { found: twice({ slug: 'a' }) })
    expect(statements()[0]?.params).toEqual(['a'])
  })

  it('throws for a parameter that is neither text, a number nor null', async () => {
    const selectBad = statement((_: Params<{}>, orm) =>
      orm
        .select({ id: stores.id })
        .from(stores)
        .where(sql`${stores.slug} = ${{ a: 1 }}`),
    )
    await expect(batch(openDb(env.DB), { bad: selectBad({}) })).rejects.toThrow('neither text nor number')
  })
})

describe('A batch', () => {
  it('returns the rows of each step under its name, and none for an omitted step', async () => {
    const [one, two] = [await newStore('PT'), await newStore('ES')]
    const answers = await batch(openDb(env.DB), {
      first: findStore({ slug: one.id, language: 'PT' }),
      none: undefined,
      second: findStore({ slug: two.id, language: 'PT' }),
      third: findStore({ slug: two.id, language: 'ES' }),
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
    const db = openDb(DB)
    const slug = newSlug()
    await batch(db, { insert: insertStore({ slug, id: newStoreId() }), found: findStore({ slug, language: 'EN' }) })
    await batch(db, { found: findStore({ slug, language: 'EN' }) })
    expect(roundTrips()).toBe(2)
    expect(db.cost).toMatchObject({ roundTrips: 2, rowsWritten: 2 })
    expect(db.cost.rowsRead).toBeGreaterThan(0)
  })

  it('applies all of its steps in their order or none of them', async () => {
    const db = openDb(env.DB)
    const [slug, id] = [newSlug(), newStoreId()]
    const insert = insertStore({ slug, id })
    await expect(batch(db, { insert, again: insert })).rejects.toThrow(/UNIQUE constraint failed/)
    const found = findStore({ slug, language: 'EN' })
    expect(await batch(db, { before: found, insert, after: found })).toMatchObject({ before: [], after: [{ slug }] })
  })
})

describe('A batch that fails', () => {
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
    await expect(batch(openDb(DB), { found: anyStore() })).rejects.toMatchObject({ failure: 'd1_connection_lost' })
    expect(roundTrips()).toBe(1)
  })

  it.each(FAULTS)('is sent four times with a reason: %j, %s the commit', async (_, _when, fault) => {
    const { DB, roundTrips } = faultyD1(env.DB, () => fault)
    const sent = batch(openDb(DB), { found: anyStore() }, { retry: 'it only reads' })
    await expect(sent).rejects.toMatchObject({ failure: 'd1_connection_lost' })
    expect(roundTrips()).toBe(1 + D1.retries)
  })

  it.each(UNAVAILABLE)('is sent once even with a reason when D1 reports %j: %s', async (message, failure) => {
    const { DB, roundTrips } = faultyD1(env.DB, () => ({ when: 'before', message }))
    const sent = batch(openDb(DB), { found: anyStore() }, { retry: 'it only reads' })
    await expect(sent).rejects.toMatchObject({ failure })
    expect(roundTrips()).toBe(1)
  })

  it('throws an unknown error unchanged after one attempt', async () => {
    const { DB, roundTrips } = faultyD1(env.DB, () => ({ when: 'before', message: 'D1_ERROR: unheard of' }))
    const sent = batch(openDb(DB), { found: anyStore() }, { retry: 'it only reads' })
    await expect(sent).rejects.toThrow('D1_ERROR: unheard of')
    expect(roundTrips()).toBe(1)
  })

  it('waits up to 0.1, 0.2 and 0.4 s at random before its retries', async () => {
    vi.mocked(Math.random).mockReturnValue(0.5)
    const waits = vi.spyOn(globalThis, 'setTimeout')
    const { DB } = faultyD1(env.DB, loses('before'))
    const sent = batch(openDb(DB), { found: anyStore() }, { retry: 'it only reads' })
    await expect(sent).rejects.toMatchObject({ failure: 'd1_connection_lost' })
    expect(waits.mock.calls.map(([, ms]) => ms)).toEqual([D1.deadlineMs, 50, 100, 200])
  })

  it('looks further back for its own event in a retry', async () => {
    const findLook = statement((p: Params<{}>, orm) =>
      orm
        .select({ look: sql<number>`${p.look}`.as('look') })
        .from(stores)
        .limit(1),
    )
    await newStore()
    const look = async (fault: (trip: number) => Fault) => {
      const { found } = await batch(
        openDb(faultyD1(env.DB, fault).DB),
        { found: findLook({}) },
        { retry: 'it only reads' },
      )
      return found
    }
    expect(await look(() => undefined)).toEqual([{ look: OWN_EVENT.lookBack }])
    expect(await look(loses('before', 1))).toEqual([{ look: OWN_EVENT.lookBackAgain }])
  })
})

describe('The function beside', () => {
  const tell = statement((p: Params<{ slug: string; word: string }>, orm) =>
    orm
      .select({ word: sql<string>`${p.word}`.as('word'), again: sql<string>`${p.slug} || ${p.word}`.as('again') })
      .from(sql`(select 1)`),
  )

  it('returns the columns of both statements, each with its own values', async () => {
    const { id } = await newStore()
    const both = beside(tell({ slug: id, word: 'one' }), findStore({ slug: id, language: 'EN' }))
    const { found, again } = await batch(openDb(env.DB), { found: both, again: both })
    expect(found).toEqual([{ word: 'one', again: `${id}one`, slug: id, language: 'EN' }])
    expect(again).toEqual(found)
  })

  it('returns null for the columns of the second statement when it finds nothing', async () => {
    const both = beside(tell({ slug: 'none', word: 'one' }), findStore({ slug: 'none', language: 'EN' }))
    const { found } = await batch(openDb(env.DB), { found: both })
    expect(found).toEqual([{ word: 'one', again: 'noneone', slug: null, language: null }])
  })
})

describe('A batch without a response from D1', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it.each([undefined, 'it only reads'] as const)(
    'fails at the deadline of the batch and not earlier; retry: %s',
    async (reason) => {
      const { DB, roundTrips } = faultyD1(env.DB, () => ({ when: 'hangs' }))
      const failed = vi.fn<(error: any) => void>()
      const sent = batch(openDb(DB), { found: anyStore() }, reason === undefined ? {} : { retry: reason }).catch(failed)
      await vi.advanceTimersByTimeAsync(D1.deadlineMs - 1)
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
    const sent = batch(openDb(DB), { found: anyStore() }, { retry: 'it only reads' }).catch(failed)
    await vi.advanceTimersByTimeAsync(D1.deadlineMs)
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
      await vi.advanceTimersByTimeAsync(D1.deadlineMs)
      const answer = await sent
      expect(summary(answer)).toBe('503 service_unavailable')
      expect(answer.headers.get('Retry-After')).toMatch(/^[1-9]\d*$/)
    })
    expect(line).toMatchObject({ status: 503, failure: 'd1_no_answer', d1_round_trips: 1 })
    expect(await usersOf(store)).toEqual([])
    expect(summary(await createV1(store, user))).toBe('201')
  })

  it('leaves no timer when D1 does respond', async () => {
    await batch(openDb(env.DB), { found: anyStore() })
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('The schema', () => {
  const TABLES = Object.entries(schema)
  it.each(TABLES)('has the columns of %s in the order of the table', async (_, table: SQLiteTable) => {
    const { results } = await env.DB.prepare('select name from pragma_table_info(?)')
      .bind(getTableName(table))
      .all<{ name: string }>()
    expect(results.map(({ name }) => name)).toEqual(Object.keys(getTableColumns(table)))
  })

  it('rejects a store number whose ids would not be safe integers', async () => {
    const id = 2_097_152 * 2 ** 32 + 1
    const inserted = batch(openDb(env.DB), { store: insertStore({ slug: newSlug(), id }) })
    await expect(inserted).rejects.toThrow(/CHECK constraint failed: stores_number/)
    expect(await rowsOf('select * from stores where id = ?', id)).toEqual([])
  })
})
