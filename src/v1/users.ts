import { Hono } from 'hono'
import * as z from 'zod'
import type { AppEnv } from '../context.ts'
import { isCountry } from '../domain/countries.ts'
import { idempotencyKey } from '../http/idempotency-key.ts'
import { jsonBody } from '../http/validate.ts'
import { LENGTH } from '../limits.ts'
import { needs } from '../wire/bearer.ts'
import { answerCreateUser } from '../wire/create-user.ts'
import {
  anyText,
  customFieldValues,
  emailAddress,
  filledText,
  optional,
  storeLanguage,
  textWhere,
} from '../wire/fields.ts'
import { toUser, userEtag } from '../wire/users.ts'

const country = textWhere((value) => isCountry(asciiUpperCase(value)), 'must be an ISO 3166-1 alpha-2 code')
  .meta({ minLength: 2, maxLength: 2 })
  .transform(asciiUpperCase)

/** The required three come from the operation's text (spec.md, User v1). */
export const createUserBody = z.object({
  name: filledText(LENGTH.name),
  last_name: filledText(LENGTH.name),
  email: emailAddress,
  phone: optional(anyText(LENGTH.phone)),
  country: optional(country),
  language: optional(storeLanguage),
  external_id: optional(anyText(LENGTH.externalId)),
  avatar: optional(anyText(LENGTH.avatar)),
  custom_fields: optional(customFieldValues),
  password: optional(filledText(LENGTH.password)),
})

export const users = new Hono<AppEnv>().post(
  '/:store_id/users',
  needs('users:write'),
  idempotencyKey(),
  jsonBody(createUserBody),
  (c) =>
    answerCreateUser(c, {
      operation: 'v1.users.create',
      body: c.req.valid('json'),
      toJson: toUser,
      toEtag: userEtag,
    }),
)

/** Only ASCII: `ı`.toUpperCase() is `I`. */
function asciiUpperCase(value: string): string {
  return value.replace(/[a-z]/g, (letter) => letter.toUpperCase())
}
