/** Checks what endpoints are sent: nothing twice, and nothing while they are disabled. */
import type { Endpoint } from '../clients/client.ts'
import { type Delivery, isOfObject } from '../world/receiver.ts'
import { dataOf, type Row } from '../rows.ts'

/** What was under way when the endpoint was disabled may still arrive, and clocks differ by 2 s. */
const LATE_MS = 20_000

interface Attempts {
  events: Row[]
  deliveries: Delivery[]
  /** The times at which clocks have jumped. */
  jumps: number[]
}

export function checkAttempts(endpoint: Endpoint, { events, deliveries, jumps }: Attempts): string[] {
  const own = deliveries.filter((each) => each.url === endpoint.url && isOfObject(each.by))
  return [...checkRepetitions(endpoint, own), ...checkDisabled(endpoint, { events, deliveries: own, jumps })]
}

/** What an object knows to be delivered it does not send again. Only if it dies before that, another one sends it again. */
function checkRepetitions({ url, redelivered }: Endpoint, deliveries: Delivery[]): string[] {
  const delivered = new Set<string>()
  return deliveries.flatMap(({ id, instance, status }) => {
    const key = `${instance} ${id}`
    const isRepeated = delivered.has(key) && !redelivered.has(id.replace(/^.*_/, ''))
    if (status !== null && status < 300) delivered.add(key)
    return isRepeated ? [`${id} was sent again by ${instance} to ${url}`] : []
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
