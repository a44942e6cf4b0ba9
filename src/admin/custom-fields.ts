import { type Context, Hono } from 'hono'
import * as z from 'zod'
import type { AppEnv } from '../context.ts'
import { formatDateTime } from '../date-time.ts'
import type { CustomField } from '../db/schema.ts'
import { deleteCustomField, listCustomFields, putCustomField } from '../domain/custom-fields.ts'
import type { Detail } from '../errors.ts'
import { echo, jsonBody, queryString } from '../http/validate.ts'
import { LENGTH } from '../limits.ts'
import { customFieldKey, filledText, optional, pageQuery } from '../wire/fields.ts'
import { toPage } from '../wire/pages.ts'
import { storePath } from './store-path.ts'

export const putCustomFieldBody = z.object({ label: optional(filledText(LENGTH.name)) })

export const listCustomFieldsQuery = pageQuery(customFieldKey)

function toCustomField({ key, label, created_at }: CustomField) {
  return { key, label, created_at: formatDateTime(created_at) }
}

/** The key is a part of what PUT writes: a bad one is an invalid parameter, not a 404. */
function keyOfPath(c: Context<AppEnv>): Promise<Detail[]> {
  const value = c.req.param('key') ?? ''
  const issues = customFieldKey.safeParse(value).error?.issues ?? []
  return Promise.resolve(
    issues.map(({ message }) => ({ field: 'key', value: echo(['key'], value), explanation: message })),
  )
}

export const customFields = new Hono<AppEnv>()
  .put('/:store_id/custom_fields/:key', jsonBody(putCustomFieldBody, keyOfPath), storePath, async (c) => {
    const { row, isNew } = await putCustomField(c.get('db'), {
      ...c.req.param(),
      label: c.req.valid('json').label,
      now: c.get('now'),
    })
    return c.json(toCustomField(row), isNew ? 201 : 200)
  })
  .get('/:store_id/custom_fields', queryString(listCustomFieldsQuery), storePath, async (c) => {
    const found = await listCustomFields(c.get('db'), { store_id: c.req.param('store_id'), ...c.req.valid('query') })
    return c.json(toPage(found, toCustomField))
  })
  .delete('/:store_id/custom_fields/:key', storePath, async (c) => {
    await deleteCustomField(c.get('db'), c.req.param())
    return c.body(null, 204)
  })
