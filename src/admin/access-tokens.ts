import { Hono } from 'hono'
import * as z from 'zod'
import type { AppEnv } from '../context.ts'
import { formatDateTime, formatNullableDateTime } from '../date-time.ts'
import type { AccessToken } from '../db/schema.ts'
import { createAccessToken, listAccessTokens, revokeAccessToken, SCOPES } from '../domain/access-tokens.ts'
import { ApiError } from '../errors.ts'
import { jsonBody, queryString } from '../http/validate.ts'
import { LENGTH } from '../limits.ts'
import { announce } from '../wire/announce.ts'
import { causeOf } from '../wire/cause.ts'
import { dateTime, filledText, id, optional, pageQuery, parseId, someOf } from '../wire/fields.ts'
import { toPage } from '../wire/pages.ts'
import { storePath } from './store-path.ts'

export const createAccessTokenBody = z.object({
  name: filledText(LENGTH.name),
  scopes: optional(someOf(SCOPES, 'scope')),
  expires_at: optional(dateTime.refine((time) => time > Date.now(), { error: 'must lie in the future' })),
})

export const listAccessTokensQuery = pageQuery(id)

function toAccessToken(row: AccessToken) {
  return {
    id: String(row.id),
    name: row.name,
    scopes: row.scopes.split(' '),
    created_at: formatDateTime(row.created_at),
    expires_at: formatNullableDateTime(row.expires_at),
    revoked_at: formatNullableDateTime(row.revoked_at),
  }
}

export const accessTokens = new Hono<AppEnv>()
  .post('/:store_id/tokens', jsonBody(createAccessTokenBody), storePath, async (c) => {
    const { name, scopes: wanted, expires_at } = c.req.valid('json')
    const { row, token } = await createAccessToken(c.get('db'), {
      store_id: c.req.param('store_id'),
      name,
      scopes: wanted ?? SCOPES,
      expires_at: expires_at ?? null,
      cause: causeOf(c),
    })
    announce(c)
    return c.json({ ...toAccessToken(row), token }, 201)
  })
  .get('/:store_id/tokens', queryString(listAccessTokensQuery), storePath, async (c) => {
    const found = await listAccessTokens(c.get('db'), { store_id: c.req.param('store_id'), ...c.req.valid('query') })
    return c.json(toPage(found, toAccessToken))
  })
  .delete('/:store_id/tokens/:id', storePath, async (c) => {
    const tokenId = parseId(c.req.param('id'))
    if (tokenId === undefined) throw new ApiError('not_found')
    await revokeAccessToken(c.get('db'), { store_id: c.req.param('store_id'), id: tokenId, cause: causeOf(c) })
    announce(c)
    return c.body(null, 204)
  })
