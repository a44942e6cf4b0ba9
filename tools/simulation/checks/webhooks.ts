/** Checks the webhooks: each event reaches each endpoint that subscribes to it, under one `webhook-id`, and signed. */
import { createHmac } from 'node:crypto'
import type { Endpoint } from '../clients/client.ts'
import type { Delivery } from '../world/receiver.ts'
import { type Row, toRow } from '../rows.ts'

/** A delivery that was under way when an endpoint or a secret changed may arrive this much later. */
const LATE_MS = 60_000
/** 20 failures, those in flight with the last of them, and some whose results are lost. */
const MAX_FAILURES_IN_AN_OUTAGE = 40
/** No delay before a probe is shorter. */
const FIRST_PROBE_MS = 4500

/** The events that an endpoint should receive: those of its types after the event that created it. */
function eventsFor({ id, types }: Endpoint, events: Row[]): Row[] {
  return events.filter(
    (event) => Number(event['id']) > Number(id) && (types === undefined || types.includes(String(event['type']))),
  )
}

export function missingEvents(endpoint: Endpoint, events: Row[], deliveries: Delivery[]): Row[] {
  const received = new Set(
    deliveries.filter(({ url, status }) => url === endpoint.url && status === 204).map(({ body }) => body),
  )
  return eventsFor(endpoint, events).filter((event) => !received.has(JSON.stringify(event)))
}

export function checkEndpoint(store: string, endpoint: Endpoint, events: Row[], deliveries: Delivery[]): string[] {
  const { url, deletedAt = Infinity, redelivered } = endpoint
  const subscribed = new Set(eventsFor(endpoint, events).map(({ id }) => String(id)))
  const bodies = new Map(events.map((event) => [`${store}_${String(event['id'])}`, JSON.stringify(event)]))
  const violations: string[] = []
  for (const delivery of deliveries) {
    if (delivery.url !== url) continue
    const { id, body, at } = delivery
    const isTest = id.startsWith(`${store}_test_`)
    if (!isTest && bodies.get(id) !== body) violations.push(`${id} is not the event: ${body}`)
    const eventId = id.slice(store.length + 1)
    if (!isTest && !subscribed.has(eventId) && !redelivered.has(eventId))
      violations.push(`${url} does not subscribe to ${id}`)
    if (deletedAt + LATE_MS < at) violations.push(`${id} was delivered after the deletion of ${url}`)
    if (!isSigned(endpoint, delivery)) violations.push(`${id} lacks the signature of a valid secret`)
  }
  return violations
}

/**
 * During an outage of a receiver, its endpoint fails until it is down, and then it is only probed. The results of some
 * attempts are lost, and those do not count. If it is enabled meanwhile, its failures are forgotten, and what waits is due.
 */
export function checkProbes({ id: own, url, redelivered }: Endpoint, events: Row[], deliveries: Delivery[]): string[] {
  const enabled = events
    .filter(({ type, data }) => type === 'webhook_endpoint.enabled' && toRow(data)['webhook_endpoint_id'] === own)
    .map(({ timestamp }) => Date.parse(String(timestamp)))
  const failed = deliveries.filter(
    ({ url: target, outage, id }) =>
      target === url && outage !== undefined && !id.includes('_test_') && !redelivered.has(id.replace(/^.*_/, '')),
  )
  return [...Map.groupBy(failed, ({ outage }) => outage).values()].flatMap((attempts) => {
    const [began, ended] = [attempts[0]?.at ?? 0, attempts.at(-1)?.at ?? 0]
    const elapsed = ended - began
    const runs = 1 + enabled.filter((at) => at >= began - LATE_MS && at <= ended).length
    // By a clock that has jumped, a probe comes early.
    if (attempts.some(({ areClocksUncertain }) => areClocksUncertain)) return []
    const isTooMany = attempts.length > MAX_FAILURES_IN_AN_OUTAGE * runs + elapsed / FIRST_PROBE_MS
    return isTooMany ? [`${attempts.length} attempts during an outage of ${url} of ${elapsed} ms`] : []
  })
}

/** True if every secret that is certainly valid has signed. */
function isSigned({ secrets }: Endpoint, { id, at, body, timestamp, signatures }: Delivery): boolean {
  const sign = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64')).update(`${id}.${timestamp}.${body}`)
  return secrets.every(({ secret, since }, i) => {
    // A rotation without a response may have run later than a rotation that was requested after it.
    const later = secrets.filter((next, j) => j > i || next.secret === undefined)
    const ends = later.map((next) => next.since + next.overlapHours * 3_600_000)
    const isValid = secret !== undefined && since + LATE_MS < at && at + LATE_MS < Math.min(...ends)
    return !isValid || signatures.includes(`v1,${sign(secret).digest('base64')}`)
  })
}
