/**
 * The keyed create. Two callers with one key and one e-mail. Each request is one batch, which is sent again under the
 * same request id when its answer is lost, and may arrive late, when nobody waits for it any more; then the caller
 * tries again with a new request id. The claim may expire, and the person may be erased, at any time.
 */
import type { May, Model } from './explore.ts'

/** What can be left out, to see what it is for. */
export type Guard = 'the claim is written in the batch' | 'only the newest event is followed' | 'done is asked first'

interface Batch {
  request: string
  /** Null when nobody waits for the answer any more. */
  caller: number | null
  resends: number
}

interface State {
  /** Their numbers are those of the events that made them. */
  users: number[]
  events: { type: 'created' | 'erased'; user: number; request?: string }[]
  /** The user that the key stands for, until the claim expires. */
  claim: number | null
  /** One that is yet to be written, where that is a step of its own. */
  lateClaim: number | null
  batches: Batch[]
  callers: { tries: number; isWaiting: boolean; told?: string }[]
}

const caller = { tries: 2, isWaiting: false }
const start: State = { users: [], events: [], claim: null, lateClaim: null, batches: [], callers: [caller, caller] }

/** What the batch does, all of it at once, and what it answers. */
function commit(next: State, request: string, without?: Guard): string {
  const { users, events, claim } = next
  const findOwn = () => events.findLast((event) => event.request === request)
  const isDone = findOwn() !== undefined && without !== 'done is asked first'
  if (!isDone && claim !== null) return users.includes(claim) ? `user ${claim}` : 'not_found'
  if (!isDone && users.length > 0) return 'email_taken'
  if (!isDone) events.push({ type: 'created', user: events.length + 1, request })
  const own = findOwn()
  const isFollowed = own === events.at(-1) || without === 'only the newest event is followed'
  if (own && isFollowed && !users.includes(own.user)) {
    users.push(own.user)
    if (without === 'the claim is written in the batch') next.lateClaim = own.user
    else next.claim ??= own.user
  }
  return own && users.includes(own.user) ? `user ${own.user}` : 'not_found'
}

function moves({ users, events, claim, lateClaim, batches, callers }: State, may: May<State>, without?: Guard): void {
  for (const [i, { tries, isWaiting, told }] of callers.entries()) {
    if (isWaiting || told !== undefined || tries === 0) continue
    const request = `${'ab'[i]}${3 - tries}`
    may(`caller ${i} sends request ${request}`, (next) => {
      next.batches.push({ request, caller: i, resends: 1 })
      next.callers[i] = { tries: tries - 1, isWaiting: true }
    })
  }
  for (const [i, batch] of batches.entries()) {
    const { request, caller } = batch
    may(`the batch of ${request} is committed${caller === null ? ' late' : ', and answered'}`, (next) => {
      next.batches.splice(i, 1)
      const told = commit(next, request, without)
      if (caller !== null) next.callers[caller] = { tries: 0, isWaiting: false, told }
    })
    if (caller === null) continue
    may(`the batch of ${request} is committed, its answer lost`, (next) => {
      commit(next, request, without)
      giveUp(next, i, batch)
    })
    may(`the batch of ${request} is not heard of until the deadline`, (next) => {
      giveUp(next, i, batch)
      next.batches.push({ request, caller: null, resends: 0 })
    })
  }
  if (lateClaim !== null) {
    may(`the claim for user ${lateClaim} is written`, (next) => {
      next.claim = lateClaim
      next.lateClaim = null
    })
  }
  const [user] = users
  if (user !== undefined && events.every(({ type }) => type !== 'erased')) {
    may(`user ${user} is erased`, (next) => {
      next.users.shift()
      next.events.push({ type: 'erased', user })
    })
  }
  if (claim !== null) may('the claim expires', (next) => (next.claim = null))
}

/** Whoever sent it sends it again under its own id, or leaves it to the caller, who tries again under a new one. */
function giveUp(next: State, i: number, batch: Batch): void {
  next.batches.splice(i, 1)
  const told = batch.caller === null ? undefined : next.callers[batch.caller]
  if (batch.resends > 0) next.batches.push({ ...batch, resends: batch.resends - 1 })
  else if (told) told.isWaiting = false
}

/** The invariants. */
function violated({ users, events, callers, claim }: State): string | undefined {
  const created = events.filter(({ type }) => type === 'created')
  const erased = new Set(events.filter(({ type }) => type === 'erased').map(({ user }) => user))
  const twice = created.find(({ request }, i) => created.findIndex((other) => other.request === request) !== i)
  const orphan = created.find(({ user }) => !users.includes(user) && !erased.has(user))
  const back = users.find((user) => erased.has(user))
  const isRefused = callers.some(({ told }) => told === 'email_taken')
  if (users.length > 1) return `users ${users.join(' and ')} have one e-mail`
  if (twice) return `request ${twice.request} has made two users`
  if (orphan) return `event ${orphan.user} has no user`
  if (back !== undefined) return `user ${back} is back after the erasure`
  if (claim !== null && users.some((user) => user !== claim)) return `the key of user ${claim} has made another`
  if (claim !== null && events.length === 1 && isRefused) return 'a caller is refused what his own key has made'
  return undefined
}

export function keyedCreate(without?: Guard): Model<State> {
  return { start, moves: (state, may) => moves(state, may, without), violated, bags: ({ batches }) => [batches] }
}
