/** What the files of the reference have in common: a request, its outcome, and how an operation is described. */
import type { ApiRequest } from '../contract.ts'
import type { Row } from '../rows.ts'
import type { Event, State, Token } from './state.ts'
import type { Rule } from './values.ts'

export const ROLES = ['viewer', 'office', 'admin', 'root'] as const
export type Role = (typeof ROLES)[number]

/** Who sends a request. */
export interface Caller {
  secret: string | undefined
  /** As an event shows it. */
  actor: Row
  /** Of an operator. */
  role?: Role
  /** The only stores that an operator may use. */
  stores?: readonly string[]
  /** Of an integrator. */
  token?: Token
}

/**
 * What the service draws for a request: ids, tokens, ETags and cursors. The reference takes these over, and computes
 * everything else.
 */
export interface Drawn {
  /** The response; `{}`, without a text, if none came. */
  json: Row
  text?: string
  /** Of the record after the request. Empty if it is unknown. */
  etag: string
  /** What the response shows, where it can be the ETag of a later state. */
  shownEtag?: string | null
  requestId: string | null
  /** The events of the request, where the response does not show what was drawn. */
  events: Row[]
  /** True if the service sent its batch to the database twice, because it lost the first response. */
  wasResent?: boolean
}

/** A request on its way through the reference. */
export interface Call {
  request: ApiRequest
  caller: Caller
  version: 'v1' | 'v3' | 'admin'
  now: number
  drawn: Drawn
  /** In the path. */
  id: string
  body: Row
  query: Record<string, string | undefined>
}

/** What a response must be. */
export interface Outcome {
  status: number
  code?: string
  /** The fields that an error names. */
  fields?: string[]
  /** The fields of the response that are known; one that is undefined must be missing. */
  body?: Row
  /** The whole response. */
  text?: string
  /** The rows of a CSV file by the names of its columns. */
  file?: { rows: Row[]; separator: string }
  headers?: Record<string, string | null>
  /** What the request has changed. */
  events?: Event[]
  /** The id of the record that it has made. */
  record?: string
}

export interface Operation {
  /** Which a token needs. Undefined: every token may. */
  scope?: string
  /** The minimum role of an operator who may. */
  role: Role
  /** The fields of the body and the parameters of the query, in the order in which errors name them. */
  body?: Record<string, Rule>
  query?: Record<string, Rule>
  /** What fields say together. */
  check?: Rule
  /** The fields that a request must have. */
  required?: (body: Row) => string[]
  /** The operations of the specification ignore what they do not know. */
  ignoresUnknown?: boolean
  /** True if the operation goes on after its response. Such requests are not sent in large numbers. */
  takesTime?: boolean
  /** What accepts an idempotency key. */
  key?: 'v1' | 'v3' | 'grant' | 'extend' | 'bulk change' | 'revert'
  perform: (state: State, call: Call) => Outcome
}

export const invalid = (...fields: string[]): Outcome => ({ status: 422, code: 'invalid_parameter', fields })
export const notFound: Outcome = { status: 404, code: 'not_found' }

/** Ids are drawn from one rising sequence, so a new one is beyond all that the store has. */
export function newId(state: State, drawn: unknown): string {
  const id = String(drawn)
  const isNew = /^[1-9]\d*$/.test(id) && Number(id) > state.lastId
  if (isNew) state.lastId = Number(id)
  return isNew ? id : `an id beyond ${state.lastId}`
}

/** A new state of a record has a new ETag; without a change, it keeps its own. */
export function newEtag({ etag }: Drawn, before = ''): string {
  return /^("[^"]+")?$/.test(etag) && (etag === '' || etag !== before) ? etag : 'a strong ETag that is new'
}

/** The ETag of a record. A batch shows none, so that a read decides which one the record has. */
export function knownEtag(record: { etag: string }, drawn: Drawn): string {
  if (record.etag === '') record.etag = newEtag(drawn)
  return record.etag
}

/** True if `If-Match` allows the change of a record with this ETag. A weak tag counts as the strong one. */
export function isMatch({ request }: Call, etag: string): boolean {
  const tags = request.headers?.['If-Match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return !tags || tags.includes('*') || tags.includes(etag)
}

export const mismatch: Outcome = { status: 412, code: 'etag_mismatch' }
