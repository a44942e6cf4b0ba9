/** Most of this is checked by `tsc`, which fails if one of the `@ts-expect-error` lines compiles. */
import { expect, it } from 'vitest'
import { type Fields, integer, list, nullable, object, optional, text, time, TIME } from '../../src/openapi/fields.ts'

interface Shown {
  id: string
  phone: string | undefined
  grade: string | null
  custom_fields: unknown
  product: { id: string; due: string | null }
  scopes: string[]
}

const product = object<Shown['product']>({ id: text('', '4'), due: nullable(time('')) })

const fields: Fields<Shown> = {
  id: text('', '12'),
  phone: optional(text('')),
  grade: nullable(text('')),
  custom_fields: text('', 'any'),
  product,
  scopes: list(text('', 'users:read'), ''),
}

it('Describes the type of each field, and which fields are required', () => {
  const { schema } = object<Shown>(fields)
  expect(schema).toMatchObject({
    type: 'object',
    properties: { id: { type: 'string' }, grade: { type: ['string', 'null'] }, scopes: { type: 'array' } },
    required: ['id', 'grade', 'custom_fields', 'product', 'scopes'],
  })
})

it('Builds the example of an object from the examples of its fields', () => {
  expect(object<Shown>(fields).example).toEqual({
    id: '12',
    grade: null,
    custom_fields: 'any',
    product: { id: '4', due: null },
    scopes: ['users:read'],
  })
})

it('Uses one time as the example of every time', () => {
  expect(object({ created_at: time('') }).example).toEqual({ created_at: TIME })
})

it('Throws if a required field has no example', () => {
  expect(() => object({ id: text('The id.') })).toThrow('The id.')
})

it('Does not compile if a field is missing or surplus', () => {
  const { phone: _, ...withoutPhone } = fields
  const rejected = [
    // @ts-expect-error -- the serializer returns a field that is not described
    object<Shown>(withoutPhone),
    // @ts-expect-error -- a field is described that the serializer does not return
    object<Shown>({ ...fields, email: text('', 'ada@example.com') }),
    // @ts-expect-error -- the same for an optional field
    object<Shown>({ ...fields, email: optional(text('')) }),
    // @ts-expect-error -- the same in a nested object
    object<Shown['product']>({ id: text('', '4'), due: nullable(time('')), n: integer('', 1) }),
  ]
  expect(rejected).toHaveLength(4)
})

it('Does not compile if the type of a field differs', () => {
  const rejected = [
    // @ts-expect-error -- another type
    object<Shown>({ ...fields, id: integer('', 1) }),
    // @ts-expect-error -- it is always present
    object<Shown>({ ...fields, id: optional(text('')) }),
    // @ts-expect-error -- it may be omitted
    object<Shown>({ ...fields, phone: text('', '1') }),
    // @ts-expect-error -- it is omitted, and not null
    object<Shown>({ ...fields, phone: nullable(text('')) }),
    // @ts-expect-error -- it is null, and not omitted
    object<Shown>({ ...fields, grade: optional(text('')) }),
    // @ts-expect-error -- a nested field may be null
    object<Shown['product']>({ id: text('', '4'), due: time('') }),
    // @ts-expect-error -- another type of items
    object<Shown>({ ...fields, scopes: list(integer('', 1), '') }),
  ]
  expect(rejected).toHaveLength(7)
})
