/** What must not compile; `tsc` fails where one of these does. */
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

it('takes a description that says what the type says', () => {
  const schema = z.object(fields)
  expect(describesShown(schema)).toBe(schema)
})

it('does not compile where a key is missing, or is one too many', () => {
  const { phone: _, ...withoutPhone } = fields
  const product = z.object({ id: z.string(), due: z.string().nullable(), n: z.int() })
  const refused = [
    // @ts-expect-error -- a key that is shown and not described
    describesShown(z.object(withoutPhone)),
    // @ts-expect-error -- a key that is described and not shown
    describesShown(z.object({ ...fields, email: z.string() })),
    // @ts-expect-error -- nor when it may be left out
    describesShown(z.object({ ...fields, email: z.string().optional() })),
    // @ts-expect-error -- nor deeper down
    describesShown(z.object({ ...fields, product })),
  ]
  expect(refused).toHaveLength(4)
})

it('does not compile where a type differs', () => {
  const product = z.object({ id: z.string(), due: z.string() })
  const refused = [
    // @ts-expect-error -- another type
    describesShown(z.object({ ...fields, id: z.int() })),
    // @ts-expect-error -- a narrower type than the code promises
    describesShown(z.object({ ...fields, id: z.enum(['1']) })),
    // @ts-expect-error -- never left out
    describesShown(z.object({ ...fields, id: z.string().optional() })),
    // @ts-expect-error -- may be left out
    describesShown(z.object({ ...fields, phone: z.string() })),
    // @ts-expect-error -- left out rather than null
    describesShown(z.object({ ...fields, phone: z.string().nullable() })),
    // @ts-expect-error -- null rather than left out
    describesShown(z.object({ ...fields, grade: z.string().optional() })),
    // @ts-expect-error -- may be null
    describesShown(z.object({ ...fields, product })),
    // @ts-expect-error -- other items
    describesShown(z.object({ ...fields, scopes: z.array(z.int()) })),
  ]
  expect(refused).toHaveLength(8)
})

it('does not compile where a union has a member more or less', () => {
  const [first, last] = [z.object({ type: z.enum(['a', 'b']), n: z.number() }), z.object({ type: z.literal('c') })]
  const both = z.discriminatedUnion('type', [first, last])
  const describesEither = describes<{ type: 'a' | 'b'; n: number } | { type: 'c' }>()
  const refused = [
    // @ts-expect-error -- c is missing
    describesEither(first),
    // @ts-expect-error -- d does not exist
    describesEither(z.discriminatedUnion('type', [first, last, z.object({ type: z.literal('d') })])),
  ]
  expect(refused).toHaveLength(2)
  expect(describesEither(both)).toBe(both)
})
