import { createHmac } from 'node:crypto'

/** HMAC-SHA-256. A text begins with what the MAC is for, such as `token:`, so that none can stand for another. */
export function macOf(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url')
}
