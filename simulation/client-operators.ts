/**
 * What operators do with tokens, other operators and a whole store. They do it in a store of its own, so that
 * nobody else is locked out; its tokens, too, are histories that must have an order.
 */
import type { Client, KnownToken, Token } from './client.ts'
import * as contract from './contract.ts'
import { describe, type Told } from './history.ts'
import type { Random } from './random.ts'

/** The good secrets; an unknown one where nobody was told it. */
export type TokenState = { newest: string; older: string[] } | 'revoked' | null
const UNKNOWN = '?'
const MAX_OLDER = 3

export const tokenKey = (store: string, id: string) => `token ${store} ${id}`
const suspensionKey = (store: string) => `suspension of ${store}`

/** Makes a token, gives it new secrets or revokes it, and tries what it knows. */
export async function renewToken(client: Client, name: string, random: Random): Promise<void> {
  const { quarantine, history } = client
  const made = await history.ask(`${name} make`, contract.createToken(quarantine.id))
  const { id, token: secret } = made.json
  if (typeof id !== 'string' || typeof secret !== 'string') return
  const key = tokenKey(quarantine.id, id)
  history.record<TokenState>(key, made, (state) => (state === null ? [{ newest: secret, older: [] }] : []))
  const token = { id, secret }
  const known: KnownToken = { token, olderSecrets: [] }
  quarantine.tokens.push(known)
  for (let i = 0; i < 1 + random.below(3); i++) {
    if (random.chance(0.3)) await revoke(client, `${name} revoke ${i}`, token)
    else await rotate(client, `${name} rotate ${i}`, known, random.pick([0, 1, 24]))
    await tryToken(client, `${name} try ${i}`, token.id, random.pick([token.secret, ...known.olderSecrets]))
  }
}

async function revoke({ quarantine, history }: Client, name: string, { id }: Token): Promise<void> {
  await history.persist(name, contract.revokeToken(quarantine.id, id), (told) =>
    history.record<TokenState>(tokenKey(quarantine.id, id), told, (state) => {
      if (state === null) return []
      return told.end === Infinity || (told.status === 204) === (state !== 'revoked') ? ['revoked'] : []
    }),
  )
}

async function rotate(
  { quarantine, history }: Client,
  name: string,
  known: KnownToken,
  overlap: number,
): Promise<void> {
  const { token, olderSecrets } = known
  await history.persist(name, contract.rotateToken(quarantine.id, token.id, overlap), (told) => {
    learnRotation(told, (apply) => history.record<TokenState>(tokenKey(quarantine.id, token.id), told, apply), overlap)
    if (told.status !== 200) return
    olderSecrets.push(token.secret)
    token.secret = String(told.json['token'])
  })
}

function learnRotation(told: Told, record: (apply: (state: TokenState) => TokenState[]) => void, overlap: number) {
  const newest = told.status === 200 ? String(told.json['token']) : UNKNOWN
  record((state) => {
    if (state === null || state === 'revoked') return told.status === 404 ? [state] : []
    const isFull = overlap > 0 && state.older.length >= MAX_OLDER
    if (told.status === 422) return isFull ? [state] : []
    if (isFull || (told.end !== Infinity && told.status !== 200)) return []
    return [{ newest, older: overlap === 0 ? [] : [...state.older, state.newest] }]
  })
}

/** Any token of the quarantine, mostly one of the newest, with any secret that it had. */
export async function useToken(client: Client, name: string, random: Random): Promise<void> {
  const { tokens } = client.quarantine
  if (tokens.length === 0) return
  const { token, olderSecrets } = random.pick(random.chance(0.7) ? tokens.slice(-2) : tokens)
  await tryToken(client, name, token.id, random.pick([token.secret, ...olderSecrets]))
}

async function tryToken({ quarantine, history }: Client, name: string, id: string, secret: string): Promise<void> {
  const told = await history.ask(name, contract.readToken(secret))
  if (told.end === Infinity) return
  history.record<TokenState>(tokenKey(quarantine.id, id), told, (state) => {
    const isGood = state !== null && state !== 'revoked' && [state.newest, ...state.older].includes(secret)
    return isGood === (told.status !== 401) ? [state] : []
  })
  if (told.status === 401) return
  history.record<boolean | null>(suspensionKey(quarantine.id), told, (state) =>
    (state === true) === (told.json['code'] === 'store_suspended') ? [state] : [],
  )
}

/** Ends every token of the quarantine: of which ones that is true is known at the end. */
export async function revokeAll(client: Client, name: string, random: Random): Promise<void> {
  const { quarantine, history } = client
  await history.persist(name, contract.revokeAllTokens(quarantine.id), (told) => quarantine.revocations.push(told))
  for (let i = 0; i < 3; i++) await useToken(client, `${name} try ${i}`, random)
}

export function recordRevocations({ quarantine, history }: Pick<Client, 'quarantine' | 'history'>): void {
  for (const { token } of [...quarantine.former, ...quarantine.tokens]) {
    for (const told of quarantine.revocations) {
      history.record<TokenState>(tokenKey(quarantine.id, token.id), told, (state) => [state && 'revoked'])
    }
  }
}

export async function suspend(client: Client, name: string, random: Random): Promise<void> {
  const { quarantine, history } = client
  const isSuspended = random.chance(0.5)
  await history.persist(name, contract.suspendStore(quarantine.id, isSuspended), (told) =>
    history.record<boolean | null>(suspensionKey(quarantine.id), told, () => [isSuspended]),
  )
  await useToken(client, `${name} try`, random)
}

/** The root makes an operator and revokes him, who does before and afterwards what he may and may not. */
export async function useOperator(client: Client, name: string, random: Random): Promise<void> {
  const { history, quarantine } = client
  const role = random.pick(['viewer', 'admin'])
  const made = await history.ask(`${name} make`, contract.createOperator(role))
  const { id, token } = made.json
  if (typeof id !== 'string' || typeof token !== 'string') return
  const expect = (told: Told, ...statuses: number[]) => {
    if (told.end !== Infinity && !statuses.includes(told.status ?? 0)) {
      history.violations.push(`an operator: ${describe(told)}`)
    }
  }
  expect(await history.ask(`${name} read`, contract.whoAsks(token)), 200)
  const changed = await history.ask(`${name} change`, contract.changeNothing(quarantine.id, token))
  expect(changed, role === 'viewer' ? 403 : 200)
  const revoked = await history.persist(`${name} revoke`, contract.revokeOperator(id), (told) => expect(told, 204, 404))
  if (revoked.isRefused || revoked.status === 204) {
    expect(await history.ask(`${name} try`, contract.whoAsks(token)), 401)
  }
}
