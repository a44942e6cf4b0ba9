/**
 * The examiner is the only client of a store, and while it works nothing fails and nothing takes time. So it knows what
 * each response must be: status, headers, every field, to the millisecond. What it sends is drawn from the seed.
 */
import * as contract from '../contract.ts'
import type { Store } from '../clients/client.ts'
import { describe, type Exchange, type History } from '../clients/history.ts'
import type { Random } from '../world/random.ts'
import { type Row, toRow, toRows } from '../rows.ts'
import type { World } from '../world/world.ts'
import { findDifference } from './compare-json.ts'
import type { Caller, Drawn } from '../reference/operation.ts'
import { findOperation, Reference } from '../reference/reference.ts'
import type { State, Token } from '../reference/state.ts'

/** What a successful request made. */
export interface Made {
  id: string
  json: Row
  at: number
}

/** What a response must be, where the reference does not say it. */
export interface Expected {
  status: number
  code?: string
  /** The invalid fields of an error. */
  fields?: string[]
  json?: (made: Made) => Row
  text?: string
  /** The rows of a file. */
  rows?: { read: (text: string) => Row[]; expected: Row[] }
  headers?: Record<string, string | null>
}

export interface Prepared {
  /** After the path of the mount. */
  path: string
  body?: Row
  headers?: Record<string, string>
  /** Undefined if the reference says what must come of the request. */
  expected?: Expected
  /** Who must send it, if not anyone who may. */
  caller?: Caller
  apply?: (made: Made) => void
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

export const ROOT: Caller = { secret: contract.ADMIN_TOKEN, actor: { type: 'operator', id: null }, role: 'root' }

export class Examiner {
  readonly world: World
  readonly history: History
  readonly reference: Reference
  /** The same store for the checks at the end of the run. */
  readonly store: Store
  /** `limited` may use only this store, and `elsewhere` only another one. */
  readonly operators: Record<'admin' | 'office' | 'viewer' | 'limited' | 'elsewhere', Caller>
  /** A token of another store. */
  readonly foreign: string
  /** The endpoints that scenarios use. */
  readonly kept = new Set<string>()
  /** The operators that tasks have created, and not revoked. */
  readonly hired = new Set<string>()
  /** The oldest event that is not deleted. */
  oldest = 1
  /** The events that were read before some were deleted. */
  read: Row[] = []
  #count = 0

  constructor(parts: Pick<Examiner, 'world' | 'history' | 'store' | 'operators' | 'foreign'>) {
    this.world = parts.world
    this.history = parts.history
    this.store = parts.store
    this.operators = parts.operators
    this.foreign = parts.foreign
    this.reference = new Reference(parts.store.id, [ROOT, ...Object.values(parts.operators)])
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
    return `exam ${++this.#count} ${label}`
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

  /** Sends a request, and reports whatever is not as the reference says or, if it is given, as expected. */
  async send(label: string, request: contract.ApiRequest, expected?: Expected): Promise<Exchange> {
    const exchange = await this.history.send(this.name(label), request)
    if (expected) this.check(exchange, expected)
    else await this.refer(exchange)
    return exchange
  }

  /** Compares a response with the reference, which notes what the request has changed. */
  async refer(exchange: Exchange): Promise<void> {
    const { request, json, text, headers, start, wasResent } = exchange
    const requestId = headers.get('X-Request-Id')
    const drawn = { json, text, etag: headers.get('ETag') ?? '', requestId, wasResent }
    const events = exchange.status === 200 && hasNestedAccesses(request) ? await this.#eventsOf(requestId) : []
    this.settle(exchange, Math.floor(start), { ...drawn, events })
  }

  /** The same with what the service has drawn, at this time. */
  settle(exchange: Exchange, at: number, drawn: Drawn): void {
    const outcome = this.reference.handle(exchange.request, at, drawn)
    if (!outcome) throw new Error(`nobody knows what must come of ${describe(exchange)}`)
    const { body, events: _, record: __, ...expected } = outcome
    const { status } = exchange
    if (status !== undefined && status < 500) this.check(exchange, { ...expected, ...(body && { json: () => body }) })
    else if (outcome.status >= 300) this.violate(`what must be rejected has changed something: ${describe(exchange)}`)
  }

  /** The events of a request that shows no ids. */
  async #eventsOf(requestId: string | null): Promise<Row[]> {
    const request = requestOf(ROOT, 'GET', this.model.slug, '/events?order=desc&limit=100')
    const { json } = await this.send('events', request, { status: 200 })
    const newestFirst = toRows(json['data']).filter((event) => event['request_id'] === requestId)
    return newestFirst.toReversed()
  }

  check(exchange: Exchange, expected: Expected): void {
    const difference = this.#difference(exchange, expected)
    if (difference !== undefined) this.violate(`${difference}: ${describe(exchange)} ${exchange.text.slice(0, 600)}`)
  }

  #difference(
    exchange: Exchange,
    { status, code, fields, json, text, rows, headers = {} }: Expected,
  ): string | undefined {
    if (exchange.status !== status) return `the status is ${exchange.status}, not ${status} ${code ?? ''}`
    if (code !== undefined && exchange.json['code'] !== code) return `the code is not ${code}`
    if (fields && String(fieldsOf(exchange.json)) !== String(fields))
      return `the invalid fields are not ${String(fields)}`
    if (text !== undefined && exchange.text !== text) return `the text is not ${text}`
    for (const [name, value] of Object.entries(headers)) {
      const sent = exchange.headers.get(name)
      if (sent !== value) return `${name} is ${sent}, not ${value}`
    }
    if (rows) return findDifference(rows.read(exchange.text), rows.expected)
    return json && findDifference(exchange.json, json(madeBy(exchange)))
  }

  /** Reads all pages of a list of the store, and compares the rows. */
  async expectRows(label: string, caller: Caller, path: string, expected: Row[], limit: number): Promise<void> {
    const rows = await this.readPages(label, { caller, slug: this.model.slug, path, limit })
    const difference = findDifference(rows, expected)
    if (difference !== undefined) this.violate(`${label} ${path}: ${difference}`)
  }

  /** Reads all pages of a list; each must be a page, and they must come to an end. */
  async readPages(label: string, { caller, slug, path, limit = MAX_LIMIT, from }: List): Promise<Row[]> {
    const rows: Row[] = []
    for (let after = from, page = 0; page < MAX_PAGES; page++) {
      const query = `limit=${limit}${after === undefined ? '' : `&after=${encodeURIComponent(after)}`}`
      const request = requestOf(caller, 'GET', slug, `${path}${path.includes('?') ? '&' : '?'}${query}`)
      const exchange = await this.#sendForPage(`${label} ${page}`, request)
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

  /** Where the reference knows the list, it compares each page. */
  #sendForPage(label: string, request: contract.ApiRequest): Promise<Exchange> {
    const isKnown = request.path.includes(`/stores/${this.model.slug}/`) && findOperation(request).perform
    return this.send(label, request, isKnown ? undefined : { status: 200 })
  }

  pickToken(random: Random): Token {
    const usable = [...this.model.tokens.values()].filter(
      ({ json, secret }) => secret !== undefined && json['revoked_at'] === null && json['expires_at'] === null,
    )
    return random.pick(usable.filter(({ scopes }) => scopes.length === contract.SCOPES.length))
  }
}

/** A batch does not show the ids of the accesses that it grants with a user. */
const hasNestedAccesses = ({ body }: contract.ApiRequest) =>
  toRows(toRow(body)['items']).some(({ product_accesses }) => product_accesses != null)

/** A request of a token on v1, or of an operator under /admin. */
export function requestOf(caller: Caller, method: string, slug: string, path: string): contract.ApiRequest {
  return { method, path: `${caller.token ? '/v1' : '/admin'}/stores/${slug}${path}`, token: caller.secret ?? '' }
}

export function madeBy({ json, start }: Exchange): Made {
  return { id: String(json['id']), json, at: Math.floor(start) }
}

/** The fields that an error names. */
export function fieldsOf({ details }: Row): unknown[] {
  return Array.isArray(details) ? toRows(details).map(({ field }) => field) : [toRow(details)['field']]
}
