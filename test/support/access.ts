/**
 * A team of Cloudflare Access: a server that publishes keys, and assertions signed with them. The signer is written here
 * and not taken from the library that the service checks assertions with.
 */
import { inject } from 'vitest'
import type { Answer } from './openapi.ts'
import { call, type CallOptions, WITHOUT_QUOTA } from './api.ts'
import type { Reply } from './receiver.ts'

type Algorithm = 'RS256' | 'ES256'

const PARAMETERS = {
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  ES256: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
} as const

export interface SigningKey {
  id: string
  algorithm: Algorithm
  privateKey: CryptoKey
  /** As the team publishes it. */
  published: JsonWebKey & { kid: string }
}

export async function newKey(algorithm: Algorithm = 'RS256'): Promise<SigningKey> {
  const size = { modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }
  const pair: any = await crypto.subtle.generateKey({ ...PARAMETERS[algorithm], ...size }, true, ['sign', 'verify'])
  const jwk: any = await crypto.subtle.exportKey('jwk', pair.publicKey)
  const { key_ops: _ops, ext: _ext, ...published } = jwk
  const id = crypto.randomUUID()
  return {
    id,
    algorithm,
    privateKey: pair.privateKey,
    published: { ...published, kid: id, alg: algorithm, use: 'sig' },
  }
}

/** Signs with HMAC, as an attacker who knows only what is published could. */
export async function hmacKey(secret: BufferSource): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
}

const utf8 = new TextEncoder()

export function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

export const encodePart = (part: unknown) => base64url(utf8.encode(JSON.stringify(part)))

/** An assertion of these parts. Without a key, it has an empty signature. */
export async function assertionOf(header: object, payload: unknown, key?: CryptoKey): Promise<string> {
  const text = `${encodePart(header)}.${encodePart(payload)}`
  if (!key) return `${text}.`
  const parameters = key.algorithm.name === 'ECDSA' ? PARAMETERS.ES256 : key.algorithm.name
  return `${text}.${base64url(new Uint8Array(await crypto.subtle.sign(parameters, key, utf8.encode(text))))}`
}

export interface Team {
  /** The settings of a service behind this team. */
  bindings: { ACCESS_TEAM_DOMAIN: string; ACCESS_AUD: string }
  /** Sets what the team responds when it is asked for its keys. */
  publish: (...keys: SigningKey[]) => Promise<void>
  respond: (...replies: Reply[]) => Promise<void>
  /** How often the keys were fetched. */
  fetches: () => Promise<number>
  /** The claims of a valid assertion, in which `more` replaces some. */
  claims: (email: string, more?: object) => object
  sign: (key: SigningKey, claims: object | null, header?: object) => Promise<string>
}

/** Returns a team that no other test uses. It has published no keys yet. */
export function newTeam(): Team {
  const path = `/${crypto.randomUUID()}`
  const issuer = inject('receiver') + path
  const control = `${inject('receiver')}/control${path}/cdn-cgi/access/certs`
  const audience = crypto.randomUUID()
  const respond = async (...replies: Reply[]) => {
    await (await fetch(control, { method: 'PUT', body: JSON.stringify(replies) })).text()
  }
  return {
    bindings: { ACCESS_TEAM_DOMAIN: issuer, ACCESS_AUD: audience },
    publish: (...keys) => respond({ json: { keys: keys.map(({ published }) => published), public_certs: [] } }),
    respond,
    fetches: async () => (await (await fetch(control)).json<unknown[]>()).length,
    claims(email, more = {}) {
      const now = Math.floor(Date.now() / 1000)
      return { aud: [audience], email, exp: now + 600, iat: now, nbf: now, iss: issuer, type: 'app', ...more }
    },
    sign: (key, claims, header = {}) =>
      assertionOf({ alg: key.algorithm, kid: key.id, typ: 'JWT', ...header }, claims, key.privateKey),
  }
}

export type SignedOptions = CallOptions & { method?: string; path?: string }

/** Sends an assertion instead of a token to a service behind the team. */
export function sendAssertion(team: Team, assertion: string, options: SignedOptions = {}): Promise<Answer> {
  const { method = 'GET', path = '/admin/operator', headers, bindings, ...more } = options
  return call(method, path, {
    ...more,
    headers: { 'Cf-Access-Jwt-Assertion': assertion, ...headers },
    bindings: { ...WITHOUT_QUOTA, ...team.bindings, ...bindings },
  })
}
