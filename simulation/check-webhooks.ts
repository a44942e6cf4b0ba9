/** What must hold of the webhooks: each event to each endpoint that should have it, under one name, signed. */
import { createHmac } from 'node:crypto'
import type { Endpoint } from './client.ts'
import type { Delivery } from './receiver.ts'
import type { Row } from './rows.ts'

/** How long what was under way may still come, or be as it was before. */
const LATE_MS = 60_000
/** Nobody else begins an attempt within the 30 s of a lease, of which a trip to D1 may have taken 5 s before it. */
const LEASED_MS = 20_000

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

/** What was taken, and is sent once more before that can have been noted or forgotten. */
export function checkLeases({ url, redelivered }: Endpoint, deliveries: Delivery[]): string[] {
  const last = new Map<string, number>()
  const own = deliveries.filter((each) => each.url === url && each.status === 204)
  return own.flatMap(({ id, at }) => {
    const isTwice = at - (last.get(id) ?? -Infinity) < LEASED_MS
    last.set(id, at)
    return isTwice && !redelivered.has(id.replace(/^.*_/, '')) ? [`${id} was sent twice at once to ${url}`] : []
  })
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
