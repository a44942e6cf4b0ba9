import { Hono } from 'hono'
import * as z from 'zod'
import type { AppEnv } from '../context.ts'
import { updateProductAccess } from '../domain/change-access.ts'
import { ACCESS_STATUSES } from '../domain/product-accesses.ts'
import { jsonBody } from '../http/validate.ts'
import { needs } from '../wire/bearer.ts'
import { callOf, numberInPath } from '../wire/call.ts'
import { expectedChanges } from '../wire/etags.ts'
import { dateTimeText, oneOf } from '../wire/fields.ts'
import { accessEtag, toProductAccess } from '../wire/product-accesses.ts'

/** What is left out keeps its value; a due date of null removes the limit. */
export const updateProductAccessBody = z.object({
  status: oneOf(ACCESS_STATUSES).optional(),
  access_due_date: dateTimeText.nullable().optional(),
})

export const productAccesses = new Hono<AppEnv>().put(
  '/:store_id/product_accesses/:id',
  needs('product_accesses:write'),
  jsonBody(updateProductAccessBody),
  async (c) => {
    const number = numberInPath(c)
    const row = await updateProductAccess(c.get('db'), {
      call: callOf(c),
      number,
      expected: expectedChanges(c, number),
      ...c.req.valid('json'),
    })
    return c.json(toProductAccess(row), 201, { ETag: accessEtag(row) })
  },
)
