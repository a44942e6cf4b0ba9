import type { MiddlewareHandler } from '../hono.ts'
import { numberInPath } from '../request-context.ts'
import { withRequirements } from '../route-requirements.ts'

/**
 * Reads `If-Match`: the event numbers in the ETags of the record in the path, or undefined if the header is absent or `*`. Text
 * that is not a tag of the record matches no state.
 */
export function ifMatch(): MiddlewareHandler {
  return withRequirements({ headers: ['If-Match'] }, function ifMatch(c, next) {
    c.set('ifMatch', eventNumbers(c.req.header('If-Match'), numberInPath(c)))
    return next()
  })
}

/**
 * A weak tag counts as the strong one. Whoever compresses a response on its way weakens its tag, and Cloudflare's edge does
 * (https://developers.cloudflare.com/cache/reference/etag-headers/): without this, a client that accepts gzip could change
 * nothing. RFC 9110 (13.1.1) asks for a strong comparison because weak tags may name several states; these name one.
 */
const TAG = /^(?:W\/)?"([1-9]\d{0,9})-([1-9]\d{0,9})"$/

function eventNumbers(sent: string | undefined, number: number): number[] | undefined {
  if (sent === undefined || sent.trim() === '*') return undefined
  const tags = sent.split(',').map((tag) => TAG.exec(tag.trim()))
  return tags.flatMap((tag) => (tag && Number(tag[1]) === number ? [Number(tag[2])] : []))
}
