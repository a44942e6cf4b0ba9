import * as z from 'zod/mini'
import { formatDateTime, formatNullableDateTime } from '../../lib/date-time.ts'
import { numberOf } from '../../db/ids.ts'
import type { AccessToken } from '../../db/schema/stores.ts'
import { createAccessToken, listAccessTokens, updateAccessToken, revokeAccessToken } from './access-tokens.ts'
import { revokeAllAccessTokens } from './revoke-all-tokens.ts'
import { rotateAccessToken } from './rotate-token.ts'
import { DEFAULT_SCOPES, SCOPES } from '../../auth/scopes.ts'
import { Hono } from '../../http/hono.ts'
import { jsonBody, noBody, noQuery, optionalBody, queryString } from '../../http/middleware/validate.ts'
import { LENGTH, ROTATION } from '../../limits.ts'
import { lazy } from '../../lib/lazy.ts'
import { tokenKey } from '../../http/middleware/bearer.ts'
import { contextOf, numberInPath } from '../../http/request-context.ts'
import { clearable, dateTimeText, filledText, optional, rotationBody, someOf } from '../../formats/values.ts'
import { listQuery, toPage, listOrder } from '../../formats/pages.ts'

const scopeList = lazy(() => someOf(SCOPES, 'scope'))

const futureDateTime = lazy(() =>
  dateTimeText().check(z.refine((time) => time > Date.now(), { error: 'must lie in the future' })),
)

const createAccessTokenBody = lazy(() =>
  z.strictObject({
    name: filledText(LENGTH.name),
    scopes: optional(scopeList()),
    expires_at: optional(futureDateTime()),
  }),
)

const updateAccessTokenBody = lazy(() =>
  z.strictObject({
    name: z.optional(filledText(LENGTH.name)),
    scopes: z.optional(scopeList()),
    expires_at: clearable(futureDateTime()),
  }),
)

const listAccessTokensQuery = lazy(() => z.object({ order: listOrder(), ...listQuery().shape }))

export function toAccessToken(row: AccessToken) {
  return {
    id: String(numberOf(row.id)),
    name: row.name,
    scopes: row.scopes.split(' '),
    created_at: formatDateTime(row.created_at),
    expires_at: formatNullableDateTime(row.expires_at),
    revoked_at: formatNullableDateTime(row.revoked_at),
    last_used_at: formatNullableDateTime(row.last_used_at),
  }
}

export const accessTokens = new Hono()
  .post('/:store_id/tokens', jsonBody(createAccessTokenBody), async (c) => {
    const { name, scopes = DEFAULT_SCOPES, expires_at = null } = c.req.valid('json')
    const { row, token } = await createAccessToken(c.get('db'), contextOf(c), {
      key: tokenKey(c.env),
      name,
      scopes: scopes.join(' '),
      expires_at,
    })
    return c.json({ ...toAccessToken(row), token }, 201)
  })
  .get('/:store_id/tokens', queryString(listAccessTokensQuery), async (c) => {
    return c.json(toPage(await listAccessTokens(c.get('db'), contextOf(c), c.req.valid('query')), toAccessToken))
  })
  .patch('/:store_id/tokens/:id', optionalBody(updateAccessTokenBody), async (c) => {
    const { scopes, ...fields } = c.req.valid('json')
    const row = await updateAccessToken(c.get('db'), contextOf(c), {
      number: numberInPath(c),
      fields: { ...fields, scopes: scopes?.join(' ') },
    })
    return c.json(toAccessToken(row))
  })
  .post('/:store_id/tokens/:id/rotate', optionalBody(rotationBody), async (c) => {
    const { overlap_hours = ROTATION.overlapHours } = c.req.valid('json')
    const { row, token } = await rotateAccessToken(c.get('db'), contextOf(c), {
      key: tokenKey(c.env),
      number: numberInPath(c),
      overlap_hours,
    })
    return c.json({ ...toAccessToken(row), token })
  })
  .delete('/:store_id/tokens/:id', noQuery(), async (c) => {
    await revokeAccessToken(c.get('db'), contextOf(c), numberInPath(c))
    return c.body(null, 204)
  })
  .post('/:store_id/tokens/revoke_all', noBody(), async (c) => {
    return c.json({ revoked: await revokeAllAccessTokens(c.get('db'), contextOf(c)) })
  })
