import type { AppEnv } from '../context.ts'
import { formatDateTime, formatNullableDateTime } from '../date-time.ts'
import { getOwnToken, type OwnToken } from '../domain/tokens/own-token.ts'
import { Hono } from '../http/hono.ts'
import { noQuery } from '../http/validate.ts'
import { contextOf } from '../http/request-context.ts'

export function toOwnToken(row: OwnToken) {
  return {
    store_id: row.store_slug,
    name: row.name,
    scopes: row.scopes.split(' '),
    created_at: formatDateTime(row.created_at),
    expires_at: formatNullableDateTime(row.expires_at),
    last_used_at: formatNullableDateTime(row.last_used_at),
  }
}

export const token = new Hono<AppEnv>().get('/token', noQuery(), async (c) =>
  c.json(toOwnToken(await getOwnToken(c.get('db'), contextOf(c)))),
)
