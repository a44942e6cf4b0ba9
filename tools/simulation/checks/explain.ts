/**
 * Explains what a store has answered to clients that competed. A change and its event are one transaction, so the ids of
 * the events are the order in which the changes took effect, and the reference follows them in this order. What has no
 * event (a read, a rejection, a replay, an update without a change) must fit a state between the start of its request and
 * its end, and after every request that had ended before. This is the search of Wing and Gong without its branches: the
 * events decide whatever it would have to try.
 */
import { describe, type Exchange, type History } from '../clients/history.ts'
import { ROOT } from '../reference/callers.ts'
import type { Outcome } from '../reference/operation.ts'
import { Reference } from '../reference/reference.ts'
import { type Row, dataOf, toRow } from '../rows.ts'
import { BulkChanges } from './bulk.ts'
import { difference, differenceOfEvents, shownNow } from './differences.ts'
import { drawnFor, etagAfter, setEtag } from './drawn.ts'
import { type Change, historyOf, type StoreHistory } from './store-history.ts'

/** How many ways are tried to tell whose request without a response has made which change. */
const MAX_TRIES = 200

/** Returns what the reference does not explain: at most one violation per store. */
export function checkHistories(stores: readonly { id: string }[], { exchanges }: Pick<History, 'exchanges'>): string[] {
  return stores.flatMap(({ id }) => explain(id, exchanges)?.replace(/^/, `${id}: `) ?? [])
}

function explain(slug: string, exchanges: readonly Exchange[]): string | undefined {
  const history = historyOf(slug, exchanges)
  let choices: number[] = []
  let first: string | undefined
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const explanation = new Explanation(history, choices)
    const violation = explanation.run()
    if (violation === undefined) return undefined
    first ??= violation
    // The last choice that has an alternative takes the next one.
    choices = explanation.alternatives.map((_, n) => choices[n] ?? 0)
    while (choices.length > 0 && (choices.at(-1) ?? 0) + 1 >= (explanation.alternatives[choices.length - 1] ?? 0))
      choices.pop()
    if (choices.length === 0) break
    choices.push((choices.pop() ?? 0) + 1)
  }
  return first
}

/** A response that some state of the store must explain. */
interface Waiting {
  exchange: Exchange
  start: number
  end: number
  /** What differs in the state of now. */
  differs: (reference: Reference) => string | undefined
}

class Explanation {
  /** How many requests could have made each change whose request got no response. */
  readonly alternatives: number[] = []
  readonly #history: StoreHistory
  readonly #choices: readonly number[]
  readonly #reference: Reference
  readonly #bulkChanges: BulkChanges
  readonly #used = new Set<Exchange>()
  /** In the order of their starts. */
  #waiting: Set<Waiting>
  readonly #reasons = new Map<Waiting, Set<string>>()

  constructor(history: StoreHistory, choices: readonly number[]) {
    this.#history = history
    this.#choices = choices
    this.#reference = new Reference(history.slug, [ROOT])
    this.#reference.state.json = history.json
    this.#bulkChanges = new BulkChanges(history.bulkChanges)
    this.#waiting = new Set(
      history.withoutEvent.map((exchange) => ({
        exchange,
        start: exchange.start,
        end: exchange.end,
        differs: (reference) => differenceWithoutEvent(reference, exchange),
      })),
    )
  }

  run(): string | undefined {
    const { changes } = this.#history
    /** By when each change and those after it must have taken effect. */
    const ends: number[] = [Infinity]
    for (const { exchange } of changes.toReversed())
      ends.unshift(Math.min(ends[0] ?? Infinity, exchange?.end ?? Infinity))
    for (const [i, change] of changes.entries()) {
      this.#settle(ends[i] ?? Infinity)
      const violation = this.#make(change, ends[i + 1] ?? Infinity)
      if (violation !== undefined) return violation
    }
    this.#settle(Infinity)
    const [left] = this.#waiting
    if (left) return this.#unexplained(left)
    return this.#bulkChanges.violations(this.#reference.state, this.#history.canceled)[0]
  }

  /** Takes off the list what the state of now explains. */
  #settle(end: number): void {
    const tried = new Set<Waiting>()
    for (;;) {
      const due = this.#due(end).filter((each) => !tried.has(each))
      if (due.length === 0) return
      for (const each of due) {
        tried.add(each)
        const reason = each.differs(this.#reference)
        if (reason === undefined) this.#waiting.delete(each)
        else this.#reasons.set(each, (this.#reasons.get(each) ?? new Set()).add(reason))
      }
    }
  }

  /** What may take effect now: no request that has not taken effect yet had ended before its start. */
  #due(end: number): Waiting[] {
    const due: Waiting[] = []
    for (const each of this.#waiting) {
      if (each.start > end) break
      end = Math.min(end, each.end)
      due.push(each)
    }
    return due.filter(({ start }) => start <= end)
  }

  #unexplained(waiting: Waiting): string {
    const reasons = [...(this.#reasons.get(waiting) ?? ['its time had passed'])].slice(-3)
    return `no state explains: ${describe(waiting.exchange)}: ${reasons.join(', or ')}`
  }

  #make(change: Change, endOfLater: number): string | undefined {
    const { events, isBulk } = change
    const [first = {}] = events
    if (isBulk) return this.#reach(first)
    const exchange = change.exchange ?? this.#choose(events)
    if (!exchange) return `no request explains: event ${JSON.stringify(first)}`
    this.#used.add(exchange)
    const late = [...this.#waiting].find(({ end }) => end < exchange.start)
    if (late) return this.#unexplained(late)
    if (endOfLater < exchange.start)
      return `no order explains: event ${JSON.stringify(first)} is before one of an earlier request`
    const outcome = this.#reference.handle(exchange.request, timeOf(first), drawnFor(exchange, events))
    const wrong = differenceOfEvents(events, this.#reference.state.events.splice(0))
    const reason = wrong ?? (outcome && this.#differenceOfResponse(exchange, outcome))
    if (reason !== undefined) return `no event explains: ${describe(exchange)}: ${reason}`
    for (const event of events) setEtag(this.#reference.state, event)
    return undefined
  }

  /** A request without a response that could have made this change. */
  #choose(events: Row[]): Exchange | undefined {
    const possible = new Map<string, Exchange>()
    for (const exchange of this.#history.unanswered) {
      const name = JSON.stringify(exchange.request)
      if (this.#used.has(exchange) || possible.has(name)) continue
      const trial = this.#reference.copy()
      trial.handle(exchange.request, timeOf(events[0]), drawnFor(exchange, events))
      if (differenceOfEvents(events, trial.state.events) === undefined) possible.set(name, exchange)
    }
    const choice = this.#choices[this.alternatives.length] ?? 0
    if (possible.size > 1) this.alternatives.push(possible.size)
    return [...possible.values()][possible.size > 1 ? choice : 0]
  }

  /**
   * If the service lost a response of the database and sent the batch again, the response shows the record as it was
   * then, with later changes of others.
   */
  #differenceOfResponse(exchange: Exchange, outcome: Outcome): string | undefined {
    const { end, wasResent, status } = exchange
    if (end === Infinity) return undefined
    const reason = difference(exchange, outcome)
    const showsRecord = status === outcome.status && shownNow(this.#reference.state, exchange) !== undefined
    if (reason === undefined || !wasResent || !showsRecord) return reason
    const differs = ({ state }: Reference) => difference(exchange, shownNow(state, exchange))
    this.#waiting = new Set([{ exchange, start: -Infinity, end, differs }, ...this.#waiting])
    return undefined
  }

  /** An event of a bulk change: if it is about an access, it says what has changed. */
  #reach(event: Row): string | undefined {
    const { product_access_id, changes } = dataOf(event)
    const { state } = this.#reference
    const id = String(product_access_id)
    const before = state.accesses.get(id)
    const sides = Object.entries(toRow(changes)).map(([field, each]) => [field, toRow(each)] as const)
    const isNext = sides.every(([field, { from }]) => before?.json[field] === from)
    const set = Object.fromEntries(sides.map(([field, { to }]) => [field, to]))
    const after = before && { ...before, json: { ...before.json, ...set }, etag: etagAfter(event, id) }
    if (after) state.accesses.set(id, after)
    const reason = isNext ? this.#bulkChanges.follow(event, before, after, state) : 'does not begin with what was there'
    return reason && `an event of a bulk change is wrong: it ${reason}: ${JSON.stringify(event)}`
  }
}

const timeOf = (event: Row | undefined) => Date.parse(String(event?.['timestamp']))

/** What differs from a request that takes effect now and must have no event. A change is tried with a copy of the store. */
function differenceWithoutEvent(reference: Reference, exchange: Exchange): string | undefined {
  const { request, start, isReplay, status = 0 } = exchange
  const trial = request.method === 'GET' ? reference : reference.copy()
  const outcome = trial.handle(request, Math.floor(start), drawnFor(exchange, []))
  if (!outcome) return undefined
  if (outcome.status < 300 && status < 300 && outcome.events && outcome.events.length > 0) return 'it has no event'
  const reason = difference(exchange, outcome)
  // Where KV has lost the first response, a replay shows the record as it is now.
  const isRebuilt = isReplay && outcome.headers?.['Idempotent-Replayed'] === 'true'
  return reason !== undefined && isRebuilt ? difference(exchange, shownNow(reference.state, exchange)) : reason
}
