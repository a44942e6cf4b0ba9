/** Entity tags, strong: `"<id>-<event>"`, the record and the event of its last change (RFC 9110, 8.8.3 and 13.1.1). */
import type { Context } from 'hono'
import type { AppEnv } from '../context.ts'
import { numberOf } from '../db/ids.ts'

export function toEtag(id: number, changedBy: number): string {
  return `"${numberOf(id)}-${numberOf(changedBy)}"`
}

/**
 * The events of which one must be the record's last change, by their numbers; undefined where any will do. A weak
 * tag never matches, nor does what is no tag.
 */
export function expectedChanges(c: Context<AppEnv>, number: number): number[] | undefined {
  const ifMatch = c.req.header('If-Match')
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined
  const tags = ifMatch.split(',').map((tag) => /^"([1-9]\d{0,9})-([1-9]\d{0,9})"$/.exec(tag.trim()))
  return tags.flatMap((tag) => (tag && Number(tag[1]) === number ? [Number(tag[2])] : []))
}
