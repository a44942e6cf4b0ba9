/**
 * The examiner is the only client of a store, and while it works nothing fails and nothing takes time. So it knows what
 * each response must be: status, headers, every field, to the millisecond. What it sends is drawn from the seed.
 */
import * as contract from '../contract.ts'
import type { Store } from '../clients/client.ts'
import { describe, type Exchange, type History } from '../clients/history.ts'
import { ADMIN_TOKEN } from '../world/instances.ts'
import type { Random } from '../world/random.ts'
import { type Row, toRow, toRows } from '../rows.ts'
import type { World } from '../world/world.ts'
import { findDifference } from './compare-json.ts'
import { type ExpectedEvent, StoreModel, type TokenModel } from './model.ts'

/** Who sends a request. */
export interface Caller {
  secret: string | undefined
  /** As an event shows it. */
  actor: Row
  /** Undefined for an operator. */
  token?: TokenModel
}

/** What a successful request made. */
export interface Made {
  id: string
  etag: string
  json: Row
  at: number
}

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
  events?: (made: Made) => ExpectedEvent[]
}

/** What a batch must return for an item. */
export interface ExpectedItem {
  status: number
  code?: string
  id?: string
}

export interface Prepared {
  /** After the path of the mount. */
  path: string
  body?: Row
  headers?: Record<string, string>
  expected: Expected
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

export const ROOT: Caller = { secret: ADMIN_TOKEN, actor: { type: 'operator', id: null } }

export class Examiner {
  readonly world: World
  readonly history: History
  readonly model: StoreModel
  /** The same store for the checks at the end of the run. */
  readonly store: Store
  /** `limited` may use only this store, and `elsewhere` only another one. */
  readonly operators: Record<'admin' | 'office' | 'viewer' | 'limited' | 'elsewhere', Caller>
  /** A token of another store. */
  readonly foreign: string
  /** The ids of tokens that events name as actors. An event shows the present name, so these are not renamed. */
  readonly actors = new Set<unknown>()
  /** The events of operators, which belong to no store. */
  readonly operatorEvents: ExpectedEvent[] = []
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
    this.model = new StoreModel(parts.store.id)
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

  /** Sends a request, and reports whatever is not as expected. */
  async send(label: string, request: contract.ApiRequest, expected: Expected): Promise<Exchange> {
    const exchange = await this.history.send(this.name(label), request)
    this.check(exchange, expected)
    return exchange
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

  /** Notes the events that a request must have caused. */
  noteEvents(exchange: Exchange, { actor }: Caller, { events }: Expected): void {
    for (const event of events?.(madeBy(exchange)) ?? []) {
      this.actors.add(actor['id'])
      const requestId = exchange.headers.get('X-Request-Id')
      this.model.events.push({ ...event, at: Math.floor(exchange.start), requestId, actor })
    }
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
      const exchange = await this.send(`${label} ${page}`, request, { status: 200 })
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

  pickToken(random: Random): TokenModel {
    const usable = [...this.model.tokens.values()].filter(
      ({ json, secret }) => secret !== undefined && json['revoked_at'] === null && json['expires_at'] === null,
    )
    return random.pick(usable.filter(({ scopes }) => scopes.length === contract.SCOPES.length))
  }
}

export function callerOf(token: TokenModel, secret = token.secret): Caller {
  return { secret, actor: { type: 'access_token', id: token.id, name: token.json['name'] }, token }
}

/** A request of a token on v1, or of an operator under /admin. */
export function requestOf(caller: Caller, method: string, slug: string, path: string): contract.ApiRequest {
  return { method, path: `${caller.token ? '/v1' : '/admin'}/stores/${slug}${path}`, token: caller.secret ?? '' }
}

export function madeBy({ json, headers, start }: Exchange): Made {
  return { id: String(json['id']), etag: headers.get('ETag') ?? '', json, at: Math.floor(start) }
}

/** The fields that an error names. */
export function fieldsOf({ details }: Row): unknown[] {
  return Array.isArray(details) ? toRows(details).map(({ field }) => field) : [toRow(details)['field']]
}
