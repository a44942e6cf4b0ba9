/**
 * An instance does one expensive piece of work of a store at a time: a batch, a search, a page of a CSV file. If more of the
 * store's requests wait, the store then pauses for twice as long as the work took, so that requests of other stores find
 * the instance and the database free most of the time. A client that sends one request after another never waits. As in
 * hash-turns.ts, no request passes the turn on to the next, because a request whose client disconnects stands still:
 * whoever waits polls.
 */
import type { Context, MiddlewareHandler } from 'hono'
import type { AppEnv } from '../context.ts'
import { storeOf } from '../db/ids.ts'
import { isOperator } from '../domain/change/context.ts'
import { DomainError } from '../domain/errors.ts'
import { TURN } from '../limits.ts'
import { pause } from '../pause.ts'

interface Turn {
  /** The store's next turn, in milliseconds since the epoch. */
  nextAt: number
  /** True once another request has waited for it. */
  isWanted: boolean
}

/** By environment. An instance has only one, but the simulation runs several in a process: they must share no memory. */
const turnsOf = new WeakMap<object, Map<string, Turn>>()

/** Waits for the turn of the caller's store. Throws `store_too_busy` after `TURN.maxWaitMs`. */
export async function inTurn<T>(c: Context<AppEnv>, work: () => Promise<T>): Promise<T> {
  const store = storeOfTurn(c)
  const turns = turnsOf.get(c.env) ?? new Map<string, Turn>()
  turnsOf.set(c.env, turns)
  const startedAt = Date.now()
  for (let taken = takenBy(turns.get(store)); taken !== undefined; taken = takenBy(turns.get(store))) {
    taken.isWanted = true
    if (Date.now() - startedAt > TURN.maxWaitMs) throw new DomainError('store_too_busy', {})
    await pause(TURN.pauseMs * (1 + Math.random()))
  }
  forgetPast(turns)
  const began = Date.now()
  const turn = { nextAt: began + TURN.leaseMs, isWanted: false }
  turns.set(store, turn)
  async function workAndEndTurn(): Promise<T> {
    try {
      return await work()
    } finally {
      const ended = Date.now()
      turn.nextAt = turn.isWanted ? ended + Math.min(2 * (ended - began), TURN.maxGapMs) : ended
    }
  }
  const outcome = workAndEndTurn()
  // If the client disconnects, the request would stand still, and the store would have no turn until the lease ends.
  c.executionCtx.waitUntil(outcome.catch(() => {}))
  return outcome
}

/**
 * A token works in its own store, whatever store the path names: by the path, a caller could take a new turn with each
 * invented name, or the turns of another store. Operators have turns of their own in each store.
 */
function storeOfTurn(c: Context<AppEnv>): string {
  const { id } = c.get('caller')
  return isOperator(id) ? `${id} ${c.req.param('store_id')}` : String(storeOf(id))
}

/** For operations that are one expensive piece of work. */
export function takeTurn(): MiddlewareHandler<AppEnv> {
  return async function takeTurn(c, next) {
    await inTurn(c, next)
  }
}

/** Undefined if the turn is free. A time beyond every lease comes from a clock that has been set back since. */
function takenBy(turn: Turn | undefined): Turn | undefined {
  const waitMs = (turn?.nextAt ?? 0) - Date.now()
  return waitMs > 0 && waitMs <= TURN.leaseMs ? turn : undefined
}

function forgetPast(turns: Map<string, Turn>): void {
  if (turns.size < TURN.remembered) return
  for (const [store, turn] of turns) if (!takenBy(turn)) turns.delete(store)
}
