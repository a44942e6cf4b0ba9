import type { Context } from 'hono'
import * as z from 'zod/mini'
import type { AppEnv } from '../context.ts'
import { createUsers } from '../domain/users/create-batch.ts'
import { ApiError } from '../wire/errors.ts'
import { MISSING } from './validate.ts'
import { isObject } from '../json.ts'
import { BATCH } from '../limits.ts'
import { lazy } from '../lazy.ts'
import { bodyAsWritten } from './lossless-numbers.ts'
import { respondBatch, batchBody, batchItems } from './batches.ts'
import { isOperator } from '../domain/change/context.ts'
import { contextOf } from './request-context.ts'
import { accessStatus, clearable, dateTimeText, optional, recordId, slugText, whereverThereIs } from '../wire/fields.ts'
import { hashWithinQuota } from './password-quota.ts'
import { newUserFields } from '../wire/user-fields.ts'

/** An access that comes along with a user: to a product, by its id or by its slug. */
export const broughtAccess = lazy(() =>
  z
    .strictObject(
      {
        product_id: optional(recordId()),
        slug: optional(slugText()),
        status: optional(accessStatus()),
        access_due_date: clearable(dateTimeText()),
      },
      { error: 'must be an object' },
    )
    .check(
      z.refine(({ product_id, slug }) => product_id != null || slug != null, {
        path: ['product_id'],
        params: MISSING,
        ...whereverThereIs(isObject),
      }),
      z.refine(({ product_id, slug }) => product_id == null || slug == null, {
        path: ['slug'],
        error: 'name the product by its id or by its slug',
        ...whereverThereIs(isObject),
      }),
    ),
)

/** A user of a batch: as in the single create, and the accesses that come along. */
export const batchUser = lazy(() =>
  z.object({
    ...newUserFields(),
    product_accesses: optional(
      z
        .array(broughtAccess(), { error: 'must be a list of objects' })
        .check(z.maxLength(BATCH.accessesOfUser, { error: `must name at most ${BATCH.accessesOfUser} products` })),
    ),
  }),
)

export const usersBatchBody = lazy(() =>
  z.extend(batchBody(), {
    items: batchItems().check(
      z.refine((items) => items.filter(bringsPassword).length <= BATCH.passwords, {
        error: `must bring at most ${BATCH.passwords} passwords`,
      }),
    ),
  }),
)

function bringsPassword({ password }: Record<string, unknown>): boolean {
  return password != null
}

function bringsAccesses({ product_accesses }: Record<string, unknown>): boolean {
  return product_accesses != null && !(Array.isArray(product_accesses) && product_accesses.length === 0)
}

/** Accesses that users bring ask for a scope of their own: it is missed before anything else in the body is judged. */
export function noteScopeOfAccesses(c: Context<AppEnv>, { items }: Record<string, unknown>): void {
  const caller = c.get('caller')
  const bringsAny = Array.isArray(items) && items.filter(isObject).some(bringsAccesses)
  if (bringsAny && !isOperator(caller.id)) c.set('caller', { ...caller, alsoNeeds: 'product_accesses:write' })
}

/** Creates, keeps or updates each of the users. */
export async function respondUsersBatch(
  c: Context<AppEnv>,
  body: z.output<ReturnType<typeof usersBatchBody>>,
): Promise<Response> {
  const { items, dry_run: isDryRun = false, on_existing: onExisting = 'fail' } = body
  const exact = await customFieldsAsWritten(c, items)
  return respondBatch(c, {
    items,
    isDryRun,
    schema: batchUser(),
    make: (values) =>
      createUsers(c.get('db'), {
        call: contextOf(c),
        users: values.map((value, index) => {
          if (!value) return undefined
          const { password, custom_fields, product_accesses = [], ...user } = value
          return {
            user: { ...user, custom_fields: custom_fields && exact(index, custom_fields) },
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

/** Tells the custom fields of an item with the digits that were sent. */
async function customFieldsAsWritten(c: Context<AppEnv>, items: Record<string, unknown>[]) {
  const hasNumber = items.some(({ custom_fields: fields }) =>
    Object.values(isObject(fields) ? fields : {}).some((value) => typeof value === 'number'),
  )
  const body = hasNumber ? await bodyAsWritten(c) : undefined
  const written: unknown[] = isObject(body) && Array.isArray(body['items']) ? body['items'] : []
  return (index: number, parsed: unknown): unknown => {
    const item = written[index]
    return isObject(item) ? item['custom_fields'] : parsed
  }
}
