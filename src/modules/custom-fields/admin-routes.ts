import * as z from 'zod/mini'
import { deleteCustomField, putCustomField } from './custom-fields.ts'
import type { Detail } from '../../http/errors/api-error.ts'
import { type Context, Hono } from '../../http/hono.ts'
import { echo } from '../../http/echo.ts'
import { noQuery, optionalBody } from '../../http/middleware/validate.ts'
import { LENGTH } from '../../limits.ts'
import { lazy } from '../../lib/lazy.ts'
import { contextOf } from '../../http/request-context.ts'
import { toCustomField } from './custom-field-json.ts'
import { customFieldKey, filledText, optional } from '../../formats/values.ts'

const putCustomFieldBody = lazy(() => z.strictObject({ label: optional(filledText(LENGTH.name)) }))

/** PUT writes the key, so an invalid one is an invalid parameter and not a 404. */
function keyProblems(c: Context): Detail[] {
  const value = c.req.param('key') ?? ''
  const issues = customFieldKey().safeParse(value).error?.issues ?? []
  return issues.map(({ message }) => ({ field: 'key', value: echo(['key'], value), explanation: message }))
}

/** The list is an operation of tokens too (src/modules/custom-fields/routes.ts). */
export const customFields = new Hono()
  .put('/:store_id/custom_fields/:key', optionalBody(putCustomFieldBody, { check: keyProblems }), async (c) => {
    const { label } = c.req.valid('json')
    const { row, isNew } = await putCustomField(c.get('db'), contextOf(c), { key: c.req.param('key'), label })
    return c.json(toCustomField(row), isNew ? 201 : 200)
  })
  .delete('/:store_id/custom_fields/:key', noQuery(), async (c) => {
    await deleteCustomField(c.get('db'), contextOf(c), c.req.param('key'))
    return c.body(null, 204)
  })
