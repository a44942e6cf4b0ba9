import { listCustomFields } from '../domain/stores/custom-fields.ts'
import { Hono } from '../http/hono.ts'
import { queryString } from '../http/middleware/validate.ts'
import { lazy } from '../lazy.ts'
import { requireScope } from '../http/middleware/bearer.ts'
import { contextOf } from '../http/request-context.ts'
import { toCustomField } from '../wire/users/custom-fields.ts'
import { customFieldKey } from '../wire/fields.ts'
import { pageQuery, toPage } from '../wire/pages.ts'

const listCustomFieldsQuery = lazy(() => pageQuery(customFieldKey()))

export const customFields = new Hono().get(
  '/:store_id/custom_fields',
  requireScope('products:read'),
  queryString(listCustomFieldsQuery),
  async (c) => c.json(toPage(await listCustomFields(c.get('db'), contextOf(c), c.req.valid('query')), toCustomField)),
)
