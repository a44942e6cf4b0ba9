/**
 * Turns for work that takes long: an instance does one piece of it at a time for each key, such as a store, unless a
 * piece outlasts its lease. After a piece the key rests in proportion to how long it took, so that requests of others
 * find the instance and the database free most of the time. Callers who share a key have their turns in rotation, however
 * many requests of each wait. Whoever waits polls: a request whose client has disconnected may stand still and could not
 * wake the next, and whoever waited for the promise of another request would be cancelled. On Cloudflare the clock stands
 * still while code runs, so what follows the last round trip is not counted.
 */
import type { RequestContext } from '../change/request.ts'
import { pause } from '../lib/pause.ts'

/**
 * The expensive work of a store in one instance. A rest is as long as the work was, and twice as long if others wait for the
 * turn. After a request of less than `shortMs` for which nobody waits there is none, nor after a list of at most `fewRecords`
 * or a filtered one that has read at most `fewRows`: a round trip to a distant D1 takes longer than `shortMs`. A lease ends
 * when the deadline of D1 and the time of a large body are over, in case its request stands still, and so does the check of
 * whoever has the turn, after `checkMs`. `remembered` turns are kept before those that are free are dropped.
 */
export const TURN = {
  pauseMs: 5,
  shortMs: 10,
  fewRecords: 10,
  fewRows: 1000,
  maxRestMs: 500,
  leaseMs: 10_000,
  checkMs: 1000,
  maxWaitMs: 20_000,
  remembered: 1000,
} as const

interface Slot {
  /** The next turn, in milliseconds since the epoch. */
  nextAt: number
  /** The request that has the turn; undefined once it is known that its caller may have it. */
  unchecked: RequestContext | undefined
  /** When one of those who wait began to check it, in milliseconds since the epoch. */
  checkedAt: number | undefined
}

interface Waiting {
  count: number
  /** When one of them last looked, in milliseconds since the epoch. */
  seenAt: number
}

interface Line {
  /** The newest turn. */
  slot: Slot | undefined
  /** The callers, in the order of their next turns. */
  callers: Map<unknown, Waiting>
}

export interface Turn {
  /** The work was small, so the next turn begins without a rest. */
  skipRest: () => void
  /** Ends the turn. The next one begins after a rest. A further call does nothing. */
  end: () => void
}

/** By environment. An instance has only one, but the simulation runs several in a process: they must share no memory. */
const linesOf = new WeakMap<object, Map<string, Line>>()

interface TurnOptions {
  /** When to stop waiting, in milliseconds since the epoch. */
  until: number
  /** Who waits. Each caller has one turn before another one has the next. */
  caller?: unknown
  /** The request that waits, unless it is known that its caller may have the turn. */
  unchecked?: RequestContext | undefined
  /**
   * Throws if the caller of the request may not have a turn. It is called only if more than one wants the turn: for whoever
   * arrives and for whoever has it, so that nobody waits for a caller who is rejected, and such a caller does not wait.
   */
  authorize?: (request: RequestContext) => Promise<void>
}

/** Waits for the key's turn in this instance and takes it. Returns undefined if it does not come in time. */
export async function waitForTurn(instance: object, key: string, options: TurnOptions): Promise<Turn | undefined> {
  const { until, caller, unchecked, authorize } = options
  const line = lineOf(instance, key)
  if (!takenBy(line) && !nextOf(line)) return take(line, caller, unchecked)
  // Both end before a rejection is returned: with the response, the runtime would cancel what others wait for.
  const [own] = await Promise.allSettled([checkOwn(options), checkHolder(line, authorize)])
  if (own.status === 'rejected') throw own.reason
  const waiting = joinLine(line, caller)
  try {
    for (; takenBy(line) || nextOf(line)?.caller !== caller; waiting.seenAt = Date.now()) {
      await checkHolder(line, authorize)
      if (Date.now() >= until) return undefined
      // The more wait, the less often each of them looks: a hundred that look every few milliseconds keep an instance busy.
      await pause(Math.min(TURN.pauseMs * waiting.count * (1 + Math.random()), until - Date.now()))
    }
  } finally {
    waiting.count--
  }
  return take(line, caller, undefined)
}

function lineOf(instance: object, key: string): Line {
  const lines = linesOf.get(instance) ?? new Map<string, Line>()
  linesOf.set(instance, lines)
  const known = lines.get(key)
  if (known) return known
  if (lines.size >= TURN.remembered) {
    for (const [old, line] of lines) if (!takenBy(line) && !nextOf(line)) lines.delete(old)
  }
  const line: Line = { slot: undefined, callers: new Map() }
  lines.set(key, line)
  return line
}

/** Undefined if the turn is free. A time beyond every lease comes from a clock that has been set back since. */
function takenBy({ slot }: Line): Slot | undefined {
  const waitMs = (slot?.nextAt ?? 0) - Date.now()
  return waitMs > 0 && waitMs <= TURN.leaseMs ? slot : undefined
}

/** Whose turn is next. Callers that stopped polling have disconnected. */
function nextOf({ callers }: Line): { caller: unknown } | undefined {
  const now = Date.now()
  for (const [caller, { count, seenAt }] of callers) {
    if (count > 0 && Math.abs(now - seenAt) <= 2 * TURN.pauseMs * (count + 1)) return { caller }
  }
  return undefined
}

async function checkOwn({ unchecked, authorize }: TurnOptions): Promise<void> {
  if (unchecked) await authorize?.(unchecked)
}

/** Frees the turn if whoever has it may not have it. One of those who wait finds out, with a round trip of its own. */
async function checkHolder(line: Line, authorize: TurnOptions['authorize']): Promise<void> {
  const slot = takenBy(line)
  if (slot?.unchecked === undefined || authorize === undefined) return
  if (slot.checkedAt !== undefined && Math.abs(Date.now() - slot.checkedAt) < TURN.checkMs) return
  slot.checkedAt = Date.now()
  try {
    await authorize(slot.unchecked)
    slot.unchecked = undefined
  } catch {
    // The holder gets the error from its own work. If the database is down, nobody's work takes long.
    if (line.slot === slot) line.slot = undefined
  }
}

function joinLine({ callers }: Line, caller: unknown): Waiting {
  const waiting = callers.get(caller) ?? { count: 0, seenAt: 0 }
  callers.set(caller, waiting)
  waiting.count++
  waiting.seenAt = Date.now()
  return waiting
}

function take(line: Line, caller: unknown, unchecked: RequestContext | undefined): Turn {
  const began = Date.now()
  const slot: Slot = { nextAt: began + TURN.leaseMs, unchecked, checkedAt: undefined }
  line.slot = slot
  let rests = true
  let hasEnded = false
  return {
    skipRest: () => {
      rests = false
    },
    end: () => {
      if (hasEnded) return
      hasEnded = true
      const ended = Date.now()
      slot.unchecked = undefined
      moveToEnd(line, caller)
      slot.nextAt = ended + (rests ? restAfter(ended - began, nextOf(line) !== undefined) : 0)
    },
  }
}

/** The caller has had a turn, so the others come first. */
function moveToEnd({ callers }: Line, caller: unknown): void {
  const waiting = callers.get(caller) ?? { count: 0, seenAt: 0 }
  callers.delete(caller)
  callers.set(caller, waiting)
}

/** In milliseconds. Short work for which nobody waits has no rest after it. */
function restAfter(elapsed: number, isWanted: boolean): number {
  if (!isWanted && elapsed < TURN.shortMs) return 0
  return Math.min(isWanted ? 2 * elapsed : elapsed, TURN.maxRestMs)
}
