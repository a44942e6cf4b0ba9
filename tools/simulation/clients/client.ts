/** What a client is, and what it knows about a store. */
import type { ApiRequest, Place } from '../contract.ts'
import type { ClientWorld } from './client-world.ts'
import type { History } from './history.ts'
import type { Random } from '../world/random.ts'

export interface Token {
  id: string
  /** The newest secret that a response has shown. Older ones are also valid. */
  secret: string
}

export interface Endpoint {
  id: string
  url: string
  types: string[] | undefined
  /** A secret is undefined if no response has shown it. `overlapHours` is how long the previous secret stays valid. */
  secrets: { secret: string | undefined; since: number; overlapHours: number }[]
  deletedAt?: number
  /** The ids of the events that an operator has redelivered, of any type. */
  redelivered: Set<string>
}

/** An idempotency key that was sent, with its only request. */
export interface SentKey {
  key: string
  /** The same key may be used for each operation. */
  operation: 'v1' | 'v3' | 'grant' | 'extend'
  token: Token
  toRequest: (secret: string) => ApiRequest
  hasResponse?: boolean
}

export interface Store {
  id: string
  place: Place
  tokens: Token[]
  products: string[]
  /** Endpoints that are never deleted. */
  endpoints: Endpoint[]
  /** Endpoints that were deleted, or are about to be. */
  formerEndpoints: Endpoint[]
  users: Set<string>
  /** A user who is never erased and keeps its email. Its password changes. */
  permanentUser: { id: string; email: string }
  /** The first is the permanent user's. Most steps use it, so that they compete. */
  accesses: string[]
  /** The unique marker in each user's data. */
  markers: Map<string, string>
  keys: SentKey[]
}

export interface KnownToken extends Token {
  olderSecrets: string[]
}

/**
 * A separate store whose tokens are rotated and revoked, and which is suspended. In a shared store, this would lock out
 * all other clients.
 */
export interface Quarantine {
  id: string
  place: Place
  tokens: KnownToken[]
}

export interface Client {
  name: string
  store: Store
  /** Another store, whose records the client must not reach. */
  other: Store
  /** A store that only the examiner uses (exam/). */
  examined: Store
  /** The store in which tokens are revoked and the store is suspended. */
  quarantine: Quarantine
  world: ClientWorld
  history: History
}

export type Step = (client: Client, name: string, random: Random) => Promise<void>
