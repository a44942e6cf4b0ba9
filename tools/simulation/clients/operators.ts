/**
 * Steps of operators that concern tokens, other operators and a whole store. They use a separate store (the
 * quarantine), because revoked tokens and a suspension would lock out all other clients.
 */
import type { Client, KnownToken } from './client.ts'
import * as contract from '../contract.ts'
import { describe, type Exchange } from './history.ts'
import type { Random } from '../world/random.ts'

/** Creates a token, rotates or revokes it, and tries the secrets that it has received. */
export async function renewToken(client: Client, name: string, random: Random): Promise<void> {
  const { quarantine, history } = client
  const created = await history.send(`${name} make`, contract.createToken(quarantine.id))
  const { id, token: secret } = created.json
  if (typeof id !== 'string' || typeof secret !== 'string') return
  const token: KnownToken = { id, secret, olderSecrets: [] }
  quarantine.tokens.push(token)
  for (let i = 0; i < 1 + random.below(3); i++) {
    if (random.chance(0.3)) await history.sendUntilKnown(`${name} revoke ${i}`, contract.revokeToken(quarantine.id, id))
    else await rotate(client, `${name} rotate ${i}`, token, random.pick([0, 1, 24]))
    await tryToken(client, `${name} try ${i}`, token, random)
  }
}

async function rotate({ quarantine, history }: Client, name: string, token: KnownToken, hours: number): Promise<void> {
  const { status, json } = await history.sendUntilKnown(name, contract.rotateToken(quarantine.id, token.id, hours))
  if (status !== 200) return
  token.olderSecrets.push(token.secret)
  token.secret = String(json['token'])
}

/** Uses a token with any secret that it has had. */
async function tryToken({ history }: Client, name: string, token: KnownToken, random: Random): Promise<void> {
  await history.send(name, contract.readToken(random.pick([token.secret, ...token.olderSecrets])))
}

/** Uses any token of the quarantine, mostly one of the newest. */
export async function useToken(client: Client, name: string, random: Random): Promise<void> {
  const { tokens } = client.quarantine
  if (tokens.length > 0)
    await tryToken(client, name, random.pick(random.chance(0.7) ? tokens.slice(-2) : tokens), random)
}

/** Revokes every token of the quarantine. */
export async function revokeAll(client: Client, name: string, random: Random): Promise<void> {
  const { quarantine, history } = client
  await history.sendUntilKnown(name, contract.revokeAllTokens(quarantine.id))
  for (let i = 0; i < 3; i++) await useToken(client, `${name} try ${i}`, random)
}

export async function suspend(client: Client, name: string, random: Random): Promise<void> {
  const { quarantine, history } = client
  await history.sendUntilKnown(name, contract.suspendStore(quarantine.id, random.chance(0.5)))
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
  const revoked = await history.sendUntilKnown(`${name} revoke`, contract.revokeOperator(id))
  expect(revoked, 204, 404)
  if (revoked.isRejected || revoked.status === 204) {
    expect(await history.send(`${name} try`, contract.readOwnOperator(token)), 401)
  }
}

/** Whoever watches the service asks from several places at once. No check waits for that of another one. */
export async function checkHealth({ history }: Client, name: string): Promise<void> {
  await Promise.all([1, 2, 3].map((place) => history.send(`${name} ${place}`, contract.checkHealth())))
}
