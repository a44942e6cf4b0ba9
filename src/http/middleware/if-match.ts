import type { MiddlewareHandler } from '../hono.ts'
import { numberInPath } from '../request-context.ts'
import { withRequirements } from '../route-requirements.ts'

/**
 * Reads `If-Match`: the event numbers in the ETags of the record in the path, or undefined if the header is absent or `*`. A
 * weak tag, and text that is not a tag, match no state.
 */
export function ifMatch(): MiddlewareHandler {
  return withRequirements({ header: 'If-Match' }, function ifMatch(c, next) {
    c.set('ifMatch', eventNumbers(c.req.header('If-Match'), numberInPath(c)))
    return next()
  })
}

function eventNumbers(sent: string | undefined, number: number): number[] | undefined {
  if (sent === undefined || sent.trim() === '*') return undefined
  const tags = sent.split(',').map((tag) => /^"([1-9]\d{0,9})-([1-9]\d{0,9})"$/.exec(tag.trim()))
  return tags.flatMap((tag) => (tag && Number(tag[1]) === number ? [Number(tag[2])] : []))
}
