/** zod/mini has only the message "Invalid input": clients get it if a schema has no explanation of its own. */
import { describe, expect, it } from 'vitest'
import type { ZodMiniObject } from 'zod/mini'
import { app } from '../../src/app.ts'
import { requirementsOf } from '../../src/http/route-requirements.ts'
import { batchUser, nestedAccess } from '../../src/modules/users/batch/batch-schemas.ts'

/** Of every route, whose operations for operators have the same; and of what a batch consists of. */
const schemas = new Map<ZodMiniObject, string>([
  [batchUser(), 'an item of a batch'],
  [nestedAccess(), 'an access of an item'],
])
for (const { method, path, handler } of app.routes) {
  const { body, query } = requirementsOf(handler)
  for (const schema of [body?.(), query?.()]) {
    if (schema && !schemas.has(schema)) schemas.set(schema, `${method} ${path}`)
  }
}

const fields = [...schemas].flatMap(([schema, of]) => Object.keys(schema.shape).map((field) => ({ of, field, schema })))

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
