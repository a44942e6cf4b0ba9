/** Which database a store has, and what is asked of the platform for it. */
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { batch, openDb } from '../../src/db/batch.ts'
import { databaseOf, jurisdictionOf, numbersOf, placeOf, wakeStore } from '../../src/db/places.ts'
import { MIGRATIONS } from '../../src/db/migration-files.ts'

const LAST_SHARED = 2 ** 20 - 1
const [OWN, OWN_IN_EU] = [2 ** 20, 2 ** 20 + 2 ** 19]

const NO_COST = { roundTrips: 0, rowsRead: 0, rowsWritten: 0, bytes: 0 }

/** An environment that records how its objects are found. The local runtime has no jurisdictions and no locations. */
function recorder(ENVIRONMENT: string) {
  const calls: unknown[][] = []
  const namespace: any = {
    jurisdiction(name: string) {
      calls.push(['jurisdiction', name])
      return namespace
    },
    getByName(...values: unknown[]) {
      calls.push(['getByName', ...values])
      return { batch: async () => ({ rows: [], rowsRead: 0, rowsWritten: 0, bytes: 0 }), wake: async () => {} }
    },
  }
  return { calls, env: { DB: env.DB, ENVIRONMENT, STORES: namespace } }
}

describe('The number of a store', () => {
  it.each([
    [1, 'shared', null],
    [LAST_SHARED, 'shared', null],
    [OWN, 'own', null],
    [OWN_IN_EU - 1, 'own', null],
    [OWN_IN_EU, 'own', 'eu'],
    [2 ** 21 - 1, 'own', 'eu'],
  ])('%i is of the place %s and the jurisdiction %s', (number, place, jurisdiction) => {
    expect([placeOf(number), jurisdictionOf(number)]).toEqual([place, jurisdiction])
  })

  it('is given out from the range of the jurisdiction', () => {
    expect(numbersOf(null)).toEqual({ first: OWN, last: OWN_IN_EU - 1 })
    expect(numbersOf('eu')).toEqual({ first: OWN_IN_EU, last: 2 ** 21 - 1 })
  })
})

describe('The database of a store', () => {
  it('is an object in the EU for a store of the EU, in production', async () => {
    const { calls, env } = recorder('production')
    await databaseOf(env, OWN_IN_EU, 'weur').batch([], { ...NO_COST })
    await wakeStore(env, OWN_IN_EU)
    const inEu = ['jurisdiction', 'eu']
    const name = String(OWN_IN_EU)
    expect(calls).toEqual([inEu, ['getByName', name, { locationHint: 'weur' }], inEu, ['getByName', name, {}]])
  })

  it('is an object anywhere for a store without a jurisdiction', async () => {
    const { calls, env } = recorder('production')
    await databaseOf(env, OWN).batch([], { ...NO_COST })
    expect(calls).toEqual([['getByName', String(OWN), {}]])
  })

  it('has no jurisdiction outside production, because the local runtime knows none', async () => {
    const { calls, env } = recorder('development')
    await databaseOf(env, OWN_IN_EU).batch([], { ...NO_COST })
    expect(calls).toEqual([['getByName', String(OWN_IN_EU), {}]])
  })

  it('gets a new stub for each batch, because one that has thrown stays broken', async () => {
    const { calls, env } = recorder('production')
    const database = databaseOf(env, OWN)
    for (let i = 0; i < 2; i++) await database.batch([], { ...NO_COST })
    expect(calls.length).toBe(2)
  })

  it.each([
    ['D1', 1, OWN],
    ['an object', OWN, 1],
    ['an object', OWN, OWN + 1],
  ])('is not sent the batch of a store that %s does not hold', async (_, number, other) => {
    const { calls, env } = recorder('production')
    const sent = batch(openDb(databaseOf(env, number)), {}, { shared: { store: other } })
    await expect(sent).rejects.toThrow(`the rows of store ${other} are in another database`)
    expect(calls).toEqual([])
  })
})

describe('The migrations of an object', () => {
  it('are those of D1, in the same order', () => {
    expect(MIGRATIONS.map(({ name }) => name)).toEqual(env.TEST_MIGRATIONS.map(({ name }) => name))
  })
})
