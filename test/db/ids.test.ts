import * as fc from 'fast-check'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { batch } from '../../src/db/batch.ts'
import { orm, statement } from '../../src/db/statement.ts'
import { idIn, idOf, isOfStore, NO_NUMBER, numberIn, numberOf, storeOf } from '../../src/db/ids.ts'
import { sharedDb } from '../support/db.ts'

const store = fc.integer({ min: 0, max: 2_097_151 })
const n = fc.integer({ min: 1, max: NO_NUMBER })

describe('An id', () => {
  it('is a safe integer that contains the number of its store and its local id', () => {
    fc.assert(
      fc.property(store, n, (s, number) => {
        const id = idOf(s, number)
        expect(Number.isSafeInteger(id)).toBe(true)
        expect([storeOf(id), numberOf(id)]).toEqual([s, number])
      }),
    )
  })

  it('is the same in SQL and in JavaScript, even at the ends of the range of a store', async () => {
    const pairs = [1, 2, 2_097_151].flatMap((s) => [1, 2, NO_NUMBER - 1].map((number) => [s, number] as const))
    for (const [s, number] of pairs) {
      const id = idOf(s, number)
      const own = sql`${s}`
      const { rows } = await batch(sharedDb(), {
        rows: statement({}, () =>
          orm
            .select({
              id: idIn(own, sql`${number}`).as('id'),
              n: numberIn(sql`cast(${id} as integer)`).as('n'),
              inside: sql<number>`${isOfStore(sql`${id}`, own)}`.as('inside'),
              before: sql<number>`${isOfStore(sql`${id}`, sql`${s + 1}`)}`.as('before'),
              behind: sql<number>`${isOfStore(sql`${id}`, sql`${s - 1}`)}`.as('behind'),
              after: sql<number>`${isOfStore(sql`${id}`, own, sql`${number}`)}`.as('after'),
            })
            .from(sql`(select 1)`),
        )({}),
      })
      expect(rows).toEqual([{ id, n: number, inside: 1, before: 0, behind: 0, after: 0 }])
    }
  })

  it('beyond the last local id belongs to no store', async () => {
    const { rows } = await batch(sharedDb(), {
      rows: statement({}, () =>
        orm
          .select({ inside: sql<number>`${isOfStore(sql`${idOf(1, NO_NUMBER)}`, sql`1`)}`.as('inside') })
          .from(sql`(select 1)`),
      )({}),
    })
    expect(rows).toEqual([{ inside: 0 }])
  })
})
