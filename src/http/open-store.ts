/** Opens the database in which the store of a request lives: the shared one, or its own. */
import type { Context, MiddlewareHandler } from 'hono'
import type { AppEnv } from '../context.ts'
import { openDb } from '../db/batch.ts'
import { d1Database } from '../db/database.ts'
import { storeOf } from '../db/ids.ts'
import { databaseOf } from '../db/places.ts'
import type { Databases } from '../domain/places/create-own-store.ts'
import { locateStore } from '../domain/places/operator-store.ts'

/** A token says which store it belongs to. */
export function openStoreOfToken(): MiddlewareHandler<AppEnv> {
  return function openStoreOfToken(c, next) {
    c.get('db').database = databaseOf(c.env, storeOf(c.get('caller').id))
    return next()
  }
}

/** An operator is a row of the shared database, which also has the directory of the stores, and is asked before the first batch. */
export function openStoreOfPath(): MiddlewareHandler<AppEnv> {
  return function openStoreOfPath(c, next) {
    c.get('db').locate = locateStore(databasesOf(c))
    return next()
  }
}

/** All databases of a request count towards its cost. */
export function databasesOf(c: Context<AppEnv>): Databases {
  const { cost } = c.get('db')
  return {
    shared: openDb(d1Database(c.env.DB), cost),
    open: (number, location) => openDb(databaseOf(c.env, number, location), cost),
  }
}
