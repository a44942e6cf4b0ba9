import { Hono } from 'hono'
import type { AppEnv } from '../context.ts'
import { formatDateTime, formatNullableDateTime } from '../date-time.ts'
import type { AccessToken } from '../db/schema.ts'
import { getAccessToken } from '../domain/access-tokens.ts'
import { authorize } from '../wire/authorize.ts'

function toToken(row: AccessToken) {
  return {
    store_id: row.store_id,
    name: row.name,
    scopes: row.scopes.split(' '),
    created_at: formatDateTime(row.created_at),
    expires_at: formatNullableDateTime(row.expires_at),
    last_used_at: formatNullableDateTime(row.last_used_at),
  }
}

/** Asking is not using: nothing is written. */
export const token = new Hono<AppEnv>().get('/token', authorize(), async (c) => {
  return c.json(toToken(await getAccessToken(c.get('db'), c.get('principal').token_id)))
})
