/** What one store contains, and what is known of the service around it. Each record is kept as v1 shows it; a field without a value is missing. */
import { type Row, toRow } from '../rows.ts'
import { emailKey } from './values.ts'

export interface User {
  json: Row
  etag: string
  /** Undefined if the user has none. */
  password: string | undefined
}

export interface Access {
  /** Without the product and the user. */
  json: Row
  user: string
  product: string
  etag: string
}

export interface Token {
  id: string
  json: Row
  /** Undefined if no response has shown it. */
  secret: string | undefined
  scopes: readonly string[]
  /** Replaced secrets, and when they end. */
  older: { secret: string | undefined; until: number }[]
}

/** The first success with an idempotency key. */
export interface Claim {
  body: Row
  /** The id in its path: of the record that it extends or reverts. */
  about: string
  /** The id of the record that the request made or extended. */
  record: string
  /** The first response and its ETag. Undefined if no response came. */
  text: string | undefined
  etag: string | null
  at: number
}

export interface Event {
  type: string
  data: Row
}

export interface SentEvent extends Event {
  at: number
  requestId: string | null
  actor: Row
}

export interface BulkChange {
  id: string
  filter: Row | null
  change: Row | null
  isDryRun: boolean
  reverts?: BulkChange
  revertedBy: string | null
  /** When it was created, by which request, and by whom: as its events show it. */
  at: number
  requestId: string | null
  actor: Row
  /** What each access that it has changed had before and afterwards. */
  changed: Map<string, { from: Row; to: Row }>
  /** The time zone of the store then, in which days and months are counted. */
  zone: string
  /** What changes of each access that it reaches, if nothing else happens after this event. */
  outcomes: Row[]
  since: number
}

export class State {
  readonly slug: string
  json: Row = {}
  readonly users = new Map<string, User>()
  readonly accesses = new Map<string, Access>()
  readonly products = new Map<string, Row>()
  /** The custom fields by their keys. */
  readonly fields = new Map<string, Row>()
  readonly tokens = new Map<string, Token>()
  readonly endpoints = new Map<string, Row>()
  /** When the replaced secrets of each endpoint end. */
  readonly secretEnds = new Map<string, number[]>()
  readonly claims = new Map<string, Claim>()
  readonly bulkChanges = new Map<string, BulkChange>()
  /** The fields of each user and access, by the ETag under which they were seen. */
  readonly seen = new Map<string, string>()
  /** The highest id that the store has drawn, as far as responses have shown it. */
  lastId = 0
  /** The events of requests that the feed has not shown yet, in their order. */
  readonly events: SentEvent[] = []
  /** The events that the feed has shown, also those that are deleted by now. The first has the id 1, and no id is missing. */
  readonly feed: Row[] = []
  /** The id of the oldest event that is kept. */
  oldest = 1
  /** When the fields of the store were changed. */
  changedAt = 0
  /** All stores of the service that are known, by their ids. */
  readonly stores = new Map<string, Row>()
  /** The operators whom requests to the reference have created. */
  readonly operators = new Map<string, { json: Row; secret: string }>()
  readonly operatorEvents: SentEvent[] = []

  /** How many rows of a search a client has read, by the search and its cursor. */
  readonly cursors = new Map<string, number>()

  constructor(slug: string) {
    this.slug = slug
  }

  get suspended(): boolean {
    return this.json['suspended'] === true
  }

  /** The same records, for what must change nothing. */
  copy(): State {
    const copy = new State(this.slug)
    Object.assign(copy, { json: this.json, lastId: this.lastId })
    for (const [name, value] of Object.entries(this))
      if (value instanceof Map) Object.assign(copy, { [name]: new Map(value) })
    return copy
  }

  /** An email belongs to one user, whatever its letter case. */
  userWithEmail(email: unknown): User | undefined {
    return [...this.users.values()].find(({ json }) => emailKey(json['email']) === emailKey(email))
  }

  accessOf(user: unknown, product: unknown): Access | undefined {
    return [...this.accesses.values()].find((access) => access.user === user && access.product === product)
  }

  /** An access as a response shows it. */
  accessJson({ json, user, product }: Access): Row {
    const { name, last_name, external_id = null, email } = this.users.get(user)?.json ?? {}
    const { slug, type, name: productName, expiration_days } = this.products.get(product) ?? {}
    return {
      ...json,
      expiration_days: expiration_days ?? undefined,
      product: { id: product, slug, type, name: productName },
      user: { id: user, name, last_name, external_id, email },
    }
  }

  /** An erasure deletes the accesses of the user, too. */
  erase(id: string): void {
    this.users.delete(id)
    for (const [access, { user }] of this.accesses) if (user === id) this.accesses.delete(access)
  }
}

/** The time zone of the store. */
export const zoneOf = ({ json: { time_zone: zone } }: State) => (typeof zone === 'string' ? zone : 'UTC')

export const iso = (ms: number) => new Date(ms).toISOString()

/** Sets fields of a record; null or undefined removes one. */
export function withFields(json: Row, set: Row): Row {
  return Object.fromEntries(Object.entries({ ...json, ...set }).filter(([, value]) => value != null))
}

/** The fields that a change gives another value, as an event shows them. */
export function changesOf(before: Row, set: Row): Row {
  const names = Object.keys(set).filter((name) => JSON.stringify(set[name]) !== JSON.stringify(before[name] ?? null))
  return Object.fromEntries(names.map((name) => [name, { from: before[name] ?? null, to: set[name] }]))
}

/** The end of an access in milliseconds since the epoch: infinite if it has no due date. */
export function endOf({ access_due_date: due }: Row): number {
  return typeof due === 'string' ? Date.parse(due) : Infinity
}

/** An access is in force up to the millisecond of its date. */
export function isInForce({ json }: Access, now: number): boolean {
  return json['status'] === 'with_access' && endOf(json) >= now
}

export const idOf = (json: unknown) => String(toRow(json)['id'])
