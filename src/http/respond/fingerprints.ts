/**
 * HMACs of idempotency keys, requests and responses. They are keyed, so whoever reads the database or KV cannot test
 * guesses with them.
 */
import { jsonText } from '../../lib/json.ts'
import { hmac } from '../../lib/hmac.ts'

/**
 * An idempotency key as it is stored. Callers put order numbers and emails into their keys, and a claim outlives the
 * erasure of its user. Without the caller in it, whoever has a token and reads the database could test guesses of another
 * caller's keys by sending them.
 */
export function keyHmac(secret: string, callerId: number, key: string): string {
  return hmac(secret, `idempotency_key:${callerId}:${key}`)
}

/**
 * Equal for two bodies of one caller that are equal as parsed (`parseDigits`), also after the token was rotated. It may
 * contain a password, of which whoever has the fingerprint must not be able to test guesses.
 */
export function fingerprint(secret: string, callerId: number, body: unknown): string {
  return hmac(secret, `request:${callerId}:${jsonText(body, { sortKeys: true })}`)
}

/** Proves that a stored response belongs to the event that the key stands for: that of a new record has its id. */
export function responseMac(secret: string, claimed: number, response: string): string {
  return hmac(secret, `response:${claimed}:${response}`)
}
