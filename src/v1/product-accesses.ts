import { Hono } from 'hono'
import * as z from 'zod'
import type { AppEnv } from '../context.ts'
import { ACCESS_STATUSES, updateProductAccess } from '../domain/product-accesses.ts'
import { jsonBody } from '../http/validate.ts'
import { authorize } from '../wire/authorize.ts'
import { dateTime, oneOf, parseId } from '../wire/fields.ts'
import { toProductAccess } from '../wire/product-accesses.ts'

/** What is left out keeps its value; a due date of null removes the limit. */
export const updateProductAccessBody = z.object({
  status: oneOf(ACCESS_STATUSES).optional(),
  access_due_date: dateTime.nullable().optional(),
})

export const productAccesses = new Hono<AppEnv>().put(
  '/:store_id/product_accesses/:id',
  authorize('product_accesses:write'),
  jsonBody(updateProductAccessBody),
  async (c) => {
    const row = await updateProductAccess(c.get('db'), {
      store_id: c.get('principal').store_id,
      id: parseId(c.req.param('id')),
      ...c.req.valid('json'),
    })
    return c.json(toProductAccess(row), 201)
  },
)
