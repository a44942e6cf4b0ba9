import { listCustomFields } from './custom-fields.ts'
import { Hono } from '../../http/hono.ts'
import { queryString } from '../../http/middleware/validate.ts'
import { lazy } from '../../lib/lazy.ts'
import { requireScope } from '../../http/middleware/bearer.ts'
import { contextOf } from '../../http/request-context.ts'
import { toCustomField } from './custom-field-json.ts'
import { customFieldKey } from '../../formats/values.ts'
import { pageQuery, toPage } from '../../formats/pages.ts'

const listCustomFieldsQuery = lazy(() => pageQuery(customFieldKey()))

export const customFields = new Hono().get(
  '/:store_id/custom_fields',
  requireScope('products:read'),
  queryString(listCustomFieldsQuery),
  async (c) => c.json(toPage(await listCustomFields(c.get('db'), contextOf(c), c.req.valid('query')), toCustomField)),
)
