/** Opens the database in which the store of a request lives: the shared one, or its own. */
import type { Context, MiddlewareHandler } from '../../http/hono.ts'
import { openDb } from '../../db/batch.ts'
import { d1Database } from '../../db/database.ts'
import { storeOf } from '../../db/ids.ts'
import { databaseOf, placeOf } from '../../db/places.ts'
import { contextValues } from '../../change/request.ts'
import type { StoreDbs } from './create-own-store.ts'
import { locateStore } from './locate-store.ts'
import { contextOf } from '../../http/request-context.ts'

/** A token says which store it belongs to. */
export function openStoreOfToken(): MiddlewareHandler {
  return function openStoreOfToken(c, next) {
    c.get('db').database = databaseOf(c.env, storeOf(c.get('caller').id))
    return next()
  }
}

/** The shared database has the operators and the directory of the stores, so it is asked before the first batch. */
export function openStoreOfPath(): MiddlewareHandler {
  return function openStoreOfPath(c, next) {
    c.get('db').locate = locateStore(storeDbsOf(c), c.get('firstUses'))
    return next()
  }
}

/**
 * A database of a store's own does not learn that an operator is revoked, so a response that takes long asks the shared one
 * again: the next batch does.
 */
export async function lookUpStoreAgain(c: Context): Promise<void> {
  const db = c.get('db')
  const located = await db.locate?.(contextValues(contextOf(c)))
  if (located && placeOf(located.store) === 'own') db.locate = locateStore(storeDbsOf(c), c.get('firstUses'))
}

/** All databases of a request count towards its cost. */
export function storeDbsOf(c: Context): StoreDbs {
  const { cost } = c.get('db')
  return {
    shared: openDb(d1Database(c.env.DB), cost),
    open: (number, location) => openDb(databaseOf(c.env, number, location), cost),
  }
}
