/**
 * The outbox of webhooks. The events are the outbox; an endpoint's cursor tells how far they have become deliveries;
 * an attempt is leased before it is made, by moving its time to the end of a lease. The queue only wakes: its
 * messages may be lost, doubled or late, and a consumer may die at any step, or be so slow that its lease ends. The
 * endpoint may refuse, be disabled, and be enabled again. A sweep wakes for what is due.
 *
 * Invariants: no event up to the cursor is without its delivery; what counts as delivered was received, and stays
 * delivered; an attempt is made by one consumer. And from wherever it goes wrong, everything is still delivered
 * without further mishap.
 */
import { copy, type Model, type Move } from './explore.ts'

/** The guards that can be left out, to see what they are for. */
export type Guard =
  | 'the sweep'
  | 'an attempt is leased before it is made'
  | 'the cursor moves with its deliveries'
  | 'a refusal counts only for what waits for that attempt'

interface Delivery {
  state: 'pending' | 'delivered'
  /** Due now; leased to an attempt; or waiting to be tried again. */
  when: 'due' | 'leased' | 'later' | 'never'
  attempts: number
}

interface Attempt {
  event: number
  number: number
  outcome: 'none' | 'received' | 'refused'
}

interface State {
  events: number
  cursor: number
  isEnabled: boolean
  deliveries: (Delivery | null)[]
  messages: number
  consumers: Attempt[][]
  /** Consumers that have moved the cursor and not yet written the deliveries, where these are two steps. */
  halfway: number[][]
  received: boolean[]
  hasBeenDelivered: boolean[]
  /** How many mishaps of each kind are left: enough to meet each other. */
  left: { lost: number; doubled: number; deaths: number; refusals: number; disabled: number; slow: number }
}

const EVENTS = 2
const START: State = {
  events: 0,
  cursor: 0,
  isEnabled: true,
  deliveries: [null, null],
  messages: 0,
  consumers: [],
  halfway: [],
  received: [false, false],
  hasBeenDelivered: [false, false],
  left: { lost: 1, doubled: 1, deaths: 1, refusals: 1, disabled: 1, slow: 1 },
}

/** One batch: the deliveries of new events, the cursor behind them, and the lease of all that is due. */
function lease(next: State, without: Guard | undefined): void {
  if (!next.isEnabled) return
  const fresh = [...next.deliveries.keys()].filter((event) => event >= next.cursor && event < next.events)
  next.cursor = next.events
  if (without === 'the cursor moves with its deliveries' && fresh.length > 0) next.halfway.push(fresh)
  else fanOut(next, fresh)
  const attempts: Attempt[] = []
  for (const [event, delivery] of next.deliveries.entries()) {
    if (delivery?.when !== 'due') continue
    attempts.push({ event, number: delivery.attempts + 1, outcome: 'none' })
    if (without === 'an attempt is leased before it is made') continue
    next.deliveries[event] = { ...delivery, when: 'leased', attempts: delivery.attempts + 1 }
  }
  if (attempts.length > 0) next.consumers.push(attempts)
}

function fanOut(next: State, events: number[]): void {
  for (const event of events) next.deliveries[event] ??= { state: 'pending', when: 'due', attempts: 0 }
}

/** One batch: how the attempts ended. */
function record(next: State, attempts: Attempt[], without: Guard | undefined): void {
  for (const { event, number, outcome } of attempts) {
    const delivery = next.deliveries[event]
    if (!delivery) continue
    // An older attempt, whose lease has ended, may have been received in the meantime; or a newer one be under way.
    const isAwaited = delivery.state === 'pending' && delivery.attempts <= number
    const counts = isAwaited || without === 'a refusal counts only for what waits for that attempt'
    if (outcome === 'received') {
      next.deliveries[event] = { state: 'delivered', when: 'never', attempts: Math.max(number, delivery.attempts) }
      next.hasBeenDelivered[event] = true
    } else if (counts) {
      next.deliveries[event] = { state: 'pending', when: 'later', attempts: number }
    }
  }
}

function isNeglected({ isEnabled, cursor, events, deliveries }: State): boolean {
  return isEnabled && (cursor < events || deliveries.some((delivery) => delivery?.when === 'due'))
}

function moves(state: State, without: Guard | undefined): Move<State>[] {
  const found: Move<State>[] = []
  const add = (label: string, change: (next: State) => void, isChance = false) => {
    const to = copy(state)
    change(to)
    to.consumers.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    found.push({ label, to, isChance })
  }
  const { left } = state

  if (state.events < EVENTS) {
    const event = state.events + 1
    add(`event ${event} is committed, and a message sent`, (next) => {
      next.events++
      next.messages++
    })
    if (left.lost > 0) {
      const lose = (next: State) => {
        next.events++
        next.left.lost--
      }
      add(`event ${event} is committed, and its message lost`, lose, true)
    }
  }
  if (state.messages > 0) {
    add('a message wakes a consumer', (next) => {
      next.messages--
      lease(next, without)
    })
    if (left.doubled > 0) {
      const double = (next: State) => {
        next.left.doubled--
        lease(next, without)
      }
      add('a message wakes a consumer, and will once more', double, true)
    }
  }
  for (const [i, events] of state.halfway.entries()) {
    add('the consumer writes the deliveries behind the cursor', (next) => {
      next.halfway.splice(i, 1)
      fanOut(next, events)
    })
    if (left.deaths > 0) {
      const die = (next: State) => {
        next.halfway.splice(i, 1)
        next.left.deaths--
      }
      add('the consumer dies', die, true)
    }
  }
  for (const [i, attempts] of state.consumers.entries()) {
    const at = attempts.findIndex(({ outcome }) => outcome === 'none')
    const attempt = attempts[at]
    const who = `consumer ${i}`
    const end = (outcome: Attempt['outcome']) => (next: State) => {
      if (attempt) next.consumers[i]?.splice(at, 1, { ...attempt, outcome })
      if (outcome === 'received' && attempt) next.received[attempt.event] = true
      else next.left.refusals--
    }
    if (attempt) {
      const what = `attempt ${attempt.number} at event ${attempt.event + 1}`
      add(`${who}: ${what} is received`, end('received'))
      if (left.refusals > 0) add(`${who}: ${what} is refused`, end('refused'), true)
    } else {
      add(`${who} records how its attempts ended`, (next) => {
        next.consumers.splice(i, 1)
        record(next, attempts, without)
      })
    }
    if (left.deaths > 0) {
      const die = (next: State) => {
        next.consumers.splice(i, 1)
        next.left.deaths--
      }
      add(`${who} dies`, die, true)
    }
  }
  for (const [event, delivery] of state.deliveries.entries()) {
    if (delivery?.when === 'later') {
      add(`the delay of event ${event + 1} ends`, (next) => (next.deliveries[event] = { ...delivery, when: 'due' }))
    }
    if (delivery?.when !== 'leased') continue
    const isHeld = state.consumers
      .flat()
      .some((attempt) => attempt.event === event && attempt.number === delivery.attempts)
    if (isHeld && left.slow === 0) continue
    const endLease = (next: State) => {
      next.deliveries[event] = { ...delivery, when: 'due' }
      if (isHeld) next.left.slow--
    }
    add(`the lease of event ${event + 1} ends${isHeld ? ' before its consumer does' : ''}`, endLease, isHeld)
  }
  if (without !== 'the sweep' && state.messages === 0 && isNeglected(state)) {
    add('the sweep sends a message', (next) => next.messages++)
  }
  if (state.isEnabled && left.disabled > 0) {
    const disable = (next: State) => {
      next.isEnabled = false
      next.left.disabled--
    }
    add('the endpoint is disabled', disable, true)
  }
  if (!state.isEnabled) add('the endpoint is enabled', (next) => (next.isEnabled = true))
  return found
}

function violated({ cursor, deliveries, received, hasBeenDelivered, consumers, halfway }: State): string | undefined {
  const made = consumers.flat().map(({ event, number }) => `attempt ${number} at event ${event + 1}`)
  const twice = made.find((attempt, i) => made.indexOf(attempt) !== i)
  if (twice !== undefined) return `${twice} is made by two consumers`
  for (const [event, delivery] of deliveries.entries()) {
    const isSkipped = delivery === null && event < cursor && !halfway.flat().includes(event)
    if (isSkipped) return `the cursor is past event ${event + 1}, which has no delivery`
    if (delivery?.state === 'delivered' && received[event] !== true) return `event ${event + 1} was never received`
    if (delivery?.state === 'pending' && hasBeenDelivered[event])
      return `event ${event + 1} was delivered, and waits again`
  }
  return undefined
}

export function outbox(without?: Guard): Model<State> {
  return {
    start: START,
    moves: (state) => moves(state, without),
    violated,
    isGood: ({ deliveries }) => deliveries.every((delivery) => delivery?.state === 'delivered'),
  }
}
