/**
 * The expensive requests of a store take turns: a batch, a search, a list whose filter may examine thousands of rows, a page
 * of users, of bulk changes or of a CSV file, an erasure, the statistics. A client that sends one request after another waits
 * only if they take long.
 */
import type { Context, MiddlewareHandler } from '../hono.ts'
import { storeOf } from '../../db/ids.ts'
import { contextValues, isOperator, rejectsCaller, rejectUnauthorized } from '../../change/request.ts'
import { DomainError } from '../../change/errors.ts'
import { type Turn, waitForTurn, TURN } from '../turn-queue.ts'
import { contextOf } from '../request-context.ts'

interface Options {
  /** The database has already found that the caller may call the operation. */
  isAuthorized?: boolean
}

/**
 * Waits for the turn of the caller's store. Throws `store_too_busy` after `TURN.maxWaitMs`. Only the database knows whether
 * a secret is revoked, or which stores an operator may use, and whoever may not call the operation must not take the turns
 * of those who may. An operator's store is looked up in any case, so that is done before. A token is checked only if another
 * request of the store arrives while this one has the turn or waits for it: otherwise its own batch finds out.
 */
export async function inTurn<T>(
  c: Context,
  work: (turn: Turn) => Promise<T>,
  { isAuthorized = false }: Options = {},
): Promise<T> {
  const { id } = c.get('caller')
  if (isOperator(id) && !isAuthorized && !(await hasStore(c))) return work(NO_TURN)
  const turn = await waitForTurn(c.env, keyOf(c), {
    until: Date.now() + TURN.maxWaitMs,
    caller: isOperator(id) ? id : undefined,
    // An operator's store has been looked up. What concerns no store, such as the events of operators, has none.
    unchecked: isAuthorized || (isOperator(id) && c.get('db').locate) ? undefined : contextOf(c),
    authorize: (request) => rejectUnauthorized(c.get('db'), request),
  })
  if (!turn) throw new DomainError('store_too_busy', {})
  const outcome = workIn(turn, work)
  // If the client disconnects, the request would stand still, and the store would have no turn until the lease ends.
  c.executionCtx.waitUntil(outcome.catch(() => {}))
  return outcome
}

/** The same for what may examine thousands of rows, such as a list with a filter. If it has examined few, the store does not rest. */
export function examineInTurn<T>(c: Context, examine: () => Promise<T>): Promise<T> {
  return inTurn(c, async (turn) => {
    const { cost } = c.get('db')
    const before = cost.rowsRead
    const found = await examine()
    if (cost.rowsRead - before <= TURN.fewRows) turn.skipRest()
    return found
  })
}

/** For a request whose store does not exist: it ends with that, unless something else is wrong with it. */
const NO_TURN: Turn = { skipRest: () => {}, end: () => {} }

/** Throws what rejects the operator, except that there is no such store. */
async function hasStore(c: Context): Promise<boolean> {
  try {
    await c.get('db').locate?.(contextValues(contextOf(c)))
    return true
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not_found') return false
    throw error
  }
}

async function workIn<T>(turn: Turn, work: (turn: Turn) => Promise<T>): Promise<T> {
  try {
    return await work(turn)
  } catch (error) {
    if (isRejection(error)) turn.skipRest()
    throw error
  } finally {
    turn.end()
  }
}

/** True if the caller was rejected: nothing was done for which the store should rest. */
function isRejection(error: unknown): boolean {
  return error instanceof DomainError && rejectsCaller(error.code)
}

/**
 * A token works in its own store, whatever store the path names: by the path, a caller could take a new turn with each
 * invented name, or the turns of another store. The operators of a store take turns of their own, so that the batches of
 * an integrator do not hold up the console.
 */
function keyOf(c: Context): string {
  const { id } = c.get('caller')
  return isOperator(id) ? `operators of ${c.req.param('store_id')}` : `store ${storeOf(id)}`
}

/** For operations that are one expensive piece of work. */
export function takeTurn(): MiddlewareHandler {
  return async function takeTurn(c, next) {
    await inTurn(c, async (turn) => {
      await next()
      // What follows has thrown to the handler of errors, not to here.
      if (isRejection(c.error)) turn.skipRest()
    })
  }
}
