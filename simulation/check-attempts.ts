/** Checks when endpoints are sent something: never while they are disabled or leased, and never too much at once. */
import type { Endpoint } from './client.ts'
import type { Delivery } from './receiver.ts'
import { dataOf, type Row } from './rows.ts'

/** A lease lasts 30 s. */
const LEASE_MS = 30_000
/** Clocks that have not jumped differ by less than this. */
const SKEW_MS = 5000
/** An attempt begins this soon after its delivery was leased: the round trip to D1 has a deadline of 5 s. */
const TO_ATTEMPT_MS = 6000
/** What was under way when the endpoint was disabled may still arrive, and clocks differ by 2 s. */
const LATE_MS = 20_000

/** Redeliveries and tests are sent at once, whatever the state of the endpoint is. */
const isOfQueue = ({ by }: Delivery) => by.includes(' attempt ')

interface Attempts {
  events: Row[]
  deliveries: Delivery[]
  /** The times at which clocks have jumped. */
  jumps: number[]
}

export function checkAttempts(endpoint: Endpoint, { events, deliveries, jumps }: Attempts): string[] {
  const own = deliveries.filter((each) => each.url === endpoint.url && isOfQueue(each))
  return [...checkLeases(endpoint, own), ...checkDisabled(endpoint, { events, deliveries: own, jumps })]
}

/**
 * A delivery that was received must not be sent again while its lease lasts, by the clocks of the instances that sent it.
 * If a clock has jumped, nothing is known: its instance may also have leased the delivery in between.
 */
function checkLeases({ url, redelivered }: Endpoint, deliveries: Delivery[]): string[] {
  const last = new Map<string, Delivery>()
  return deliveries.flatMap((each) => {
    const before = last.get(each.id)
    if (each.status !== null && each.status < 300) last.set(each.id, each)
    if (!before || redelivered.has(each.id.replace(/^.*_/, ''))) return []
    // By a clock that is behind, the second one may have been leased first.
    const elapsed = each.clock - before.clock
    const isLeased = elapsed > -SKEW_MS && elapsed < LEASE_MS - TO_ATTEMPT_MS
    return isLeased && !before.areLeasesUncertain && before.jumps === each.jumps
      ? [`${each.id} was sent again during its lease to ${url}`]
      : []
  })
}

/** A clock jumps by at most this, and its instance may live long after. */
const JUMP_MS = 300_000

/** From the event that disables the endpoint to the one that enables it, nothing is sent to it. */
function checkDisabled({ url, id }: Endpoint, { events, deliveries, jumps }: Attempts): string[] {
  const own = events.filter((event) => dataOf(event)['webhook_endpoint_id'] === id)
  return own.flatMap((event, i) => {
    if (event['type'] !== 'webhook_endpoint.disabled') return []
    // The time of the event is that of a clock that may be wrong.
    if (jumps.some((jump) => Math.abs(jump - timeOf(event)) < JUMP_MS)) return []
    const next = own.slice(i + 1).find(({ type }) => type === 'webhook_endpoint.enabled')
    const since = timeOf(event) + LATE_MS
    const until = next ? timeOf(next) - LATE_MS : Infinity
    const sent = deliveries.filter(({ at }) => at > since && at < until)
    return sent.map((each) => `${each.id} was sent to ${url}, which was disabled`)
  })
}

function timeOf(event: Row): number {
  return Date.parse(String(event['timestamp']))
}
