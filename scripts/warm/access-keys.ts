/** Stands in for Cloudflare Access: publishes the key that signs its assertions, at first with an error. */
import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'

export const AUDIENCE = 'warm'
const KEY_ID = 'warm'
/** Long enough for many requests to wait for the same fetch. */
const DELAY_MS = 300

export interface AccessKeys {
  issuer: string
  /** From now on, the keys can be fetched. */
  publish: () => void
  /** An assertion for this email, valid for an hour. */
  assertionFor: (email: string) => string
  stop: () => void
}

export async function startAccessKeys(): Promise<AccessKeys> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const keys = JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: KEY_ID, alg: 'RS256' }] })
  let isPublished = false
  const server = createServer((_, response) => {
    setTimeout(() => response.writeHead(isPublished ? 200 : 500).end(isPublished ? keys : 'error'), DELAY_MS)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  const issuer = `http://127.0.0.1:${address.port}`
  return {
    issuer,
    publish: () => {
      isPublished = true
    },
    assertionFor: (email) => {
      const claims = { iss: issuer, aud: [AUDIENCE], email, exp: Math.floor(Date.now() / 1000) + 3600 }
      const signed = `${encoded({ alg: 'RS256', kid: KEY_ID })}.${encoded(claims)}`
      return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`
    },
    stop: () => server.close(),
  }
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
