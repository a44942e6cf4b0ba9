/** HMACs of requests and responses. They are keyed, so whoever reads the database or KV cannot test guesses with them. */
import { jsonText } from '../../json.ts'
import { hmac } from '../hmac.ts'

/**
 * Equal for two bodies of one caller that are equal as parsed (`parseDigits`), also after the token was rotated. It may
 * contain a password, of which whoever has the fingerprint must not be able to test guesses.
 */
export function fingerprint(secret: string, callerId: number, body: unknown): string {
  return hmac(secret, `request:${callerId}:${jsonText(body, { sortKeys: true })}`)
}

/** Proves that a stored response belongs to this record. */
export function responseMac(secret: string, recordId: number, response: string): string {
  return hmac(secret, `response:${recordId}:${response}`)
}
