import * as z from 'zod/mini'
import { formatDateTime, formatNullableDateTime } from '../../lib/date-time.ts'
import { numberOf } from '../../db/ids.ts'
import { getOwnToken, type OwnToken } from './own-token.ts'
import { rotateOwnToken } from './rotate-token.ts'
import { requireCurrentSecret, tokenKey } from '../../http/middleware/bearer.ts'
import { Hono } from '../../http/hono.ts'
import { contextOf } from '../../http/request-context.ts'
import { noQuery, optionalBody } from '../../http/middleware/validate.ts'
import { lazy } from '../../lib/lazy.ts'
import { ROTATION } from '../../limits.ts'
import { integer, optional } from '../../formats/values.ts'

/** A caller who ended its own secret at once would be locked out if the response got lost. */
const ownRotationBody = lazy(() => z.strictObject({ overlap_hours: optional(integer(1, ROTATION.maxOverlapHours)) }))

export function toOwnToken(row: OwnToken) {
  return {
    id: String(numberOf(row.id)),
    store_id: row.store_slug,
    store: {
      id: row.store_slug,
      name: row.store_name,
      language: row.store_language,
      time_zone: row.store_time_zone,
    },
    name: row.name,
    scopes: row.scopes.split(' '),
    created_at: formatDateTime(row.created_at),
    expires_at: formatNullableDateTime(row.expires_at),
    last_used_at: formatNullableDateTime(row.last_used_at),
  }
}

export const token = new Hono()
  .get('/token', noQuery(), async (c) => c.json(toOwnToken(await getOwnToken(c.get('db'), contextOf(c)))))
  .post('/token/rotate', requireCurrentSecret(), optionalBody(ownRotationBody), async (c) => {
    const { overlap_hours = ROTATION.overlapHours } = c.req.valid('json')
    const { row, token: secret } = await rotateOwnToken(c.get('db'), contextOf(c), {
      key: tokenKey(c.env),
      overlap_hours,
    })
    return c.json({ ...toOwnToken(row), token: secret })
  })
