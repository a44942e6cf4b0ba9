/**
 * The outbox of webhooks. The events are the outbox; an endpoint's cursor tells how far they have become deliveries;
 * an attempt is leased before it is made. The queue only wakes: its messages may be lost, doubled or late, and a
 * consumer may die at any step, or be so slow that its lease ends. The endpoint may refuse, be disabled, and be enabled
 * again. A sweep wakes for what is due. From wherever that leads, all must still be delivered.
 */
import type { May, Model } from './explore.ts'

/** What can be left out, to see what it is for. */
export type Guard =
  | 'the sweep'
  | 'an attempt is leased before it is made'
  | 'the cursor moves with its deliveries'
  | 'a refusal counts only for what waits for that attempt'

interface Delivery {
  state: 'due' | 'leased' | 'later' | 'delivered'
  attempts: number
  isReceived: boolean
  wasDelivered: boolean
}

interface Attempt {
  event: number
  number: number
  outcome?: 'received' | 'refused'
}

interface State {
  events: number
  cursor: number
  /** Of the events in their order. */
  deliveries: Delivery[]
  isEnabled: boolean
  messages: number
  /** What consumers are doing. */
  attempts: Attempt[]
  /** How many things more may go wrong: enough to meet each other. */
  mishaps: number
}

const EVENTS = 2
const start: State = { events: 0, cursor: 0, deliveries: [], isEnabled: true, messages: 0, attempts: [], mishaps: 4 }

/** One batch: the deliveries of new events, the cursor behind them, and the lease of all that is due. */
function takeTurn(next: State, without?: Guard): void {
  if (!next.isEnabled) return
  for (; next.cursor < next.events; next.cursor++) {
    next.deliveries.push({ state: 'due', attempts: 0, isReceived: false, wasDelivered: false })
  }
  for (const [event, delivery] of next.deliveries.entries()) {
    if (delivery.state !== 'due') continue
    next.attempts.push({ event, number: delivery.attempts + 1 })
    if (without === 'an attempt is leased before it is made') continue
    Object.assign(delivery, { state: 'leased', attempts: delivery.attempts + 1 })
  }
}

/** One batch: how an attempt has ended. Another one may have begun, or been received, since its lease has ended. */
function note(delivery: Delivery | undefined, { number, outcome }: Attempt, without?: Guard): void {
  const isAwaited = delivery && delivery.state !== 'delivered' && delivery.attempts <= number
  const counts = isAwaited || without === 'a refusal counts only for what waits for that attempt'
  if (outcome === 'received') Object.assign(delivery ?? {}, { state: 'delivered', wasDelivered: true })
  else if (counts) Object.assign(delivery ?? {}, { state: 'later', attempts: number })
}

function moves(state: State, may: May<State>, without?: Guard): void {
  const { events, cursor, deliveries, isEnabled, messages, attempts, mishaps } = state
  const mishap = (label: string, change: (next: State) => void) => {
    const left = { mishaps: mishaps - 1 }
    if (mishaps > 0) may(label, (next) => change(Object.assign(next, left)), 'goes wrong')
  }
  if (events < EVENTS) {
    const commit = (next: State) => Object.assign(next, { events: events + 1, messages: messages + 1 })
    may(`event ${events + 1} is committed, and a message sent`, commit)
    mishap(`event ${events + 1} is committed, and its message lost`, (next) => next.events++)
  }
  if (messages > 0) {
    const take = (next: State) => Object.assign(next, { messages: messages - 1 })
    may('a message wakes a consumer', (next) => takeTurn(take(next), without))
    mishap('a message wakes a consumer, and will once more', (next) => takeTurn(next, without))
    if (without === 'the cursor moves with its deliveries') {
      mishap('a consumer moves the cursor, and dies', (next) => Object.assign(take(next), { cursor: events }))
    }
  }
  for (const [i, attempt] of attempts.entries()) {
    const { event, number, outcome } = attempt
    const name = `attempt ${number} at event ${event + 1}`
    mishap(`the consumer of ${name} dies`, (next) => next.attempts.splice(i, 1))
    if (outcome) {
      may(`${name} is noted as ${outcome}`, (next) => {
        next.attempts.splice(i, 1)
        note(next.deliveries[event], attempt, without)
      })
      continue
    }
    may(`${name} is received`, (next) => {
      next.attempts[i] = { event, number, outcome: 'received' }
      Object.assign(next.deliveries[event] ?? {}, { isReceived: true })
    })
    mishap(`${name} is refused`, (next) => (next.attempts[i] = { event, number, outcome: 'refused' }))
  }
  for (const [event, delivery] of deliveries.entries()) {
    const isHeld = attempts.some((each) => each.event === event && each.number === delivery.attempts)
    const end = (next: State) => Object.assign(next.deliveries[event] ?? {}, { state: 'due' })
    if (delivery.state === 'later') may(`the delay of event ${event + 1} ends`, end)
    if (delivery.state !== 'leased') continue
    if (isHeld) mishap(`the lease of event ${event + 1} ends before its attempt`, end)
    else may(`the lease of event ${event + 1} ends`, end)
  }
  const isNeglected = isEnabled && (cursor < events || deliveries.some((delivery) => delivery.state === 'due'))
  if (messages === 0 && isNeglected && without !== 'the sweep') {
    may('the sweep sends a message', (next) => next.messages++)
  }
  if (isEnabled) mishap('the endpoint is disabled', (next) => (next.isEnabled = false))
  else may('the endpoint is enabled', (next) => (next.isEnabled = true))
}

/** The invariants. */
function violated({ cursor, deliveries, attempts }: State): string | undefined {
  const names = attempts.map(({ event, number }) => `attempt ${number} at event ${event + 1}`)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  const unfounded = deliveries.findIndex(({ state, isReceived }) => state === 'delivered' && !isReceived)
  const again = deliveries.findIndex(({ state, wasDelivered }) => state !== 'delivered' && wasDelivered)
  if (twice !== undefined) return `${twice} is made by two consumers`
  if (deliveries.length < cursor) return `the cursor is past event ${deliveries.length + 1}, which has no delivery`
  if (unfounded !== -1) return `event ${unfounded + 1} was never received`
  if (again !== -1) return `event ${again + 1} was delivered, and waits again`
  return undefined
}

export function outbox(without?: Guard): Model<State> {
  return {
    start,
    moves: (state, may) => moves(state, may, without),
    violated,
    isGood: ({ deliveries }) => deliveries.length === EVENTS && deliveries.every(({ state }) => state === 'delivered'),
    bags: ({ attempts }) => [attempts],
  }
}
