import * as z from 'zod/mini'
import { formatDateTime } from '../../lib/date-time.ts'
import { numberOf } from '../../db/ids.ts'
import type { User } from '../../db/schema/stores.ts'
import { MAX_LENGTH } from './user-fields.ts'
import { Hono } from '../../http/hono.ts'
import { idempotencyKey } from '../../http/middleware/idempotency-key.ts'
import { customFieldProblems } from '../../http/lossless-numbers.ts'
import { jsonBody } from '../../http/middleware/validate.ts'
import { isObject, parseLossless } from '../../lib/json.ts'
import { CUSTOM_FIELDS, LENGTH } from '../../limits.ts'
import { lazy } from '../../lib/lazy.ts'
import { requireScope } from '../../http/middleware/bearer.ts'
import { respondCreateUser } from './respond-create-user.ts'
import { userEtag } from './user-json.ts'
import { anyText, emailAddress, filledText, MISSING, readAs, textWhere } from '../../formats/values.ts'
import { customFieldValues } from '../../formats/custom-field-values.ts'

const BUILT_IN_FIELD = 'field1'

const builtInValue = lazy(() => filledText(LENGTH.customFieldValue))

const customFieldsWithField1 = lazy(() =>
  customFieldValues().check(
    (context) => {
      const fields: unknown = context.value
      if (!isObject(fields)) return
      const input = Object.hasOwn(fields, BUILT_IN_FIELD) ? fields[BUILT_IN_FIELD] : undefined
      const path = [BUILT_IN_FIELD]
      if (input == null) {
        context.issues.push({ code: 'custom', params: MISSING, input, path })
        return
      }
      // Before the issues of the store's own fields: a response lists the fields in the order of the table.
      const issues = builtInValue().safeParse(input).error?.issues ?? []
      context.issues.unshift(...issues.map(({ message }) => ({ code: 'custom' as const, message, input, path })))
    },
    z.meta({
      type: 'object',
      required: [BUILT_IN_FIELD],
      maxProperties: CUSTOM_FIELDS.keys,
      properties: {
        [BUILT_IN_FIELD]: {
          type: 'string',
          minLength: 1,
          maxLength: LENGTH.customFieldValue,
          description: 'Any text; not blank.',
        },
      },
      additionalProperties: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }] },
    }),
  ),
)

const countryCode = lazy(() =>
  readAs(
    textWhere((value) => /^[A-Za-z]{2}$/.test(value), 'must be two letters').check(
      z.meta({ pattern: '^[A-Za-z]{2}$' }),
    ),
    (value) => value.toUpperCase(),
  ),
)

export const createUserBody = lazy(() =>
  z.object({
    name: filledText(LENGTH.name),
    last_name: filledText(LENGTH.name),
    email: emailAddress(),
    phone: filledText(MAX_LENGTH.phone),
    avatar: anyText(MAX_LENGTH.avatar),
    country: countryCode(),
    language: textWhere((value) => /^[A-Z]{2}$/.test(value), 'must be two upper-case letters').check(
      z.meta({ pattern: '^[A-Z]{2}$' }),
    ),
    password: filledText(LENGTH.password),
    external_id: filledText(MAX_LENGTH.external_id),
    custom_fields: customFieldsWithField1(),
  }),
)

/**
 * A user who was created on v3 has every field. v1 can clear a field afterwards, which is then an empty string here, and can
 * set field1 to a value that is not a string, which is then JSON text here.
 */
export function toUser(row: User) {
  return {
    id: numberOf(row.id),
    name: row.name,
    last_name: row.last_name,
    role: row.role,
    email: row.email,
    phone: row.phone ?? '',
    avatar: row.avatar ?? '',
    country: row.country ?? '',
    language: row.language,
    created_at: formatDateTime(row.created_at),
    updated_at: formatDateTime(row.updated_at),
    external_id: row.external_id ?? '',
    custom_fields: withField1(parseLossless(row.custom_fields ?? '{}')),
  }
}

function withField1(customFields: unknown): unknown {
  const values = isObject(customFields) ? customFields : {}
  const value = values[BUILT_IN_FIELD] ?? ''
  return { ...values, [BUILT_IN_FIELD]: typeof value === 'string' ? value : JSON.stringify(value) }
}

export const users = new Hono().post(
  '/users',
  requireScope('users:write'),
  idempotencyKey(),
  jsonBody(createUserBody, { check: customFieldProblems, ignoresUnknownParameters: true }),
  (c) =>
    respondCreateUser(c, {
      operation: 'v3.users.create',
      body: c.req.valid('json'),
      builtInFields: [BUILT_IN_FIELD],
      toJson: toUser,
      toEtag: userEtag,
    }),
)
