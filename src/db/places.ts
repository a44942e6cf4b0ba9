/**
 * Where a store's rows live. The number of a store says it: a token has the number of its store, so its request goes
 * straight to the right database, and nothing that says where a store lives can be out of date.
 */
import { type Database, d1Database, LAST_SHARED_STORE } from './database.ts'
import { objectDatabase, type StoreObject } from './object-database.ts'

/** The first and the last number of the stores that have a database of their own. Ids stay below 2^53. */
const OWN = { first: LAST_SHARED_STORE + 1, last: 2 ** 20 + 2 ** 19 - 1 } as const

/** The same in the EU. */
const OWN_IN_EU = { first: OWN.last + 1, last: 2 ** 21 - 1 } as const

export const PLACES = ['shared', 'own'] as const

export type Place = (typeof PLACES)[number]

export type Jurisdiction = 'eu' | null

/** The numbers of stores that have a database of their own, in a jurisdiction or in none. */
export function numbersOf(jurisdiction: Jurisdiction): { first: number; last: number } {
  return jurisdiction === 'eu' ? OWN_IN_EU : OWN
}

export function placeOf(store: number): Place {
  return store > LAST_SHARED_STORE ? 'own' : 'shared'
}

export function jurisdictionOf(store: number): Jurisdiction {
  return store >= OWN_IN_EU.first ? 'eu' : null
}

/** Where the platform can create an object. */
export const LOCATIONS = ['wnam', 'enam', 'sam', 'weur', 'eeur', 'apac', 'oc', 'afr', 'me'] as const

/** Those of them that are in the EU. */
export const LOCATIONS_IN_EU: readonly string[] = ['weur', 'eeur']

export type StoreBindings = Pick<Env, 'DB' | 'ENVIRONMENT' | 'STORES'>

/** The database of a store. `location` has an effect on an object that has never been called. */
export function databaseOf(env: StoreBindings, store: number, location: string | null = null): Database {
  if (placeOf(store) === 'shared') return d1Database(env.DB)
  return objectDatabase(store, () => objectOf(env, store, location))
}

/** Sets the alarm of a store with a database of its own to now: a store without one would never run its jobs again. */
export function wakeStore(env: StoreBindings, store: number): Promise<void> {
  return objectOf(env, store).wake()
}

function objectOf(env: StoreBindings, store: number, location: string | null = null): StoreObject {
  const namespace = namespaceOf(env, jurisdictionOf(store))
  const hint = LOCATIONS.find((name) => name === location)
  return namespace.getByName(String(store), hint === undefined ? {} : { locationHint: hint })
}

/** The local runtime knows no jurisdictions, so only production restricts where an object is. */
function namespaceOf({ STORES, ENVIRONMENT }: StoreBindings, jurisdiction: Jurisdiction) {
  return jurisdiction === null || ENVIRONMENT !== 'production' ? STORES : STORES.jurisdiction(jurisdiction)
}
