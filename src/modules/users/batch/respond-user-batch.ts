import type * as z from 'zod/mini'
import type { Context } from '../../../http/hono.ts'
import { isOperator } from '../../../change/request.ts'
import { createUsers } from './create-users.ts'
import { isObject } from '../../../lib/json.ts'
import { CUSTOM_FIELDS } from '../../../limits.ts'
import type { Item } from '../../../formats/batches.ts'
import { ApiError } from '../../../http/errors/api-error.ts'
import { batchUser, hasNestedAccesses, type usersBatchBody } from './batch-schemas.ts'
import { losslessFieldOfItems, losslessProblems } from '../../../http/lossless-numbers.ts'
import { hashWithinQuota } from '../passwords/password-quota.ts'
import { contextOf } from '../../../http/request-context.ts'
import { respondBatch } from '../../../http/respond/batch.ts'

/**
 * Nested accesses require a second scope. This runs before the body is validated: a caller without the scope gets
 * `insufficient_scope`, whatever else is wrong.
 */
export function requireScopeOfAccesses(c: Context, body: Record<string, unknown>): void {
  if (isOperator(c.get('caller').id) || !hasNestedAccesses(body)) return
  c.set('requiredScopes', [...c.get('requiredScopes'), 'product_accesses:write'])
}

export async function respondUserBatch(
  c: Context,
  body: z.output<ReturnType<typeof usersBatchBody>>,
): Promise<Response> {
  const { dry_run: isDryRun = false, on_existing: onExisting = 'fail', never_shorten: neverShorten = false } = body
  const items = body.items.map(withFewKeys)
  const losslessFields = await losslessFieldOfItems(c, items, 'custom_fields')
  let limited: ApiError | undefined
  const response = await respondBatch(c, {
    items,
    isDryRun,
    schema: batchUser(),
    check: (index) => losslessProblems(losslessFields[index]),
    process: (values) =>
      createUsers(c.get('db'), contextOf(c), {
        users: values.map((value, index) => {
          if (!value) return undefined
          const { password, custom_fields, product_accesses = [], ...user } = value
          return {
            user: { ...user, custom_fields: custom_fields && losslessFields[index] },
            product_accesses,
            hasPassword: password !== undefined,
          }
        }),
        onExisting,
        neverShorten,
        isDryRun,
        async hashPassword(index) {
          try {
            return await hashWithinQuota(c, values[index]?.password ?? '')
          } catch (error) {
            if (!(error instanceof ApiError) || error.code !== 'rate_limited') throw error
            limited = error
            return undefined
          }
        },
      }),
  })
  // The errors of items have no headers, and theirs say to wait as Retry-After says.
  for (const [name, value] of Object.entries(limited?.headers ?? {})) response.headers.set(name, value)
  return response
}

/**
 * Leaves one custom field more than the schema accepts: each check lists them, and to list the entries of an object with
 * 50,000 keys takes as long as a password hash.
 */
function withFewKeys(item: Item): Item {
  const { custom_fields } = item
  if (!isObject(custom_fields)) return item
  const keys = Object.keys(custom_fields)
  if (keys.length <= CUSTOM_FIELDS.keys) return item
  const few = keys.slice(0, CUSTOM_FIELDS.keys + 1).map((key) => [key, custom_fields[key]])
  return { ...item, custom_fields: Object.fromEntries(few) }
}
