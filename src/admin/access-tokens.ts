import { Hono } from 'hono'
import * as z from 'zod'
import type { AppEnv } from '../context.ts'
import { formatDateTime, formatNullableDateTime } from '../date-time.ts'
import { numberOf } from '../db/ids.ts'
import type { AccessToken } from '../db/schema.ts'
import { createAccessToken, listAccessTokens } from '../domain/access-tokens.ts'
import { DEFAULT_SCOPES, SCOPES } from '../domain/scopes.ts'
import { jsonBody, queryString } from '../http/validate.ts'
import { LENGTH } from '../limits.ts'
import { tokenKey } from '../wire/bearer.ts'
import { callOf } from '../wire/call.ts'
import { dateTimeText, filledText, optional, pageQuery, recordId, someOf } from '../wire/fields.ts'
import { toPage } from '../wire/pages.ts'

const expiresAt = dateTimeText.refine((time) => time > Date.now(), { error: 'must lie in the future' })

export const createAccessTokenBody = z.strictObject({
  name: filledText(LENGTH.name),
  scopes: optional(someOf(SCOPES, 'scope')),
  expires_at: optional(expiresAt),
})

export const listAccessTokensQuery = pageQuery(recordId)

export function toAccessToken(row: AccessToken) {
  return {
    id: String(numberOf(row.id)),
    name: row.name,
    scopes: row.scopes.split(' '),
    created_at: formatDateTime(row.created_at),
    expires_at: formatNullableDateTime(row.expires_at),
    revoked_at: formatNullableDateTime(row.revoked_at),
  }
}

export const accessTokens = new Hono<AppEnv>()
  .post('/:store_id/tokens', jsonBody(createAccessTokenBody), async (c) => {
    const { name, scopes = DEFAULT_SCOPES, expires_at = null } = c.req.valid('json')
    const { row, token } = await createAccessToken(c.get('db'), {
      call: callOf(c),
      key: tokenKey(c.env),
      name,
      scopes: scopes.join(' '),
      expires_at,
    })
    return c.json({ ...toAccessToken(row), token }, 201)
  })
  .get('/:store_id/tokens', queryString(listAccessTokensQuery), async (c) => {
    return c.json(toPage(await listAccessTokens(c.get('db'), callOf(c), c.req.valid('query')), toAccessToken))
  })
