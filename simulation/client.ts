/** Who a client is, and what it knows of a store. */
import type { Access, Ask } from './contract.ts'
import type { History, Told } from './history.ts'
import type { Random } from './random.ts'
import type { World } from './world.ts'

export interface Token {
  id: string
  /** The newest that anybody was told; the older ones are good, too. */
  secret: string
}

export interface Endpoint {
  id: string
  url: string
  types: string[] | undefined
  /** Undefined where no answer told it; and how long the one before it stays good. */
  secrets: { secret: string | undefined; since: number; overlapHours: number }[]
  deletedAt?: number
  /** The numbers of the events that an operator has had sent, of whatever type. */
  redelivered: Set<string>
}

/** A key that was sent, with its only request and the first answer to it. */
export interface SentKey {
  key: string
  token: Token
  ask: (secret: string) => Ask
  learn: (client: Client, told: Told) => void
  answer?: string
}

export interface Store {
  id: string
  tokens: Token[]
  /** With which all of them begin. */
  tokenPrefix: string
  products: string[]
  /** Those that stay. */
  endpoints: Endpoint[]
  /** Those that were deleted. */
  formerEndpoints: Endpoint[]
  users: Set<string>
  /** Whose e-mail stays, and whose password changes. */
  keeper: { id: string; email: string }
  /** The first is what many work on: the keeper's. */
  accesses: string[]
  /** Of each access whose it is, and to what. */
  owners: Map<string, { user: string; product: string }>
  /** Of each user the mark that nobody else's data has. */
  marks: Map<string, string>
  /** Of each user the e-mails that he had at any time. */
  emails: Map<string, Set<string>>
  /** Whom somebody was told to be erased, or may have been. */
  erasures: { user: string; told: Told }[]
  /** Replays of a create whose user was gone. */
  vainReplays: Told[]
  /** Batches that may have changed whoever had the e-mail, or the access of a user to a product: no answer told. */
  blindUpdates: { email: string; told: Told }[]
  blindGrants: { user: string; product: string; set: Partial<Access>; told: Told }[]
  keys: SentKey[]
}

export interface KnownToken {
  token: Token
  olderSecrets: string[]
}

/** A store whose tokens are renewed and revoked, and which is suspended: nobody else is locked out by that. */
export interface Quarantine {
  id: string
  tokens: KnownToken[]
  /** Those of before the holiday, whose older secrets have ended since. */
  former: KnownToken[]
  revocations: Told[]
}

export interface Client {
  name: string
  store: Store
  /** Somebody else's: what may not be reached. */
  other: Store
  /** Where tokens are revoked and the store is suspended. */
  quarantine: Quarantine
  world: World
  history: History
}

export type Step = (client: Client, name: string, random: Random) => Promise<void>
