import { createHmac } from 'node:crypto'

/**
 * HMAC-SHA-256 in base64url. The text begins with its purpose, such as `token:`; otherwise an HMAC made for one purpose
 * could be used for another.
 */
export function hmac(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url')
}
