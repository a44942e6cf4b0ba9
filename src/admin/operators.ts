import * as z from 'zod/mini'
import type { AppEnv } from '../context.ts'
import { formatDateTime, formatNullableDateTime } from '../date-time.ts'
import { numberOf } from '../db/ids.ts'
import type { AccessToken } from '../db/schema.ts'
import { listAccessTokens } from '../domain/tokens/access-tokens.ts'
import { createOperator, findCallingOperator, revokeOperator, roleOf } from '../domain/operators/operators.ts'
import { type Role, ROLES } from '../domain/tokens/scopes.ts'
import { Hono } from '../http/hono.ts'
import { jsonBody, noQuery, queryString } from '../http/validate.ts'
import { LENGTH } from '../limits.ts'
import { lazy } from '../lazy.ts'
import { requireRoot, tokenKey } from '../http/bearer.ts'
import { contextOf, numberInPath } from '../http/request-context.ts'
import { filledText, listQuery, oneOf } from '../wire/fields.ts'
import { toPage } from '../wire/pages.ts'

export const createOperatorBody = lazy(() =>
  z.strictObject({
    name: filledText(LENGTH.name),
    role: oneOf(ROLES),
  }),
)

export function toOperator(row: AccessToken) {
  return {
    id: String(numberOf(row.id)),
    name: row.name,
    role: roleOf(row),
    created_at: formatDateTime(row.created_at),
    revoked_at: formatNullableDateTime(row.revoked_at),
  }
}

/** The operator who sends the request; the root has no row. */
export function toCaller(row: AccessToken | undefined): { id: string | null; name: string; role: Role | 'root' } {
  if (row === undefined) return { id: null, name: 'root', role: 'root' }
  const { id, name, role } = toOperator(row)
  return { id, name, role }
}

export const operators = new Hono<AppEnv>()
  .post('/operators', requireRoot(), jsonBody(createOperatorBody), async (c) => {
    const { row, token } = await createOperator(c.get('db'), contextOf(c), {
      key: tokenKey(c.env),
      ...c.req.valid('json'),
    })
    return c.json({ ...toOperator(row), token }, 201)
  })
  .get('/operators', queryString(listQuery), async (c) => {
    return c.json(toPage(await listAccessTokens(c.get('db'), contextOf(c), c.req.valid('query')), toOperator))
  })
  .delete('/operators/:id', requireRoot(), noQuery(), async (c) => {
    await revokeOperator(c.get('db'), contextOf(c), numberInPath(c))
    return c.body(null, 204)
  })
  .get('/operator', noQuery(), async (c) => c.json(toCaller(await findCallingOperator(c.get('db'), contextOf(c)))))
