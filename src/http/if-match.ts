import type { Context } from 'hono'
import type { AppEnv } from '../context.ts'

/**
 * The event numbers of the ETags in `If-Match`; undefined if the header is absent or `*`. A weak tag, and text that is not a
 * tag, matches no record.
 */
export function readIfMatch(c: Context<AppEnv>, number: number): number[] | undefined {
  const sent = c.req.header('If-Match')
  if (sent === undefined || sent.trim() === '*') return undefined
  const tags = sent.split(',').map((tag) => /^"([1-9]\d{0,9})-([1-9]\d{0,9})"$/.exec(tag.trim()))
  return tags.flatMap((tag) => (tag && Number(tag[1]) === number ? [Number(tag[2])] : []))
}
