/**
 * Turns for work that takes long: an instance does one piece of it at a time for each key, such as a store, unless a
 * piece outlasts its lease. After a piece the key rests in proportion to how long it took, so that requests of others
 * find the instance and the database free most of the time. Callers who share a key have their turns in rotation, however
 * many requests of each wait. Whoever waits polls, because a request whose client has disconnected may stand still and
 * could not wake the next. On Cloudflare the clock stands still while code runs, so what follows the last round trip is
 * not counted.
 */
import { lazy } from '../lib/lazy.ts'
import { TURN } from '../limits.ts'
import { pause } from '../lib/pause.ts'

interface Slot {
  /** The next turn, in milliseconds since the epoch. */
  nextAt: number
  /** Throws if the caller may not have the turn; undefined once it is known that the caller may. */
  authorize: (() => Promise<void>) | undefined
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
  /**
   * Throws if the caller may not have a turn. It is called only if more than one wants the turn: of whoever arrives and of
   * whoever has it, so that nobody waits for a caller who is rejected, and such a caller does not wait.
   */
  authorize?: (() => Promise<void>) | undefined
}

/** Waits for the key's turn in this instance and takes it. Returns undefined if it does not come in time. */
export async function waitForTurn(instance: object, key: string, options: TurnOptions): Promise<Turn | undefined> {
  const line = lineOf(instance, key)
  if (!takenBy(line) && !nextOf(line)) return take(line, options)
  await Promise.all([options.authorize?.(), checkHolder(line)])
  const waiting = joinLine(line, options.caller)
  try {
    for (; takenBy(line) || nextOf(line)?.caller !== options.caller; waiting.seenAt = Date.now()) {
      await checkHolder(line)
      if (Date.now() >= options.until) return undefined
      // The more wait, the less often each of them looks: a hundred that look every few milliseconds keep an instance busy.
      await pause(Math.min(TURN.pauseMs * waiting.count * (1 + Math.random()), options.until - Date.now()))
    }
  } finally {
    waiting.count--
  }
  return take(line, { ...options, authorize: undefined })
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

/** Whose turn is next. Callers of whom nobody looks any more have disconnected. */
function nextOf({ callers }: Line): { caller: unknown } | undefined {
  const now = Date.now()
  for (const [caller, { count, seenAt }] of callers) {
    if (count > 0 && Math.abs(now - seenAt) <= 2 * TURN.pauseMs * (count + 1)) return { caller }
  }
  return undefined
}

/** Frees the turn if whoever has it may not have it. */
async function checkHolder(line: Line): Promise<void> {
  const slot = takenBy(line)
  if (slot?.authorize === undefined) return
  try {
    await slot.authorize()
    slot.authorize = undefined
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

function take(line: Line, { caller, authorize }: TurnOptions): Turn {
  const began = Date.now()
  // However many wait, the holder is checked once.
  const slot: Slot = { nextAt: began + TURN.leaseMs, authorize: authorize && lazy(authorize) }
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
      slot.authorize = undefined
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
