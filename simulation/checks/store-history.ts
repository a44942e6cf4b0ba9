/** What is known about a store: the requests of its clients, and its events in their order. */
import type { Exchange } from '../clients/history.ts'
import { type Row, dataOf, toRow, toRows } from '../rows.ts'

/** One request's events, which were inserted at once. */
export interface Change {
  events: Row[]
  /** Undefined if the request got no response, or if a bulk change has reached an access. */
  exchange: Exchange | undefined
  bulk: boolean
}

export interface StoreHistory {
  slug: string
  /** The store as it was created. */
  json: Row
  changes: Change[]
  /** Requests that must be explained and have no event, in the order of their starts. */
  withoutEvent: Exchange[]
  /** Requests of which it is unknown whether they have changed something. */
  unanswered: Exchange[]
}

/** Other checks are about feeds, deliveries, and what takes time. */
const NOT_EXPLAINED = /\/(events|deliveries|bulk_changes|stats)\b|\.csv|\/(test|enable)$/
const CHANGE =
  /^(user|product|custom_field|access_token|store)\.|^product_access\.(granted|updated|progressed)$|^webhook_endpoint\.(created|updated|deleted)$/

export function historyOf(slug: string, all: readonly Exchange[]): StoreHistory {
  const exchanges = exchangesOf(slug, all)
  const byRequestId = new Map(exchanges.map((each) => [each.headers.get('X-Request-Id'), each]))
  const events = eventsOf(slug, all).filter(({ type }) => CHANGE.test(String(type)) && type !== 'store.created')
  const changes: Change[] = []
  for (const event of events) {
    const bulk = dataOf(event)['bulk_change_id'] !== undefined
    const last = changes.at(-1)
    if (last && !bulk && !last.bulk && last.events[0]?.['request_id'] === event['request_id']) last.events.push(event)
    else
      changes.push({ events: [event], bulk, exchange: bulk ? undefined : byRequestId.get(String(event['request_id'])) })
  }
  const changing = new Set(changes.map(({ exchange }) => exchange))
  const created = all.find(
    ({ request, status }) => status === 201 && request.path === '/admin/stores' && toRow(request.body)['id'] === slug,
  )
  return {
    slug,
    json: created?.json ?? {},
    changes,
    withoutEvent: exchanges
      .filter((each) => each.end !== Infinity && each.status !== 429 && !changing.has(each))
      .toSorted((a, b) => a.start - b.start),
    unanswered: exchanges.filter(({ status }) => status === undefined),
  }
}

/** A request without a store in its path belongs to the store of its token. The tokens of operators are another subject. */
function exchangesOf(slug: string, all: readonly Exchange[]): Exchange[] {
  const isNamed = ({ request: { path } }: Exchange) => new RegExp(`/stores/${slug}(/|\\?|$)`).test(path)
  const tokens = all.filter(isNamed).map(({ json }) => /^rgs_\d+_/.exec(JSON.stringify(json['token'] ?? '').slice(1)))
  const prefix = tokens.find((each) => each !== null)?.[0] ?? 'no token'
  const isOf = (each: Exchange) =>
    isNamed(each) || (!each.request.path.includes('/stores') && each.request.token.startsWith(prefix))
  return all.filter(
    (each) => isOf(each) && !each.request.token.startsWith('rgo_') && !NOT_EXPLAINED.test(each.request.path),
  )
}

/** All events that any response has shown, also those that were deleted since. */
export function eventsOf(slug: string, all: readonly Exchange[]): Row[] {
  const isFeed = new RegExp(`/stores/${slug}/events(\\?|$)`)
  const shown = all.filter(({ request }) => isFeed.test(request.path)).flatMap(({ json }) => toRows(json['data']))
  const byId = new Map(shown.map((event) => [Number(event['id']), event]))
  return [...byId.values()].toSorted((a, b) => Number(a['id']) - Number(b['id']))
}
