/** What the examined store must contain, as its JSON shows it. The examiner is its only client, so it knows everything. */
import { isOpen } from '../contract.ts'
import { type Row, toRow } from '../rows.ts'

export interface UserModel {
  /** As on v1. A field without a value is missing. */
  json: Row
  etag: string
  /** Null if it is unknown. */
  password: string | undefined | null
}

export interface AccessModel {
  /** Without the product and the user. */
  json: Row
  user: string
  product: string
  etag: string
}

export interface TokenModel {
  id: string
  json: Row
  secret: string | undefined
  scopes: readonly string[]
  /** Replaced secrets, and when they end. */
  older: { secret: string; until: number }[]
}

export interface ClaimModel {
  body: string
  /** The first response. */
  text: string
  etag: string | null
  record: string
  at: number
}

export interface ExpectedEvent {
  type: string
  data: Row
}

export interface SentEvent extends ExpectedEvent {
  at: number
  requestId: string | null
  actor: Row
}

export class StoreModel {
  readonly slug: string
  json: Row = {}
  suspended = false
  readonly users = new Map<string, UserModel>()
  readonly accesses = new Map<string, AccessModel>()
  readonly products = new Map<string, Row>()
  readonly fields = new Map<string, Row>()
  readonly tokens = new Map<string, TokenModel>()
  readonly endpoints = new Map<string, Row>()
  readonly claims = new Map<string, ClaimModel>()
  /** The ids of bulk changes, and when they were created. */
  readonly bulkChanges = new Map<string, number>()
  /** Those of them that were reverted. */
  readonly revertedBulkChanges = new Set<string>()
  /** The fields of each user and access, by the ETag under which they were seen. */
  readonly states = new Map<string, string>()
  events: SentEvent[] = []

  constructor(slug: string) {
    this.slug = slug
  }

  userWithEmail(email: unknown): UserModel | undefined {
    return [...this.users.values()].find(({ json }) => keyOf(json['email']) === keyOf(email))
  }

  accessOf(user: unknown, product: unknown): AccessModel | undefined {
    return [...this.accesses.values()].find((access) => access.user === user && access.product === product)
  }

  /** An access as a response shows it. */
  accessJson({ json, user, product }: AccessModel): Row {
    const { name, last_name, external_id = null, email } = this.users.get(user)?.json ?? {}
    const { slug, type, name: productName, expiration_days } = this.products.get(product) ?? {}
    return {
      ...json,
      expiration_days: expiration_days ?? undefined,
      product: { id: product, slug, type, name: productName },
      user: { id: user, name, last_name, external_id, email },
    }
  }

  eraseUser(id: string): void {
    this.users.delete(id)
    for (const [access, { user }] of this.accesses) if (user === id) this.accesses.delete(access)
  }
}

const keyOf = (email: unknown) => String(email).toLowerCase()

export const iso = (ms: number) => new Date(ms).toISOString()

/** A user's JSON on v3, from that on v1. */
export function toV3({ json }: UserModel): Row {
  const { id, phone = '', avatar = '', country = '', external_id = '', custom_fields = {} } = json
  const { name, last_name, role, email, language, created_at, updated_at } = json
  const always = { name, last_name, role, email, language, created_at, updated_at }
  const fields = { field1: '', ...toRow(custom_fields) }
  return { ...always, id: Number(id), phone, avatar, country, external_id, custom_fields: fields }
}

/** Sets fields of a record; null or undefined removes one. */
export function withFields(json: Row, set: Row): Row {
  return Object.fromEntries(Object.entries({ ...json, ...set }).filter(([, value]) => value != null))
}

/** The end of an access in milliseconds since the epoch: infinite if it has no due date. */
export function endOf({ access_due_date: due }: Row): number {
  return typeof due === 'string' ? Date.parse(due) : Infinity
}

/** An access is in force up to the millisecond of its date. */
export function isInForce({ json }: AccessModel, now: number): boolean {
  return isOpen(json['status']) && endOf(json) >= now
}
