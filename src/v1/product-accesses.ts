import { Hono } from 'hono'
import * as z from 'zod'
import type { AppEnv } from '../context.ts'
import { updateProductAccess } from '../domain/product-access-changes.ts'
import { ACCESS_STATUSES } from '../domain/product-accesses.ts'
import { jsonBody } from '../http/validate.ts'
import { authorize } from '../wire/authorize.ts'
import { causeOf } from '../wire/cause.ts'
import { expectedVersions } from '../wire/etag.ts'
import { dateTime, oneOf, parseId } from '../wire/fields.ts'
import { answerProductAccess } from '../wire/product-accesses.ts'

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
    const id = parseId(c.req.param('id'))
    const changed = await updateProductAccess(c.get('db'), {
      store_id: c.get('principal').store_id,
      id,
      versions: expectedVersions(c.req.header('If-Match'), id),
      cause: causeOf(c),
      ...c.req.valid('json'),
    })
    return answerProductAccess(c, { ...changed, status: 201 })
  },
)
