/**
 * Steps of operators that concern tokens, other operators and a whole store. They use a separate store (the
 * quarantine), because revoked tokens and a suspension would lock out all other clients.
 */
import type { Client, KnownToken, Token } from './client.ts'
import * as contract from '../contract.ts'
import { describe, type Exchange } from './history.ts'
import type { Random } from '../world/random.ts'

/** The valid secrets. A secret that no response has shown is `UNKNOWN`. */
export type TokenState = { newest: string; older: string[] } | 'revoked' | null
const UNKNOWN = '?'
const MAX_OLDER = 3

export const tokenKey = (store: string, id: string) => `token ${store} ${id}`
const suspensionKey = (store: string) => `suspension of ${store}`

/** Creates a token, rotates or revokes it, and tries the secrets that it has received. */
export async function renewToken(client: Client, name: string, random: Random): Promise<void> {
  const { quarantine, history } = client
  const created = await history.send(`${name} make`, contract.createToken(quarantine.id))
  const { id, token: secret } = created.json
  if (typeof id !== 'string' || typeof secret !== 'string') return
  const key = tokenKey(quarantine.id, id)
  history.record<TokenState>(key, created, (state) => (state === null ? [{ newest: secret, older: [] }] : []))
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
  await history.sendUntilKnown(name, contract.revokeToken(quarantine.id, id), (exchange) =>
    history.record<TokenState>(tokenKey(quarantine.id, id), exchange, (state) => {
      if (state === null) return []
      return exchange.end === Infinity || (exchange.status === 204) === (state !== 'revoked') ? ['revoked'] : []
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
  await history.sendUntilKnown(name, contract.rotateToken(quarantine.id, token.id, overlap), (exchange) => {
    recordRotation(
      exchange,
      (apply) => history.record<TokenState>(tokenKey(quarantine.id, token.id), exchange, apply),
      overlap,
    )
    if (exchange.status !== 200) return
    olderSecrets.push(token.secret)
    token.secret = String(exchange.json['token'])
  })
}

function recordRotation(
  exchange: Exchange,
  record: (apply: (state: TokenState) => TokenState[]) => void,
  overlap: number,
) {
  const newest = exchange.status === 200 ? String(exchange.json['token']) : UNKNOWN
  record((state) => {
    if (state === null || state === 'revoked') return exchange.status === 404 ? [state] : []
    const isFull = overlap > 0 && state.older.length >= MAX_OLDER
    if (exchange.status === 422) return isFull ? [state] : []
    if (isFull || (exchange.end !== Infinity && exchange.status !== 200)) return []
    return [{ newest, older: overlap === 0 ? [] : [...state.older, state.newest] }]
  })
}

/** Uses any token of the quarantine, mostly one of the newest, with any secret that the token has had. */
export async function useToken(client: Client, name: string, random: Random): Promise<void> {
  const { tokens } = client.quarantine
  if (tokens.length === 0) return
  const { token, olderSecrets } = random.pick(random.chance(0.7) ? tokens.slice(-2) : tokens)
  await tryToken(client, name, token.id, random.pick([token.secret, ...olderSecrets]))
}

async function tryToken({ quarantine, history }: Client, name: string, id: string, secret: string): Promise<void> {
  const exchange = await history.send(name, contract.readToken(secret))
  if (exchange.end === Infinity) return
  history.record<TokenState>(tokenKey(quarantine.id, id), exchange, (state) => {
    const isValid = state !== null && state !== 'revoked' && [state.newest, ...state.older].includes(secret)
    return isValid === (exchange.status !== 401) ? [state] : []
  })
  if (exchange.status === 401) return
  history.record<boolean | null>(suspensionKey(quarantine.id), exchange, (state) =>
    (state === true) === (exchange.json['code'] === 'store_suspended') ? [state] : [],
  )
}

/** Revokes every token of the quarantine. Only at the end is it known which tokens existed (`recordRevocations`). */
export async function revokeAll(client: Client, name: string, random: Random): Promise<void> {
  const { quarantine, history } = client
  await history.sendUntilKnown(name, contract.revokeAllTokens(quarantine.id), (exchange) =>
    quarantine.revocations.push(exchange),
  )
  for (let i = 0; i < 3; i++) await useToken(client, `${name} try ${i}`, random)
}

export function recordRevocations({ quarantine, history }: Pick<Client, 'quarantine' | 'history'>): void {
  for (const { token } of [...quarantine.former, ...quarantine.tokens]) {
    for (const exchange of quarantine.revocations) {
      history.record<TokenState>(tokenKey(quarantine.id, token.id), exchange, (state) => [state && 'revoked'])
    }
  }
}

export async function suspend(client: Client, name: string, random: Random): Promise<void> {
  const { quarantine, history } = client
  const isSuspended = random.chance(0.5)
  await history.sendUntilKnown(name, contract.suspendStore(quarantine.id, isSuspended), (exchange) =>
    history.record<boolean | null>(suspensionKey(quarantine.id), exchange, () => [isSuspended]),
  )
  await useToken(client, `${name} try`, random)
}

/** The root creates and revokes an operator, whose requests must be allowed or rejected by role and revocation. */
export async function useOperator(client: Client, name: string, random: Random): Promise<void> {
  const { history, quarantine } = client
  const role = random.pick(['viewer', 'office', 'admin'])
  const created = await history.send(`${name} make`, contract.createOperator(role))
  const { id, token } = created.json
  if (typeof id !== 'string' || typeof token !== 'string') return
  const expect = (exchange: Exchange, ...statuses: number[]) => {
    if (exchange.end !== Infinity && !statuses.includes(exchange.status ?? 0)) {
      history.violations.push(`an operator got an unexpected response: ${describe(exchange)}`)
    }
  }
  expect(await history.send(`${name} read`, contract.readOwnOperator(token)), 200)
  const changed = await history.send(`${name} change`, contract.updateWithoutChange(quarantine.id, token))
  expect(changed, role === 'admin' ? 200 : 403)
  const revoked = await history.sendUntilKnown(`${name} revoke`, contract.revokeOperator(id), (exchange) =>
    expect(exchange, 204, 404),
  )
  if (revoked.isRejected || revoked.status === 204) {
    expect(await history.send(`${name} try`, contract.readOwnOperator(token)), 401)
  }
}
