/** The schemas of what the operator API alone answers; see answers.ts. */
import * as z from 'zod'
import { SCOPES } from '../domain/access-tokens.ts'
import { page } from './answers.ts'

export const store = z
  .object({ id: z.string(), name: z.string(), language: z.string(), created_at: z.iso.datetime() })
  .meta({
    id: 'Store',
    example: { id: 'demo', name: 'Demo academy', language: 'EN', created_at: '2026-11-21T09:30:00.000Z' },
  })

export const storePage = page(store)

const accessTokenFields = {
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
  revoked_at: z.iso.datetime().nullable(),
}

const accessTokenExample = {
  id: '1',
  name: 'Checkout',
  scopes: [...SCOPES],
  created_at: '2026-11-21T09:30:00.000Z',
  expires_at: null,
  revoked_at: null,
}

export const accessToken = z.object(accessTokenFields).meta({ id: 'AccessToken', example: accessTokenExample })

export const createdAccessToken = z.object({ ...accessTokenFields, token: z.string() }).meta({
  id: 'CreatedAccessToken',
  example: { ...accessTokenExample, token: 'rgs_<64 hexadecimal digits><checksum>' },
})

export const accessTokenPage = page(accessToken)

export const customField = z
  .object({ key: z.string(), label: z.string().nullable(), created_at: z.iso.datetime() })
  .meta({
    id: 'CustomField',
    example: { key: 'field1', label: 'Department', created_at: '2026-11-21T09:30:00.000Z' },
  })

export const customFieldPage = page(customField)

export const product = z
  .object({
    id: z.string(),
    name: z.string(),
    slug: z.string(),
    type: z.string(),
    expiration_days: z.int().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({
    id: 'Product',
    example: {
      id: '1',
      name: 'Analytical engines',
      slug: 'analytical-engines',
      type: 'course',
      expiration_days: 365,
      created_at: '2026-11-21T09:30:00.000Z',
    },
  })

export const productPage = page(product)
