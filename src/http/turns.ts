/**
 * The expensive requests of a store take turns: a batch, a search, a page of users or of a CSV file, the statistics. A client that
 * sends one request after another waits only if they take long.
 */
import type { Context, MiddlewareHandler } from 'hono'
import type { AppEnv } from '../context.ts'
import { storeOf } from '../db/ids.ts'
import { isOperator } from '../domain/change/context.ts'
import { DomainError } from '../domain/errors.ts'
import { TURN } from '../limits.ts'
import { type Turn, waitForTurn } from '../turns.ts'
import { rejectUnauthorizedCaller } from './domain-errors.ts'

interface Options {
  /** The database has already found that the caller may call the operation. */
  isAuthorized?: boolean
}

/**
 * Waits for the turn of the caller's store. Throws `store_too_busy` after `TURN.maxWaitMs`. Only the database knows whether a
 * secret is revoked, or which stores an operator may use. So before a request waits, the database is asked: whoever may not
 * call the operation must not take the turns of those who may.
 */
export async function inTurn<T>(
  c: Context<AppEnv>,
  work: (turn: Turn) => Promise<T>,
  { isAuthorized = false }: Options = {},
): Promise<T> {
  const turn = await waitForTurn(c.env, keyOf(c), {
    until: Date.now() + TURN.maxWaitMs,
    ...(!isAuthorized && { beforeWaiting: () => rejectUnauthorizedCaller(c) }),
  })
  if (!turn) throw new DomainError('store_too_busy', {})
  const outcome = workIn(turn, work)
  // If the client disconnects, the request would stand still, and the store would have no turn until the lease ends.
  c.executionCtx.waitUntil(outcome.catch(() => {}))
  return outcome
}

async function workIn<T>(turn: Turn, work: (turn: Turn) => Promise<T>): Promise<T> {
  try {
    return await work(turn)
  } finally {
    turn.end()
  }
}

/**
 * A token works in its own store, whatever store the path names: by the path, a caller could take a new turn with each
 * invented name, or the turns of another store. The operators of a store take turns of their own, so that the batches of
 * an integrator do not hold up the console.
 */
function keyOf(c: Context<AppEnv>): string {
  const { id } = c.get('caller')
  return isOperator(id) ? `operators of ${c.req.param('store_id')}` : `store ${storeOf(id)}`
}

/** For operations that are one expensive piece of work. */
export function takeTurn(): MiddlewareHandler<AppEnv> {
  return async function takeTurn(c, next) {
    await inTurn(c, () => next())
  }
}
