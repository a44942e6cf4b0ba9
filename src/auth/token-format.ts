/**
 * The text of a token: `rgs_` (`rgo_` for an operator), the number of its store, its own number, 256 random bits, and an
 * HMAC of all of that. So a typo, a guess or a forgery is rejected without a query.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { idOf, numberOf, storeOf } from '../db/ids.ts'
import { isOperator } from '../change/request.ts'
import { hmac } from '../lib/hmac.ts'

/** The random part of an access token: 256 bits. */
const TOKEN_SECRET_BYTES = 32

/** The minimum length of ADMIN_TOKEN, TOKEN_KEY and TOKEN_KEY_PREVIOUS, in characters. */
export const MIN_SECRET_LENGTH = 32

/** The secret and the HMAC-SHA-256 have 32 bytes each, which are 43 characters of base64url. */
const TOKEN = /^((rg[so])_(\d{1,7})_(\d{1,10})_([A-Za-z0-9_-]{43}))([A-Za-z0-9_-]{43})$/

/** True if the text has the prefix of a token, valid or not. */
export function isTokenLike(text: string): boolean {
  return /^rg[so]_/.test(text)
}

interface TokenKeys {
  TOKEN_KEY?: string | undefined
  TOKEN_KEY_PREVIOUS?: string | undefined
}

/** The keys that are set and long enough; the first one signs new tokens. Empty if TOKEN_KEY is unset or too short. */
export function usableKeys({ TOKEN_KEY, TOKEN_KEY_PREVIOUS }: TokenKeys): string[] {
  if (TOKEN_KEY === undefined || TOKEN_KEY.length < MIN_SECRET_LENGTH) return []
  const isLongEnough = (TOKEN_KEY_PREVIOUS ?? '').length >= MIN_SECRET_LENGTH
  return TOKEN_KEY_PREVIOUS && isLongEnough ? [TOKEN_KEY, TOKEN_KEY_PREVIOUS] : [TOKEN_KEY]
}

/**
 * The keys of fingerprints and other HMACs of requests, the newest first: the token keys. Without TOKEN_KEY only the
 * root can call the service, and ADMIN_TOKEN is used.
 */
export function requestSecrets(env: TokenKeys & { ADMIN_TOKEN?: string | undefined }): string[] {
  const keys = usableKeys(env)
  return keys.length > 0 ? keys : [env.ADMIN_TOKEN ?? '']
}

/** The random bits of a new token, and the hash that is stored. Nobody can guess 256 bits, so the hash may be fast. */
export function newSecret(): { bits: string; hash: string } {
  const bits = randomBytes(TOKEN_SECRET_BYTES).toString('base64url')
  return { bits, hash: hashOf(bits) }
}

/** The text of the token. Under the store number 0 it is an operator's. */
export function writeToken(key: string, id: number, bits: string): string {
  const text = `${isOperator(id) ? 'rgo' : 'rgs'}_${storeOf(id)}_${numberOf(id)}_${bits}`
  return text + hmac(key, `token:${text}`)
}

/** The id of the token's row and the hash of its bits; undefined if none of the keys has signed it. */
export function readToken(keys: string[], token: string): { id: number; hash: string } | undefined {
  const [, text = '', prefix, store, number, bits = '', mac = ''] = TOKEN.exec(token) ?? []
  if (!keys.some((key) => isEqual(mac, hmac(key, `token:${text}`)))) return undefined
  const id = idOf(Number(store), Number(number))
  return (prefix === 'rgo') === isOperator(id) ? { id, hash: hashOf(bits) } : undefined
}

function hashOf(bits: string): string {
  return createHash('sha256').update(bits).digest('hex')
}

const utf8 = new TextEncoder()

/** Compares in a time that does not reveal where the texts differ. */
export function isEqual(a: string, b: string): boolean {
  const [one, other] = [utf8.encode(a), utf8.encode(b)]
  const isAsLong = one.length === other.length
  return timingSafeEqual(one, isAsLong ? other : one) && isAsLong
}
