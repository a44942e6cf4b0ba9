/** db/client.ts: statements that are compiled once, and the one way to D1. */
import { env } from 'cloudflare:workers'
import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { createDb, query, run, statement } from '../../src/db/client.ts'
import { stores, users } from '../../src/db/schema.ts'
import { admin, createV1, newAccess, newStore, v1User } from '../support/api.ts'
import { faultyD1 } from '../support/faults.ts'
import { usersOf } from '../support/rows.ts'

const findStore = statement((orm) =>
  orm
    .select({ id: stores.id, language: stores.language })
    .from(stores)
    .where(and(eq(stores.id, sql.placeholder('id')), eq(stores.language, sql.placeholder('language')))),
)

describe('statement', () => {
  it('is built once, whatever the values and the instance of D1', () => {
    let built = 0
    const bind = statement((orm) => {
      built++
      return orm
        .select()
        .from(stores)
        .where(eq(stores.id, sql.placeholder('id')))
    })
    const first = bind(createDb(env.DB), { id: 'a' })
    const second = bind(createDb(faultyD1(env.DB).DB), { id: 'b' })
    expect(built).toBe(1)
    expect(second.sql).toBe(first.sql)
    expect([first.params, second.params]).toEqual([['a'], ['b']])
  })

  it('binds values and writes none into its text', () => {
    const { sql: text, params } = findStore(createDb(env.DB), { id: "' or 1=1 --", language: 'EN' })
    expect(text).not.toContain('1=1')
    expect(params).toEqual(["' or 1=1 --", 'EN'])
  })

  it('refuses to run without one of its values', () => {
    expect(() => findStore(createDb(env.DB), { id: 'a' })).toThrow('language')
  })

  it('answers the rows of its values, under their own names', async () => {
    const [one, two] = [await newStore('PT'), await newStore('ES')]
    const db = createDb(env.DB)
    const results = await run(db, [
      findStore(db, { id: one.id, language: 'PT' }),
      findStore(db, { id: two.id, language: 'PT' }),
      findStore(db, { id: two.id, language: 'ES' }),
    ])
    expect(results).toEqual([[{ id: one.id, language: 'PT' }], [], [{ id: two.id, language: 'ES' }]])
  })
})

describe('run', () => {
  it('sends one batch and adds up what it cost', async () => {
    const { DB, roundTrips } = faultyD1(env.DB)
    const db = createDb(DB)
    const { id } = await newStore()
    const insert = db.orm.insert(stores).values({ id: `${id}-2`, name: 'Store', language: 'EN', created_at: 0 })
    await run(db, [query(insert), findStore(db, { id, language: 'EN' })])
    await run(db, [findStore(db, { id, language: 'EN' })])
    expect(roundTrips()).toBe(2)
    expect(db.cost).toMatchObject({ roundTrips: 2, rowsWritten: 2 })
    expect(db.cost.rowsRead).toBeGreaterThan(0)
  })

  it('is all or nothing', async () => {
    const db = createDb(env.DB)
    const id = `s-${crypto.randomUUID()}`
    const insert = query(db.orm.insert(stores).values({ id, name: 'Store', language: 'EN', created_at: 0 }))
    await expect(run(db, [insert, insert])).rejects.toThrow(/UNIQUE constraint failed: stores\.id/)
    expect(await run(db, [findStore(db, { id, language: 'EN' })])).toEqual([[]])
  })

  it.each([
    [true, 4],
    [false, 1],
  ])('with retry %s tries %d times', async (retry, tries) => {
    const { DB, roundTrips } = faultyD1(env.DB, () => ({ message: 'Network connection lost.', when: 'before' }))
    const db = createDb(DB)
    const send = run(db, [findStore(db, { id: 'a', language: 'EN' })], { retry })
    await expect(send).rejects.toMatchObject({ code: 'service_unavailable' })
    expect(roundTrips()).toBe(tries)
  })

  it('goes to the primary unless a replica will do', async () => {
    const sessions: unknown[] = []
    const d1: D1Database = new Proxy(env.DB, {
      get(target, property) {
        if (property === 'withSession') sessions.push('session')
        const value = Reflect.get(target, property)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const db = createDb(d1)
    const find = findStore(db, { id: 'a', language: 'EN' })
    await run(db, [find])
    expect(sessions).toEqual([])
    await run(db, [find], { replica: true })
    expect(sessions).toEqual(['session'])
  })
})

describe('a row of a join', () => {
  it('has the values of each table under its own names', async () => {
    const store = await newStore()
    // Ids that differ, so that none can stand for another.
    for (let i = 0; i < 3; i++) await createV1(store, v1User())
    const access = await newAccess(store, { name: 'Engines' })
    const user = (await usersOf(store)).at(-1)
    const [product] = (await admin('GET', `/stores/${store.id}/products`)).json.data
    expect(access.user).toMatchObject({ id: String(user.id), name: 'Ada', email: user.email })
    expect(access.product).toMatchObject({ id: product.id, name: 'Engines', slug: product.slug })
  })
})

describe('the schema', () => {
  it('names each column of users as the table does, in its order', async () => {
    const { results } = await env.DB.prepare('select name from pragma_table_info(?)')
      .bind('users')
      .all<{ name: string }>()
    expect(results.map(({ name }) => name)).toEqual(Object.keys(getTableColumns(users)))
  })
})
