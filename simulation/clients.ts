/**
 * Clients as integrators are. Each does one thing after another, by a script that the seed has written; what it was
 * told is judged at once where one answer suffices, else by the checker of histories (linearize.ts) and at the end.
 */
import * as accesses from './client-accesses.ts'
import * as batches from './client-batches.ts'
import * as endpoints from './client-endpoints.ts'
import * as operators from './client-operators.ts'
import * as creates from './client-creates.ts'
import * as users from './client-users.ts'
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

export interface Client {
  name: string
  store: Store
  /** Somebody else's: what may not be reached. */
  other: Store
  /** Where tokens are revoked and the store is suspended. */
  quarantine: operators.Quarantine
  world: World
  history: History
}

export type Step = (client: Client, name: string, random: Random) => Promise<void>

const STEPS: Record<string, [weight: number, step: Step]> = {
  create: [4, creates.createFresh],
  createContested: [4, creates.createContested],
  createV3: [1, creates.createV3],
  replay: [3, creates.replay],
  reuseKey: [1, creates.reuseKey],
  changeUser: [4, users.changeUser],
  moveUser: [1, users.moveUser],
  eraseUser: [2, users.eraseUser],
  changePassword: [1, users.changePassword],
  verifyPassword: [1, users.verifyPassword],
  update: [6, accesses.update],
  updateIfMatch: [4, accesses.updateIfMatch],
  setProgress: [2, accesses.setProgress],
  readAccess: [2, accesses.readAccess],
  grant: [3, accesses.grant],
  trespass: [1, accesses.trespass],
  createUsers: [2, batches.createUsers],
  grantAccesses: [1, batches.grantAccesses],
  renewToken: [1, operators.renewToken],
  useToken: [1, operators.useToken],
  revokeAll: [0.4, operators.revokeAll],
  suspend: [0.5, operators.suspend],
  useOperator: [0.5, operators.useOperator],
  enableEndpoint: [1, endpoints.enableSome],
  rotateSecret: [0.5, endpoints.rotateSome],
  borrowEndpoint: [0.5, endpoints.borrowEndpoint],
  redeliver: [0.5, endpoints.redeliver],
  testEndpoint: [0.2, endpoints.testEndpoint],
}

const WEIGHTS = Object.fromEntries(Object.entries(STEPS).map(([kind, [weight]]) => [kind, weight]))

export interface Script {
  /** The numbers of its first and behind its last step. */
  from: number
  to: number
  /** What is thought about and not done. */
  without: ReadonlySet<string>
}

export async function runClient(client: Client, { from, to, without }: Script): Promise<void> {
  for (let i = from; i < to; i++) {
    const name = `${client.name}.${i}`
    const random = client.world.random.stream(name)
    await client.world.sleep(random.chance(0.5) ? random.between(0, 50) : random.between(0, 20_000))
    const kind = random.weighted(WEIGHTS)
    const [, step] = STEPS[kind] ?? []
    if (step && !without.has(name)) await step(client, `${name} ${kind}`, random)
  }
}
