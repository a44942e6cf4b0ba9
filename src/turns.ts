/**
 * Turns for work that takes long: an instance does one piece of it at a time for each key, such as a store, unless a
 * piece outlasts its lease. After a piece the key rests in proportion to how long it took, so that requests of others
 * find the instance and the database free most of the time. Whoever waits polls, because a request whose client has
 * disconnected may stand still and could not wake the next. On Cloudflare the clock stands still while code runs, so what
 * follows the last round trip is not counted.
 */
import { TURN } from './limits.ts'
import { pause } from './pause.ts'

interface Slot {
  /** The next turn, in milliseconds since the epoch. */
  nextAt: number
  /** How many have waited for it since the turn before it began. */
  waiting: number
  /** How many waited for the turn before it. */
  waitedBefore: number
}

export interface Turn {
  /** The work was small, so the next turn begins without a rest. */
  skipRest: () => void
  /** Ends the turn. The next one begins after a rest. A further call does nothing. */
  end: () => void
}

/** By environment. An instance has only one, but the simulation runs several in a process: they must share no memory. */
const slotsOf = new WeakMap<object, Map<string, Slot>>()

export interface TurnOptions {
  /** When to stop waiting, in milliseconds since the epoch. */
  until: number
  /** Runs once if another one has the turn. If it throws, this caller does not wait. */
  beforeWaiting?: () => Promise<void>
}

/** Waits for the key's turn in this instance and takes it. Returns undefined if it does not come in time. */
export async function waitForTurn(
  instance: object,
  key: string,
  { until, beforeWaiting }: TurnOptions,
): Promise<Turn | undefined> {
  const slots = slotsOf.get(instance) ?? new Map<string, Slot>()
  slotsOf.set(instance, slots)
  if (takenBy(slots.get(key))) await beforeWaiting?.()
  let seen: Slot | undefined
  for (let taken = takenBy(slots.get(key)); taken !== undefined; taken = takenBy(slots.get(key))) {
    if (taken !== seen) taken.waiting++
    seen = taken
    if (Date.now() >= until) return undefined
    // The more wait, the less often each of them looks: a hundred that look every few milliseconds keep an instance busy.
    const others = Math.max(1, taken.waiting, taken.waitedBefore)
    await pause(Math.min(TURN.pauseMs * others * (1 + Math.random()), until - Date.now()))
  }
  forgetPast(slots)
  const began = Date.now()
  const slot = { nextAt: began + TURN.leaseMs, waiting: 0, waitedBefore: slots.get(key)?.waiting ?? 0 }
  slots.set(key, slot)
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
      slot.nextAt = ended + (rests ? restAfter(ended - began, slot.waiting > 0) : 0)
    },
  }
}

/** In milliseconds. Short work for which nobody waits has no rest after it. */
function restAfter(elapsed: number, isWanted: boolean): number {
  if (!isWanted && elapsed < TURN.shortMs) return 0
  return Math.min(isWanted ? 2 * elapsed : elapsed, TURN.maxRestMs)
}

/** Undefined if the turn is free. A time beyond every lease comes from a clock that has been set back since. */
function takenBy(slot: Slot | undefined): Slot | undefined {
  const waitMs = (slot?.nextAt ?? 0) - Date.now()
  return waitMs > 0 && waitMs <= TURN.leaseMs ? slot : undefined
}

function forgetPast(slots: Map<string, Slot>): void {
  if (slots.size < TURN.remembered) return
  for (const [key, slot] of slots) if (!takenBy(slot)) slots.delete(key)
}
