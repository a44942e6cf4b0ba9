import * as z from 'zod/mini'
import { formatDateTime, formatNullableDateTime } from '../../lib/date-time.ts'
import { numberOf } from '../../db/ids.ts'
import { createOperator, updateOperator } from './write-operators.ts'
import {
  findCallingOperator,
  listOperators,
  type OperatorRecord,
  revokeOperator,
  roleOf,
  storesOf,
} from './operators.ts'
import { type Role, ROLES } from '../../auth/scopes.ts'
import { Hono } from '../../http/hono.ts'
import { jsonBody, noQuery, optionalBody, queryString } from '../../http/middleware/validate.ts'
import { LENGTH, MAX_OPERATOR_STORES } from '../../limits.ts'
import { lazy } from '../../lib/lazy.ts'
import { allowAnyOperator, requireRoot, tokenKey } from '../../http/middleware/bearer.ts'
import { examineInTurn } from '../../http/middleware/turns.ts'
import { contextOf, numberInPath } from '../../http/request-context.ts'
import { clearable, emailAddress, filledText, listOf, oneOf, optional, slugText } from '../../formats/values.ts'
import { listQuery, toPage } from '../../formats/pages.ts'

const storeList = lazy(() => listOf(slugText(), { noun: 'store', max: MAX_OPERATOR_STORES }))

const createOperatorBody = lazy(() =>
  z.strictObject({
    name: filledText(LENGTH.name),
    role: oneOf(ROLES),
    email: optional(emailAddress()),
    stores: optional(storeList()),
  }),
)

const updateOperatorBody = lazy(() =>
  z.strictObject({
    name: z.optional(filledText(LENGTH.name)),
    role: z.optional(oneOf(ROLES)),
    email: clearable(emailAddress()),
    stores: clearable(storeList()),
  }),
)

export function toOperator(row: OperatorRecord) {
  return {
    id: String(numberOf(row.id)),
    name: row.name,
    role: roleOf(row),
    email: row.email,
    stores: storesOf(row),
    created_at: formatDateTime(row.created_at),
    revoked_at: formatNullableDateTime(row.revoked_at),
    last_used_at: formatNullableDateTime(row.last_used_at),
  }
}

interface CallingOperator {
  id: string | null
  name: string
  role: Role | 'root'
  email: string | null
  stores: string[] | null
}

/** The operator who sends the request; the root has no row. */
export function toCaller(row: OperatorRecord | undefined): CallingOperator {
  if (row === undefined) return { id: null, name: 'root', role: 'root', email: null, stores: null }
  const { id, name, role, email, stores } = toOperator(row)
  return { id, name, role, email, stores }
}

export const operators = new Hono()
  .post('/operators', requireRoot(), jsonBody(createOperatorBody), async (c) => {
    const { name, role, email, stores } = c.req.valid('json')
    const input = { key: tokenKey(c.env), name, role, email, stores }
    const { row, token } = await createOperator(c.get('db'), contextOf(c), input)
    return c.json({ ...toOperator(row), token }, 201)
  })
  .get('/operators', queryString(listQuery), async (c) => {
    // Each may have a hundred stores, whose names are looked up.
    const found = await examineInTurn(c, () => listOperators(c.get('db'), contextOf(c), c.req.valid('query')))
    return c.json(toPage(found, toOperator))
  })
  .patch('/operators/:id', requireRoot(), optionalBody(updateOperatorBody), async (c) => {
    const { name, role, email, stores } = c.req.valid('json')
    const input = { number: numberInPath(c), name, role, email, stores }
    return c.json(toOperator(await updateOperator(c.get('db'), contextOf(c), input)))
  })
  .delete('/operators/:id', requireRoot(), noQuery(), async (c) => {
    await revokeOperator(c.get('db'), contextOf(c), numberInPath(c))
    return c.body(null, 204)
  })
  .get('/operator', allowAnyOperator(), noQuery(), async (c) =>
    c.json(toCaller(await findCallingOperator(c.get('db'), contextOf(c)))),
  )
