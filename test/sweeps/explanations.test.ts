/** zod/mini has only the message "Invalid input": clients get it if a schema has no explanation of its own. */
import { describe, expect, it } from 'vitest'
import type { ZodMiniObject } from 'zod/mini'
import * as accessTokens from '../../src/admin/access-tokens.ts'
import * as csvFiles from '../../src/admin/csv-files.ts'
import * as customFields from '../../src/admin/custom-fields.ts'
import * as operators from '../../src/admin/operators.ts'
import * as products from '../../src/admin/products.ts'
import * as stats from '../../src/admin/stats.ts'
import * as stores from '../../src/admin/stores.ts'
import * as webhookDeliveries from '../../src/v1/webhook-deliveries.ts'
import * as webhookEndpoints from '../../src/v1/webhook-endpoints.ts'
import * as historiesV1 from '../../src/v1/events.ts'
import * as productAccesses from '../../src/v1/product-accesses.ts'
import * as users from '../../src/v1/users.ts'
import * as usersV3 from '../../src/v3/users.ts'
import * as batches from '../../src/wire/batches.ts'
import * as bulkChanges from '../../src/wire/bulk-changes.ts'
import * as events from '../../src/wire/events.ts'
import * as userBatches from '../../src/wire/user-batches.ts'

const { batchUser, nestedAccess } = userBatches

const modules: Record<string, Record<string, any>> = {
  accessTokens,
  batches,
  bulkChanges,
  csvFiles,
  customFields,
  events,
  historiesV1,
  items: { batchUserBody: batchUser, nestedAccessBody: nestedAccess },
  operators,
  productAccesses,
  products,
  stats,
  stores,
  userBatches,
  users,
  usersV3,
  webhookDeliveries,
  webhookEndpoints,
}

const fields = Object.entries(modules).flatMap(([module, exports]) =>
  Object.keys(exports)
    .filter((name) => /(Body|Query)$/.test(name))
    .flatMap((name) => {
      const schema: ZodMiniObject = exports[name]()
      return Object.keys(schema.shape).map((field) => ({ of: `${module}.${name}`, field, schema }))
    }),
)

const values = [
  undefined,
  null,
  true,
  -1,
  1.5,
  1e9,
  Infinity,
  '',
  ' ',
  '-',
  '0',
  'a\0',
  '\ud800',
  'x'.repeat(3000),
].flatMap((value) => [
  value,
  [value],
  Array(101).fill(value),
  { key: value },
  [{ key: value }],
  [{ product_id: value }],
])

describe('A value that a schema rejects', () => {
  it.each(fields)('has an explanation of its own for $field in $of', ({ field, schema }) => {
    const explanations = values.flatMap((value) =>
      (schema.safeParse({ [field]: value }).error?.issues ?? [])
        .filter((issue) => issue.path[0] === field && issue.code !== 'unrecognized_keys')
        // A missing field returns 400 missing_parameter, whose message is not an explanation of the schema.
        .filter((issue) => !(issue.code === 'custom' && issue.params?.['missing'] === true))
        .map(({ message }) => message),
    )
    expect(explanations.length).toBeGreaterThan(0)
    expect(explanations.filter((text) => !/^(must|name|is not) /.test(text))).toEqual([])
  })
})
