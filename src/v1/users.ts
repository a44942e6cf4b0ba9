import { Hono } from 'hono'
import * as z from 'zod'
import type { AppEnv } from '../context.ts'
import { isCountry } from '../domain/countries.ts'
import { idempotencyKey } from '../http/idempotency-key.ts'
import { jsonBody } from '../http/validate.ts'
import { LENGTH } from '../limits.ts'
import { authorize } from '../wire/authorize.ts'
import { answerCreateUser } from '../wire/create-user.ts'
import { definedCustomFields } from '../wire/custom-fields.ts'
import { customFields, email, filledText, language, optional, text, textWhere } from '../wire/fields.ts'
import { toUser } from '../wire/users.ts'

const country = textWhere((value) => isCountry(asciiUpperCase(value)), 'must be an ISO 3166-1 alpha-2 code')
  .meta({ minLength: 2, maxLength: 2 })
  .transform(asciiUpperCase)

/** The required three come from the operation's text (spec.md, User v1). */
export const createUserBody = z.object({
  name: filledText(LENGTH.name),
  last_name: filledText(LENGTH.name),
  email,
  phone: optional(text(LENGTH.phone)),
  country: optional(country),
  language: optional(language),
  external_id: optional(text(LENGTH.externalId)),
  avatar: optional(text(LENGTH.avatar)),
  custom_fields: optional(customFields),
  password: optional(filledText(LENGTH.password)),
})

export const users = new Hono<AppEnv>().post(
  '/:store_id/users',
  authorize('users:write'),
  idempotencyKey(),
  jsonBody(createUserBody, definedCustomFields()),
  (c) => {
    const { password, ...user } = c.req.valid('json')
    return answerCreateUser(c, {
      operation: 'v1.users.create',
      user: { ...user, language: user.language ?? c.get('principal').language },
      password,
      toJson: toUser,
    })
  },
)

/** Only ASCII: `ı`.toUpperCase() is `I`. */
function asciiUpperCase(value: string): string {
  return value.replace(/[a-z]/g, (letter) => letter.toUpperCase())
}
