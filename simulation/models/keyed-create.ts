/**
 * The create with an idempotency key, as two callers send it with one key and one email. Each request is a batch. If
 * its response is lost, the service sends the batch again as the next attempt of the same request; the earlier attempt
 * may still arrive, when nobody waits for it any more. Without a response, the caller sends a new request. At any time,
 * the claim may expire and the user may be erased.
 */
import type { AddMove, Model } from './explore.ts'

/** Each guard can be removed, to show which invariant needs it. The first three have their names from domain/change. */
export type Guard = 'applied' | 'superseded' | 'isEventOfThisAttempt' | 'the claim is inserted in the batch of its user'

interface Batch {
  request: string
  attempt: number
  /** Null if nobody waits for the response any more. */
  caller: number | null
  retries: number
}

interface Caller {
  requests: number
  isWaiting: boolean
  /** The request that got a response, and how it ended. */
  ended?: { request: string; outcome: Outcome }
}

type Outcome = 'created' | 'applied' | 'superseded' | 'replayed' | 'replayed_erased' | 'email_taken'

interface State {
  /** The id of a user is that of the event that created it. */
  users: number[]
  events: { type: 'created' | 'erased'; user: number; request?: string; attempt?: number }[]
  /** The user that the key stands for, until the claim expires. */
  claim: number | null
  /** A claim that is not inserted yet, if that is a separate step. */
  lateClaim: number | null
  /** The highest attempt of each request that left a fencing token; 0 if none did, because attempt 0 leaves none. */
  fencingTokens: Record<string, number>
  batches: Batch[]
  callers: Caller[]
}

const caller: Caller = { requests: 2, isWaiting: false }
const start: State = {
  users: [],
  events: [],
  claim: null,
  lateClaim: null,
  fencingTokens: { a1: 0, a2: 0, b1: 0, b2: 0 },
  batches: [],
  callers: [caller, caller],
}

/**
 * The rules in the order of domain/change/event.ts and domain/users/create.ts. Undefined if none rejects the request.
 */
function findOutcome(state: State, { request, attempt }: Batch, without?: Guard): Outcome | undefined {
  const { users, events, claim, fencingTokens } = state
  if (events.some((event) => event.request === request) && without !== 'applied') return 'applied'
  if ((fencingTokens[request] ?? 0) > attempt && without !== 'superseded') return 'superseded'
  if (claim !== null) return users.includes(claim) ? 'replayed' : 'replayed_erased'
  return users.length > 0 ? 'email_taken' : undefined
}

/** Runs the steps of the batch as one transaction and returns the outcome. */
function commit(next: State, batch: Batch, without?: Guard): Outcome {
  const { users, events, fencingTokens } = next
  const { request, attempt } = batch
  const outcome = findOutcome(next, batch, without)
  if (outcome === undefined) events.push({ type: 'created', user: events.length + 1, request, attempt })
  const event = events.findLast(
    (each) => each.request === request && (each.attempt === attempt || without === 'isEventOfThisAttempt'),
  )
  if (event && !users.includes(event.user)) {
    users.push(event.user)
    if (without === 'the claim is inserted in the batch of its user') next.lateClaim = event.user
    else next.claim ??= event.user
  }
  if (attempt > 0) fencingTokens[request] = Math.max(fencingTokens[request] ?? 0, attempt)
  return outcome ?? 'created'
}

function moves(state: State, addMove: AddMove<State>, without?: Guard): void {
  const { users, events, claim, lateClaim, batches, callers } = state
  for (const [i, { requests, isWaiting, ended }] of callers.entries()) {
    if (isWaiting || ended || requests === 0) continue
    const request = `${'ab'[i]}${3 - requests}`
    addMove(`caller ${i} sends request ${request}`, (next) => {
      next.batches.push({ request, attempt: 0, caller: i, retries: 1 })
      next.callers[i] = { requests: requests - 1, isWaiting: true }
    })
  }
  for (const [i, batch] of batches.entries()) {
    const { request, attempt, caller } = batch
    const name = `attempt ${attempt} of ${request}`
    addMove(`${name} is committed${caller === null ? ' late' : ', and its response arrives'}`, (next) => {
      next.batches.splice(i, 1)
      const outcome = commit(next, batch, without)
      if (caller !== null) next.callers[caller] = { requests: 0, isWaiting: false, ended: { request, outcome } }
    })
    if (caller === null) continue
    addMove(`${name} is committed, and its response is lost`, (next) => {
      commit(next, batch, without)
      giveUp(next, i, batch)
    })
    addMove(`the connection of ${name} is lost, and the batch is late`, (next) => {
      giveUp(next, i, batch)
      next.batches.push({ ...batch, caller: null, retries: 0 })
    })
  }
  if (lateClaim !== null) {
    addMove(`the claim for user ${lateClaim} is inserted`, (next) => {
      next.claim = lateClaim
      next.lateClaim = null
    })
  }
  const [user] = users
  if (user !== undefined && events.every(({ type }) => type !== 'erased')) {
    addMove(`user ${user} is erased`, (next) => {
      next.users.shift()
      next.events.push({ type: 'erased', user })
    })
  }
  if (claim !== null) addMove('the claim expires', (next) => (next.claim = null))
}

/** The service sends the next attempt. Without a retry left, the caller gets no outcome and may send a new request. */
function giveUp(next: State, i: number, batch: Batch): void {
  const { attempt, caller, retries } = batch
  next.batches.splice(i, 1)
  const waiting = caller === null ? undefined : next.callers[caller]
  if (retries > 0) next.batches.push({ ...batch, attempt: attempt + 1, retries: retries - 1 })
  else if (waiting) waiting.isWaiting = false
}

/** Checks the invariants. */
function findViolation({ users, events, callers, claim }: State): string | undefined {
  const created = events.filter(({ type }) => type === 'created')
  const erased = new Set(events.filter(({ type }) => type === 'erased').map(({ user }) => user))
  const repeated = created.find(({ request }, i) => created.findIndex((other) => other.request === request) !== i)
  const orphan = created.find(({ user }) => !users.includes(user) && !erased.has(user))
  const restored = users.find((user) => erased.has(user))
  const ended = callers.flatMap((each) => each.ended ?? [])
  const rejected = ended.filter(({ outcome }) => outcome === 'email_taken' || outcome === 'replayed_erased')
  const contradicted = rejected.find(({ request }) => created.some((event) => event.request === request))
  if (users.length > 1) return `users ${users.join(' and ')} have one email`
  if (repeated) return `request ${repeated.request} has created two users`
  if (orphan) return `event ${orphan.user} has no user`
  if (restored !== undefined) return `user ${restored} exists again after the erasure`
  if (contradicted) return `request ${contradicted.request} was rejected and has created a user`
  if (ended.some(({ outcome }) => outcome === 'superseded')) return 'a caller gets the outcome of a superseded attempt'
  if (claim !== null && users.some((user) => user !== claim)) {
    return `the key of user ${claim} has created another user`
  }
  const isTaken = ended.some(({ outcome }) => outcome === 'email_taken')
  if (claim !== null && events.length === 1 && isTaken) return 'a caller gets email_taken for the user of its own key'
  return undefined
}

export function keyedCreate(without?: Guard): Model<State> {
  return {
    start,
    moves: (state, addMove) => moves(state, addMove, without),
    findViolation,
    unordered: ({ batches }) => [batches],
  }
}
