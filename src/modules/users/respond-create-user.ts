import type { Context } from '../../http/hono.ts'
import type { User } from '../../db/schema/stores.ts'
import type { Operation } from '../../change/idempotency-claims.ts'
import { createUser, type NewUser } from './create-user.ts'
import { respondCreate } from '../../http/respond/create.ts'
import { losslessField } from '../../http/lossless-numbers.ts'
import { contextOf } from '../../http/request-context.ts'
import { hashWithinQuota } from './passwords/password-quota.ts'

interface CreateUserRequest {
  operation: Extract<Operation, `${string}.users.create`>
  body: NewUser & { password?: string | undefined }
  /** Custom fields that need not be defined in the store. */
  builtInFields?: readonly string[]
  /** The serializer of the version. */
  toJson: (user: User) => object
  toEtag?: (user: User) => string
}

export function respondCreateUser(c: Context, request: CreateUserRequest): Promise<Response> {
  const { builtInFields = [], body, ...response } = request
  const { password, ...user } = body
  return respondCreate(c, {
    ...response,
    create: async (key) => {
      const custom_fields = await losslessField(c, 'custom_fields', user.custom_fields)
      return createUser(c.get('db'), contextOf(c), {
        user: { ...user, custom_fields },
        key,
        builtInFields,
        hashPassword: password === undefined ? undefined : () => hashWithinQuota(c, password),
      })
    },
  })
}
