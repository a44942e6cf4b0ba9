/**
 * The outbox of webhooks. The events are the outbox: deliveries exist for all events up to an endpoint's cursor. A
 * delivery is leased before it is sent. The queue only notifies a consumer: its messages may be lost, doubled or late,
 * and a consumer may die at any step, or be so slow that its lease ends. The endpoint may reject a delivery, be
 * disabled, and be enabled again. A sweep notifies a consumer if a delivery is due. From every state, it must still be
 * possible to deliver all events.
 */
import type { AddMove, Model } from './explore.ts'

/** Each guard can be removed, to show which invariant needs it. */
export type Guard =
  | 'the sweep'
  | 'a delivery is leased before it is sent'
  | 'the cursor moves with its deliveries'
  | 'a failure is recorded only for the newest attempt'

interface Delivery {
  state: 'due' | 'leased' | 'later' | 'delivered'
  attempts: number
  isReceived: boolean
  wasDelivered: boolean
}

interface Attempt {
  event: number
  number: number
  outcome?: 'received' | 'failed'
}

interface State {
  events: number
  cursor: number
  /** The deliveries in the order of their events. */
  deliveries: Delivery[]
  isEnabled: boolean
  messages: number
  /** The attempts of consumers that have not ended. */
  attempts: Attempt[]
  /** The number of faults that may still happen: enough for several of them to combine. */
  faults: number
}

const EVENTS = 2
const start: State = { events: 0, cursor: 0, deliveries: [], isEnabled: true, messages: 0, attempts: [], faults: 4 }

/** One batch: it inserts the deliveries of new events, moves the cursor, and leases all deliveries that are due. */
function claimDeliveries(next: State, without?: Guard): void {
  if (!next.isEnabled) return
  for (; next.cursor < next.events; next.cursor++) {
    next.deliveries.push({ state: 'due', attempts: 0, isReceived: false, wasDelivered: false })
  }
  for (const [event, delivery] of next.deliveries.entries()) {
    if (delivery.state !== 'due') continue
    next.attempts.push({ event, number: delivery.attempts + 1 })
    if (without === 'a delivery is leased before it is sent') continue
    Object.assign(delivery, { state: 'leased', attempts: delivery.attempts + 1 })
  }
}

/**
 * One batch: it records how an attempt ended. If its lease ended before, another attempt may have begun or succeeded.
 */
function recordResult(delivery: Delivery | undefined, { number, outcome }: Attempt, without?: Guard): void {
  const isAwaited = delivery && delivery.state !== 'delivered' && delivery.attempts <= number
  const counts = isAwaited || without === 'a failure is recorded only for the newest attempt'
  if (outcome === 'received') Object.assign(delivery ?? {}, { state: 'delivered', wasDelivered: true })
  else if (counts) Object.assign(delivery ?? {}, { state: 'later', attempts: number })
}

function moves(state: State, addMove: AddMove<State>, without?: Guard): void {
  const { events, cursor, deliveries, isEnabled, messages, attempts, faults } = state
  const fault = (label: string, change: (next: State) => void) => {
    const left = { faults: faults - 1 }
    if (faults > 0) addMove(label, (next) => change(Object.assign(next, left)), 'goes wrong')
  }
  if (events < EVENTS) {
    const commit = (next: State) => Object.assign(next, { events: events + 1, messages: messages + 1 })
    addMove(`event ${events + 1} is committed, and a message is sent`, commit)
    fault(`event ${events + 1} is committed, and its message is lost`, (next) => next.events++)
  }
  if (messages > 0) {
    const take = (next: State) => Object.assign(next, { messages: messages - 1 })
    addMove('a message notifies a consumer', (next) => claimDeliveries(take(next), without))
    fault('a message notifies a consumer, and will be delivered again', (next) => claimDeliveries(next, without))
    if (without === 'the cursor moves with its deliveries') {
      fault('a consumer moves the cursor, and dies', (next) => Object.assign(take(next), { cursor: events }))
    }
  }
  for (const [i, attempt] of attempts.entries()) {
    const { event, number, outcome } = attempt
    const name = `attempt ${number} at event ${event + 1}`
    fault(`the consumer of ${name} dies`, (next) => next.attempts.splice(i, 1))
    if (outcome) {
      addMove(`${name} is recorded as ${outcome}`, (next) => {
        next.attempts.splice(i, 1)
        recordResult(next.deliveries[event], attempt, without)
      })
      continue
    }
    addMove(`${name} is received`, (next) => {
      next.attempts[i] = { event, number, outcome: 'received' }
      Object.assign(next.deliveries[event] ?? {}, { isReceived: true })
    })
    fault(`${name} fails`, (next) => (next.attempts[i] = { event, number, outcome: 'failed' }))
  }
  for (const [event, delivery] of deliveries.entries()) {
    const isHeld = attempts.some((each) => each.event === event && each.number === delivery.attempts)
    const end = (next: State) => Object.assign(next.deliveries[event] ?? {}, { state: 'due' })
    if (delivery.state === 'later') addMove(`the delay of event ${event + 1} ends`, end)
    if (delivery.state !== 'leased') continue
    if (isHeld) fault(`the lease of event ${event + 1} ends before its attempt`, end)
    else addMove(`the lease of event ${event + 1} ends`, end)
  }
  const isNeglected = isEnabled && (cursor < events || deliveries.some((delivery) => delivery.state === 'due'))
  if (messages === 0 && isNeglected && without !== 'the sweep') {
    addMove('the sweep sends a message', (next) => next.messages++)
  }
  if (isEnabled) fault('the endpoint is disabled', (next) => (next.isEnabled = false))
  else addMove('the endpoint is enabled', (next) => (next.isEnabled = true))
}

/** Checks the invariants. */
function findViolation({ cursor, deliveries, attempts }: State): string | undefined {
  const names = attempts.map(({ event, number }) => `attempt ${number} at event ${event + 1}`)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  const unfounded = deliveries.findIndex(({ state, isReceived }) => state === 'delivered' && !isReceived)
  const again = deliveries.findIndex(({ state, wasDelivered }) => state !== 'delivered' && wasDelivered)
  if (twice !== undefined) return `${twice} is sent by two consumers`
  if (deliveries.length < cursor) return `the cursor is past event ${deliveries.length + 1}, which has no delivery`
  if (unfounded !== -1) return `event ${unfounded + 1} was never received`
  if (again !== -1) return `event ${again + 1} was delivered, and is pending again`
  return undefined
}

export function outbox(without?: Guard): Model<State> {
  return {
    start,
    moves: (state, addMove) => moves(state, addMove, without),
    findViolation,
    isGood: ({ deliveries }) => deliveries.length === EVENTS && deliveries.every(({ state }) => state === 'delivered'),
    unordered: ({ attempts }) => [attempts],
  }
}
