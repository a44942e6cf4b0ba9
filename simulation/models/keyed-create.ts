/**
 * The keyed create. Two callers with one key and one e-mail; each request is one batch, which is sent again under the
 * same request id when its answer is lost, and may arrive late, when nobody waits for it any more. The caller tries
 * again with a new request id. The claim may expire, and the person may be erased, at any time.
 *
 * Invariants: an e-mail has one user at most; while a claim lives, its key makes no second user and brings no erased
 * person back, and nobody is refused what his own key has made; each event has its user or that user's erasure, and
 * each request one event at most.
 */
import { copy, type Model, type Move } from './explore.ts'

/** The guards that can be left out, to see what they are for. */
export type Guard = 'the claim is written in the batch' | 'only the newest event is followed' | 'done is asked first'

interface Batch {
  request: string
  /** Who waits for the answer; nobody any more when null. */
  caller: number | null
  /** How often the Worker will still send it again. */
  resends: number
}

interface State {
  /** Numbers of users are those of their events. */
  users: number[]
  events: { request: string; type: 'created' | 'erased'; user: number }[]
  claim: { user: number; isLive: boolean } | null
  batches: Batch[]
  callers: { tries: number; isWaiting: boolean; told: string | null }[]
  /** A claim that is yet to be written, where it is not written in the batch. */
  lateClaims: number[]
  isErasable: boolean
  wrong: string | null
}

const START: State = {
  users: [],
  events: [],
  claim: null,
  batches: [],
  callers: [
    { tries: 2, isWaiting: false, told: null },
    { tries: 2, isWaiting: false, told: null },
  ],
  lateClaims: [],
  isErasable: true,
  wrong: null,
}

/** What the batch does to the database, all of it at once, and what it answers. */
function execute(state: State, request: string, without: Guard | undefined): { state: State; answer: string } {
  const { users, events, claim } = state
  const own = events.findIndex((event) => event.request === request && event.type === 'created')
  const isDone = own !== -1
  const verdict =
    isDone && without !== 'done is asked first'
      ? 'done'
      : claim?.isLive
        ? 'claimed'
        : users.length > 0
          ? 'email_taken'
          : null
  const next = copy(state)
  if (verdict === null) next.events.push({ request, type: 'created', user: next.events.length + 1 })
  const mine = next.events.findLastIndex((event) => event.request === request && event.type === 'created')
  const event = next.events[mine]
  const isNewest = mine === next.events.length - 1 || without === 'only the newest event is followed'
  if (event && isNewest && !next.users.includes(event.user)) {
    next.users.push(event.user)
    if (claim?.isLive) next.wrong = `user ${event.user} was made although the key was claimed`
    if (without === 'the claim is written in the batch') next.lateClaims.push(event.user)
    else next.claim = { user: event.user, isLive: true }
  }
  const subject = verdict === 'claimed' ? claim?.user : event?.user
  if (verdict === 'email_taken') return { state: next, answer: 'email_taken' }
  return {
    state: next,
    answer: subject !== undefined && next.users.includes(subject) ? `user ${subject}` : 'not_found',
  }
}

function moves(state: State, without: Guard | undefined): Move<State>[] {
  const found: Move<State>[] = []
  const add = (label: string, change: (next: State) => void, from = state) => {
    const to = copy(from)
    change(to)
    // Batches under way have no order: the state is the same whichever was sent first.
    to.batches.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    found.push({ label, to })
  }

  for (const [i, caller] of state.callers.entries()) {
    if (caller.isWaiting || caller.told !== null || caller.tries === 0) continue
    const request = `${'ab'[i]}${3 - caller.tries}`
    add(`caller ${i} sends request ${request}`, (next) => {
      next.batches.push({ request, caller: i, resends: 1 })
      next.callers[i] = { ...caller, tries: caller.tries - 1, isWaiting: true }
    })
  }
  for (const [at, { request, caller, resends }] of state.batches.entries()) {
    const { state: after, answer } = execute(state, request, without)
    const name = `the batch of ${request}`
    if (caller === null) {
      add(`${name} arrives late, for nobody`, (next) => next.batches.splice(at, 1), after)
      continue
    }
    add(
      `${name} is committed and answered: ${answer}`,
      (next) => {
        next.batches.splice(at, 1)
        const told = next.callers[caller]
        if (told) next.callers[caller] = { ...told, isWaiting: false, told: answer }
      },
      after,
    )
    add(`${name} is committed, its answer lost`, (next) => giveUp(next, at), after)
    add(`${name} is not heard of until the deadline`, (next) => {
      giveUp(next, at)
      next.batches.push({ request, caller: null, resends })
    })
  }
  for (const [at, user] of state.lateClaims.entries()) {
    add(`the claim for user ${user} is written`, (next) => {
      next.lateClaims.splice(at, 1)
      next.claim = { user, isLive: true }
    })
  }
  const [user] = state.users
  if (user !== undefined && state.isErasable) {
    add(`user ${user} is erased`, (next) => {
      next.users = next.users.filter((each) => each !== user)
      next.events.push({ request: 'e1', type: 'erased', user })
      next.isErasable = false
    })
  }
  if (state.claim?.isLive) add('the claim expires', (next) => (next.claim = { user: 0, isLive: false }))
  return found
}

/** Whoever sent it sends it again under its own id, or leaves it to the caller, who tries again under a new one. */
function giveUp(next: State, at: number): void {
  const [batch] = next.batches.splice(at, 1)
  if (!batch || batch.caller === null) return
  const caller = next.callers[batch.caller]
  if (batch.resends > 0) next.batches.push({ ...batch, resends: batch.resends - 1 })
  else if (caller) next.callers[batch.caller] = { ...caller, isWaiting: false }
}

function violated({ users, events, wrong, callers, batches, claim }: State): string | undefined {
  if (wrong !== null) return wrong
  if (users.length > 1) return `users ${users.join(' and ')} have one e-mail`
  const created = events.filter(({ type }) => type === 'created')
  for (const { request } of created) {
    if (created.filter((event) => event.request === request).length > 1) return `request ${request} has made two users`
  }
  for (const { user } of created) {
    const isErased = events.some((event) => event.type === 'erased' && event.user === user)
    if (users.includes(user) && isErased) return `user ${user} is back after the erasure`
    if (!users.includes(user) && !isErased) return `event ${user} has no user`
  }
  const told = new Set(callers.map((caller) => caller.told).filter((answer) => answer !== null))
  const isSteady = claim?.isLive && batches.length === 0 && events.length === 1
  if (isSteady && told.has('email_taken')) return 'a caller is refused what his own key has made'
  return undefined
}

export function keyedCreate(without?: Guard): Model<State> {
  return { start: START, moves: (state) => moves(state, without), violated }
}
