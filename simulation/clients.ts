/**
 * Clients as integrators are. Each does one thing after another, by a script that the seed has written; what it was
 * told is judged at once where one answer suffices, else by the checker of histories (linearize.ts) and at the end.
 */
import { grant, readAccess, setProgress, trespass, update, updateIfMatch } from './client-accesses.ts'
import {
  changeUser,
  createBatch,
  createContested,
  createFresh,
  createV3,
  eraseUser,
  replay,
  reuseKey,
} from './client-users.ts'
import * as contract from './contract.ts'
import { describe, type History, type Told } from './history.ts'
import type { Random } from './random.ts'
import type { World } from './world.ts'

export interface Store {
  id: string
  tokens: string[]
  products: string[]
  endpoint: string
  users: Set<string>
  /** The first is what many work on, and nobody erases its user. */
  accesses: string[]
  /** Of each access its user. */
  owners: Map<string, string>
  /** Whom somebody was told to be erased, or may have been. */
  erasures: { user: string; email: string; told: Told }[]
  /** Keys that were sent, each with its only body and the first answer to it. */
  keys: { key: string; token: string; user: contract.NewUser; answer?: string }[]
}

export interface Client {
  name: string
  store: Store
  /** Somebody else's: what may not be reached. */
  other: Store
  world: World
  history: History
}

type Step = (client: Client, name: string, random: Random) => Promise<void>

export const STEPS = {
  create: createFresh,
  createContested,
  createV3,
  replay,
  reuseKey,
  update,
  updateIfMatch,
  setProgress,
  readAccess,
  grant,
  trespass,
  enableEndpoint,
  changeUser,
  eraseUser,
  createBatch,
  renewToken,
} satisfies Record<string, Step>

const WEIGHTS: Record<keyof typeof STEPS, number> = {
  create: 4,
  createContested: 4,
  createV3: 1,
  replay: 3,
  reuseKey: 1,
  update: 6,
  updateIfMatch: 4,
  setProgress: 2,
  readAccess: 3,
  grant: 2,
  trespass: 1,
  enableEndpoint: 1,
  changeUser: contract.OFFERS.changeableUsers ? 3 : 0,
  eraseUser: contract.OFFERS.changeableUsers ? 2 : 0,
  createBatch: contract.OFFERS.batches ? 2 : 0,
  renewToken: contract.OFFERS.liveTokens ? 1 : 0,
}

/** The whole script of one client; what is in `without` is thought about and not done. */
export async function runClient(client: Client, steps: number, without: ReadonlySet<string>): Promise<void> {
  for (let i = 0; i < steps; i++) {
    const name = `${client.name}.${i}`
    const random = client.world.random.stream(name)
    await client.world.sleep(random.chance(0.5) ? random.between(0, 50) : random.between(0, 20_000))
    const kind = random.weighted(WEIGHTS)
    if (!without.has(name)) await STEPS[kind](client, `${name} ${kind}`, random)
  }
}

/** An operator gives a token a new secret, or revokes it and makes another; the old secret is tried at once. */
async function renewToken({ store, history }: Client, name: string, random: Random): Promise<void> {
  const made = await history.ask(`${name} make`, contract.createToken(store.id))
  const { id, token: secret } = made.json
  if (typeof id !== 'string' || typeof secret !== 'string') return
  const isRotation = random.chance(0.5)
  const ask = isRotation ? contract.rotateToken(store.id, id) : contract.revokeToken(store.id, id)
  const told = await history.persist(name, ask, () => {})
  if (told.status !== (isRotation ? 200 : 204)) return
  const tried = await history.ask(`${name} try`, contract.followEvents(store.id, secret, 1))
  if (tried.status !== undefined && tried.status < 500 && tried.status !== 401) {
    history.violations.push(`an ended secret is good: ${describe(tried)}`)
  }
}

/** An operator does, whether it is disabled or not. */
export async function enableEndpoint(
  { store, history }: Pick<Client, 'store' | 'history'>,
  name: string,
): Promise<void> {
  const told = await history.persist(name, contract.enableEndpoint(store.id, store.endpoint), () => {})
  if (told.end !== Infinity && told.status !== 200) history.violations.push(`an endpoint: ${describe(told)}`)
}

/** Reads a store's events page by page, and keeps what it has read. */
export async function follow(client: Client, isOver: () => boolean): Promise<string[]> {
  const { store, world, history, name } = client
  const read: string[] = []
  let after: string | undefined
  for (let page = 0; ; page++) {
    const random = world.random.stream(`${name}.${page}`)
    const isLast = isOver()
    const ask = contract.followEvents(store.id, store.tokens[0] ?? '', 1 + random.below(30), after)
    const { status, json } = await history.ask(`${name}.${page}`, ask)
    const { data, next } = json
    const ids = Array.isArray(data) ? data.map((event) => String(event.id)) : []
    read.push(...ids)
    after = ids.at(-1) ?? after
    if (isLast && status === 200 && next === null) return read
    if (next === null || status !== 200) await world.sleep(random.between(100, 8000))
  }
}
