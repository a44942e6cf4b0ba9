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

export function checkEndpoint(store: string, endpoint: Endpoint, events: Row[], deliveries: Delivery[]): string[] {
  const { url, deletedAt = Infinity, redelivered } = endpoint
  const asked = new Set(eventsFor(endpoint, events).map(({ id }) => String(id)))
  const bodies = new Map(events.map((event) => [`${store}_${String(event['id'])}`, JSON.stringify(event)]))
  const wrong: string[] = []
  for (const delivery of deliveries) {
    if (delivery.url !== url) continue
    const { id, body, at } = delivery
    const isTest = id.startsWith(`${store}_test_`)
    if (!isTest && bodies.get(id) !== body) wrong.push(`${id} is not the event: ${body}`)
    const number = id.slice(store.length + 1)
    if (!isTest && !asked.has(number) && !redelivered.has(number)) wrong.push(`${url} did not ask for ${id}`)
    if (deletedAt + LATE_MS < at) wrong.push(`${id} was delivered after the end of ${url}`)
    if (!isSigned(endpoint, delivery)) wrong.push(`${id} lacks a signature`)
  }
  return wrong
}

/** Whether every secret that is known to be good signs. */
function isSigned({ secrets }: Endpoint, { id, at, body, timestamp, signatures }: Delivery): boolean {
  const sign = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64')).update(`${id}.${timestamp}.${body}`)
  return secrets.every(({ secret, since }, i) => {
    // What no answer told may have come later than what was asked after it.
    const later = secrets.filter((next, j) => j > i || next.secret === undefined)
    const ends = later.map((next) => next.since + next.overlapHours * 3_600_000)
    const isGood = secret !== undefined && since + LATE_MS < at && at + LATE_MS < Math.min(...ends)
    return !isGood || signatures.includes(`v1,${sign(secret).digest('base64')}`)
  })
}
