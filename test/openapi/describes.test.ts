/** `tsc` fails when an unmatched description below compiles, because its @ts-expect-error is unused then. */
import { expect, it } from 'vitest'
import * as z from 'zod'
import { describes } from '../../src/openapi/describes.ts'

interface Shown {
  id: string
  phone: string | undefined
  grade: string | null
  custom_fields: unknown
  product: { id: string; due: string | null }
  scopes: string[]
}

const fields = {
  id: z.string(),
  phone: z.string().optional(),
  grade: z.string().nullable(),
  custom_fields: z.record(z.string(), z.string()).optional(),
  product: z.object({ id: z.string(), due: z.string().nullable() }),
  scopes: z.array(z.string()),
}

const describesShown = describes<Shown>()

it('a description that matches the type compiles', () => {
  const schema = z.object(fields)
  expect(describesShown(schema)).toBe(schema)
})

it('a missing or an additional key does not compile', () => {
  const { phone: _, ...withoutPhone } = fields
  const product = z.object({ id: z.string(), due: z.string().nullable(), n: z.int() })
  const refused = [
    // @ts-expect-error -- the type has a key that the description lacks
    describesShown(z.object(withoutPhone)),
    // @ts-expect-error -- the description has a key that the type lacks
    describesShown(z.object({ ...fields, email: z.string() })),
    // @ts-expect-error -- an additional key is wrong even when it is optional
    describesShown(z.object({ ...fields, email: z.string().optional() })),
    // @ts-expect-error -- a nested object has an additional key
    describesShown(z.object({ ...fields, product })),
  ]
  expect(refused).toHaveLength(4)
})

it('a different type does not compile', () => {
  const product = z.object({ id: z.string(), due: z.string() })
  const refused = [
    // @ts-expect-error -- the field has another type
    describesShown(z.object({ ...fields, id: z.int() })),
    // @ts-expect-error -- the type is narrower than the code promises
    describesShown(z.object({ ...fields, id: z.enum(['1']) })),
    // @ts-expect-error -- the field is never omitted
    describesShown(z.object({ ...fields, id: z.string().optional() })),
    // @ts-expect-error -- the field may be omitted
    describesShown(z.object({ ...fields, phone: z.string() })),
    // @ts-expect-error -- the field is omitted and never null
    describesShown(z.object({ ...fields, phone: z.string().nullable() })),
    // @ts-expect-error -- the field is null and never omitted
    describesShown(z.object({ ...fields, grade: z.string().optional() })),
    // @ts-expect-error -- the nested field may be null
    describesShown(z.object({ ...fields, product })),
    // @ts-expect-error -- the items have another type
    describesShown(z.object({ ...fields, scopes: z.array(z.int()) })),
  ]
  expect(refused).toHaveLength(8)
})

it('a missing or an additional member of a union does not compile', () => {
  const [first, last] = [z.object({ type: z.enum(['a', 'b']), n: z.number() }), z.object({ type: z.literal('c') })]
  const both = z.discriminatedUnion('type', [first, last])
  const describesEither = describes<{ type: 'a' | 'b'; n: number } | { type: 'c' }>()
  const refused = [
    // @ts-expect-error -- the member c is missing
    describesEither(first),
    // @ts-expect-error -- the member d does not exist
    describesEither(z.discriminatedUnion('type', [first, last, z.object({ type: z.literal('d') })])),
  ]
  expect(refused).toHaveLength(2)
  expect(describesEither(both)).toBe(both)
})
