import type { Context } from 'hono'
import type * as z from 'zod/mini'
import type { AppEnv } from '../context.ts'
import { isOperator } from '../domain/change/context.ts'
import { createUsers } from '../domain/users/create-batch.ts'
import { ApiError } from '../wire/errors.ts'
import { batchUser, hasNestedAccesses, type usersBatchBody } from '../wire/user-batches.ts'
import { losslessProblems } from './lossless-limits.ts'
import { losslessFieldOfItems } from './lossless-numbers.ts'
import { hashWithinQuota } from './password-quota.ts'
import { contextOf } from './request-context.ts'
import { respondBatch } from './respond-batch.ts'

/**
 * Nested accesses require a second scope. This runs before the body is validated: a caller without the scope gets
 * `insufficient_scope`, whatever else is wrong.
 */
export function requireScopeOfAccesses(c: Context<AppEnv>, body: Record<string, unknown>): void {
  if (isOperator(c.get('caller').id) || !hasNestedAccesses(body)) return
  c.set('requiredScopes', [...c.get('requiredScopes'), 'product_accesses:write'])
}

/** Creates, keeps or updates each of the users. */
export async function respondUserBatch(
  c: Context<AppEnv>,
  body: z.output<ReturnType<typeof usersBatchBody>>,
): Promise<Response> {
  const { items, dry_run: isDryRun = false, on_existing: onExisting = 'fail' } = body
  const losslessFields = await losslessFieldOfItems(c, items, 'custom_fields')
  return respondBatch(c, {
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
        isDryRun,
        hashPassword: (index) => hashIfWithinQuota(c, values[index]?.password ?? ''),
      }),
  })
}

async function hashIfWithinQuota(c: Context<AppEnv>, password: string): Promise<string | undefined> {
  try {
    return await hashWithinQuota(c, password)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'rate_limited') return undefined
    throw error
  }
}
