/**
 * The examiner is the only client of a store, and while it works nothing fails and nothing takes time. So it knows what
 * each response must be: status, headers, every field, to the millisecond. What it sends is drawn from the seed.
 */
import type * as contract from '../contract.ts'
import type { Store } from '../clients/client.ts'
import { describe, type Exchange, type History } from '../clients/history.ts'
import { type Row, toRow, toRows } from '../rows.ts'
import type { World } from '../world/world.ts'
import { findDifference } from '../checks/compare-json.ts'
import { difference } from '../checks/differences.ts'
import type { Caller, Drawn, Outcome } from '../reference/operation.ts'
import { ROOT } from '../reference/callers.ts'
import { Reference } from '../reference/reference.ts'
import type { State } from '../reference/state.ts'

/** What a task sends. The reference says what must come of it. */
export interface Prepared {
  /** After the path of the mount. */
  path: string
  body?: Row
  headers?: Record<string, string>
}

const MAX_LIMIT = 100
const MAX_PAGES = 200

interface List {
  caller: Caller
  slug: string
  path: string
  limit?: number
  /** The cursor of the first page. */
  from?: string
}

/** `limited` may use only the store of the examiner, and `elsewhere` only another one. */
type Operators = Record<'admin' | 'office' | 'viewer' | 'limited' | 'elsewhere', Caller>

export class Examiner {
  readonly world: World
  readonly history: History
  readonly reference: Reference
  /** The same store for the checks at the end of the run. */
  readonly store: Store
  operators: Operators = { admin: ROOT, office: ROOT, viewer: ROOT, limited: ROOT, elsewhere: ROOT }
  /** A token of another store. */
  readonly foreign: string
  /** The endpoints that scenarios use. */
  readonly kept = new Set<string>()
  /** What the names of its requests begin with. */
  readonly #title: string
  #count = 0
  #feedReadAt = 0

  constructor(parts: Pick<Examiner, 'world' | 'history' | 'store' | 'foreign'>, title = 'exam') {
    this.world = parts.world
    this.history = parts.history
    this.store = parts.store
    this.foreign = parts.foreign
    this.#title = title
    this.reference = new Reference(parts.store.id, [ROOT])
  }

  /** What the store must contain. */
  get model(): State {
    return this.reference.state
  }

  get now(): number {
    return Math.floor(this.world.now)
  }

  /** True if the store has a database of its own: its alarm does what crons do for the others, when it is due. */
  get hasOwnPlace(): boolean {
    return this.store.place.place === 'own'
  }

  /** A new name of a request or a record. */
  name(label: string): string {
    return `${this.#title} ${++this.#count} ${label}`
  }

  /** A new name that may stand in a key, an email or a URL. */
  slug(label: string): string {
    return this.name(label).replaceAll(' ', '-')
  }

  violate(text: string): void {
    this.history.violations.push(`the examiner: ${text}`)
  }

  /** Lets some time pass, until a whole millisecond. */
  async pass(ms: number): Promise<void> {
    await this.world.sleepUntil(Math.ceil(this.world.now) + ms)
  }

  /**
   * Sends a request, and reports whatever is not as the reference says, or not as a scenario expects besides. Where that is
   * an error, the reference is not asked: it knows nothing of failures and quotas.
   */
  async send(label: string, request: contract.ApiRequest, expected?: Outcome): Promise<Exchange> {
    const exchange = await this.history.send(this.name(label), request)
    if (!expected || expected.status < 400) await this.refer(exchange)
    if (expected) this.check(exchange, expected)
    return exchange
  }

  /** Compares a response with the reference, which notes what the request has changed. */
  async refer(exchange: Exchange): Promise<void> {
    const { request, status, json, text, headers, start, at, wasResent } = exchange
    const requestId = headers.get('X-Request-Id')
    if (needsFeed(request)) {
      const isRead = this.#feedReadAt === this.world.now && this.model.events.length === 0
      if (!isRead) await this.readFeed()
      // The newest events may be from after the response.
      if (at > start && status !== undefined && status < 300) return
    }
    const fresh = status === 200 && hasNestedAccesses(request) ? await this.newEvents() : []
    const events = fresh.filter((event) => event['request_id'] === requestId)
    const etag = headers.get('ETag') ?? ''
    this.settle(exchange, Math.floor(start), { json, text, etag, requestId, wasResent, events })
  }

  /** The same with what the service has drawn, at this time. */
  settle(exchange: Exchange, at: number, drawn: Drawn): void {
    const outcome = this.reference.handle(exchange.request, at, drawn)
    // The request is about another store.
    if (!outcome) return
    const { status } = exchange
    if (status !== undefined && status < 500) this.check(exchange, outcome)
    else if (outcome.status >= 300) this.violate(`what must be rejected has changed something: ${describe(exchange)}`)
  }

  check(exchange: Exchange, expected: Outcome): void {
    const found = difference(exchange, expected)
    if (found !== undefined) this.violate(`${found}: ${describe(exchange)} ${exchange.text.slice(0, 600)}`)
  }

  /** All events of the store, those that are deleted by now too. */
  async readFeed(): Promise<Row[]> {
    const { slug, feed } = this.model
    await this.readPages('feed', { caller: ROOT, slug, path: '/events', ...fromEndOf(feed) })
    this.#feedReadAt = this.world.now
    return feed
  }

  /** The events that the reference has not seen, as they are shown. */
  async newEvents(): Promise<Row[]> {
    const rows: Row[] = []
    for (let { from: after } = fromEndOf(this.model.feed); ;) {
      const path = `/events?limit=${MAX_LIMIT}${after === undefined ? '' : `&after=${after}`}`
      const request = requestOf(ROOT, 'GET', this.model.slug, path)
      const { json } = await this.history.send(this.name('new events'), request)
      rows.push(...toRows(json['data']))
      if (typeof json['next'] !== 'string') return rows
      after = json['next']
    }
  }

  /** Reads all pages of a list of the store, and compares the rows. */
  async expectRows(label: string, caller: Caller, path: string, expected: Row[], limit: number): Promise<void> {
    const rows = await this.readPages(label, { caller, slug: this.model.slug, path, limit })
    const found = findDifference(rows, expected)
    if (found !== undefined) this.violate(`${label} ${path}: ${found}`)
  }

  /** Reads all pages of a list; each must be a page, and they must come to an end. */
  async readPages(label: string, { caller, slug, path, limit = MAX_LIMIT, from }: List): Promise<Row[]> {
    const rows: Row[] = []
    for (let after = from, page = 0; page < MAX_PAGES; page++) {
      const query = `limit=${limit}${after === undefined ? '' : `&after=${encodeURIComponent(after)}`}`
      const request = requestOf(caller, 'GET', slug, `${path}${path.includes('?') ? '&' : '?'}${query}`)
      const exchange = await this.send(`${label} ${page}`, request, { status: 200 })
      if (exchange.isRejected) return rows
      const data = toRows(exchange.json['data'])
      if (data.length > limit) this.violate(`a page has ${data.length} rows: ${describe(exchange)}`)
      rows.push(...data)
      const { next } = exchange.json
      if (next !== null && typeof next !== 'string') this.violate(`next is missing: ${describe(exchange)}`)
      if (typeof next !== 'string') return rows
      after = next
    }
    this.violate(`${label} ${path} has no end`)
    return rows
  }
}

const fromEndOf = (feed: Row[]): { from?: string } => (feed.length === 0 ? {} : { from: String(feed.length) })

/** What shows events is compared with the whole feed, which is therefore read before. Only its own pages need nothing else. */
function needsFeed({ path }: contract.ApiRequest): boolean {
  return (
    /\/(events|stats|deliveries|redeliver|bulk_changes\/\d+)(\?|$)/.test(path) &&
    !/\/stores\/[\w-]+\/events\?limit=\d+(&after=\d+)?$/.test(path)
  )
}

/** A batch does not show the ids of the accesses that it grants with a user. */
const hasNestedAccesses = ({ body }: contract.ApiRequest) =>
  toRows(toRow(body)['items']).some(({ product_accesses }) => product_accesses != null)

/** A request of a token on v1, or of an operator under /admin. */
export function requestOf(caller: Caller, method: string, slug: string, path: string): contract.ApiRequest {
  return { method, path: `${caller.token ? '/v1' : '/admin'}/stores/${slug}${path}`, token: caller.secret ?? '' }
}
