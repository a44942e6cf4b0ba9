/** What must hold of the webhooks: each event to each endpoint that should have it, under one name, signed. */
import { createHmac } from 'node:crypto'
import type { Endpoint } from './clients.ts'
import type { Delivery } from './receiver.ts'
import type { Row } from './rows.ts'

/** How long what was under way may still come, or be as it was before. */
const LATE_MS = 60_000

/** The events that an endpoint should have: those behind the one that made it. */
function eventsFor({ id, types }: Endpoint, events: Row[]): Row[] {
  return events.filter(
    (event) => Number(event['id']) > Number(id) && (types === undefined || types.includes(String(event['type']))),
  )
}

export function missingEvents(endpoint: Endpoint, events: Row[], deliveries: Delivery[]): Row[] {
  const taken = new Set(
    deliveries.filter(({ url, status }) => url === endpoint.url && status === 204).map(({ body }) => body),
  )
  return eventsFor(endpoint, events).filter((event) => !taken.has(JSON.stringify(event)))
}

/** `until`: what happened later may still be on its way. */
export function checkEndpoint(store: string, endpoint: Endpoint, events: Row[], deliveries: Delivery[]): string[] {
  const own = deliveries.filter(({ url }) => url === endpoint.url)
  const bodies = new Map(events.map((event) => [`${store}_${String(event['id'])}`, event]))
  return own.flatMap((delivery) => {
    const event = bodies.get(delivery.id)
    const isTest = delivery.id.startsWith(`${store}_test_`)
    return [
      ...(isTest || JSON.stringify(event) === delivery.body
        ? []
        : [`${delivery.id} is not the event: ${delivery.body}`]),
      ...((endpoint.deletedAt ?? Infinity) + LATE_MS < delivery.at ? [`delivered after its end: ${delivery.id}`] : []),
      ...checkSignature(endpoint, delivery),
    ]
  })
}

/** Every secret that is known to be good signs. */
function checkSignature({ secrets }: Endpoint, { id, at, body, timestamp, signatures }: Delivery): string[] {
  const sign = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64')).update(`${id}.${timestamp}.${body}`)
  const missing = secrets.filter(({ secret, since }, i) => {
    // What no answer told may have come later than what was asked after it.
    const later = secrets.filter((next, j) => j > i || next.secret === undefined)
    const ends = later.map((next) => next.since + next.overlapHours * 3_600_000)
    const isGood = secret !== undefined && since + LATE_MS < at && at + LATE_MS < Math.min(...ends)
    return isGood && !signatures.includes(`v1,${sign(secret).digest('base64')}`)
  })
  return missing.map(() => `${id} lacks a signature`)
}
