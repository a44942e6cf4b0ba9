/** What is known about a store: the requests of its clients, and its events in their order. */
import type { Exchange } from '../clients/history.ts'
import { type Row, dataOf, toRow, toRows } from '../rows.ts'

/** One request's events, which were inserted at once. */
export interface Change {
  events: Row[]
  /** Undefined if the request got no response, and for bulk changes. */
  exchange: Exchange | undefined
  /** True for an event of a bulk change, or of an access that it has reached. */
  isBulk: boolean
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
  /** As they were listed last. */
  bulkChanges: Row[]
  /** Those of which a response has said that they were canceled. */
  canceled: Set<string>
}

/** Other checks are about feeds, deliveries, and what takes time. */
const NOT_EXPLAINED = /\/(events|deliveries|bulk_changes|stats)\b|\.csv|\/(test|enable)$/
const CHANGE =
  /^(user|product|custom_field|access_token|store|bulk_change)\.|^product_access\.(granted|updated|progressed)$|^webhook_endpoint\.(created|updated|deleted)$/

export function historyOf(slug: string, all: readonly Exchange[]): StoreHistory {
  // The tokens of operators are another subject.
  const isExplained = ({ request: { token, path } }: Exchange) => !token.startsWith('rgo_') && !NOT_EXPLAINED.test(path)
  const exchanges = all.filter(isOfStore(slug, all)).filter(isExplained)
  const byRequestId = new Map(exchanges.map((each) => [each.headers.get('X-Request-Id'), each]))
  const events = rowsOf(slug, 'events', all).filter(({ type }) => CHANGE.test(String(type)) && type !== 'store.created')
  const changes: Change[] = []
  for (const event of events) {
    const isBulk = dataOf(event)['bulk_change_id'] !== undefined
    const last = changes.at(-1)
    if (last && !isBulk && !last.isBulk && last.events[0]?.['request_id'] === event['request_id'])
      last.events.push(event)
    else changes.push({ events: [event], isBulk, exchange: byRequestId.get(String(event['request_id'])) })
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
    bulkChanges: rowsOf(slug, 'bulk_changes', all),
    canceled: new Set(
      all
        .filter(
          ({ request, status }) =>
            status === 200 && request.path.startsWith(`/admin/stores/${slug}/`) && request.path.endsWith('/cancel'),
        )
        .map(({ json }) => String(json['id'])),
    ),
  }
}

/** True for the requests about a store. One without a store in its path belongs to the store of its token. */
export function isOfStore(slug: string, all: readonly Exchange[]): (exchange: Exchange) => boolean {
  const name = new RegExp(`/stores/${slug}(/|\\?|$)`)
  const isNamed = ({ request: { path } }: Exchange) => name.test(path)
  const tokens = all.filter(isNamed).map(({ json }) => /^"(rgs_\d+_)/.exec(JSON.stringify(json['token'] ?? null))?.[1])
  const prefix = tokens.find((each) => each !== undefined) ?? 'no token'
  return (each) => isNamed(each) || (!each.request.path.includes('/stores') && each.request.token.startsWith(prefix))
}

/** All rows of a list that any response has shown, also those that were deleted since, as they were shown last. */
function rowsOf(slug: string, list: string, all: readonly Exchange[]): Row[] {
  const isPage = new RegExp(`/stores/${slug}/${list}(\\?|$)`)
  const pages = all.filter(({ request: { method, path } }) => method === 'GET' && isPage.test(path))
  const byId = new Map(pages.flatMap(({ json }) => toRows(json['data'])).map((row) => [Number(row['id']), row]))
  return [...byId.values()].toSorted((a, b) => Number(a['id']) - Number(b['id']))
}
