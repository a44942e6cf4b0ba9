/**
 * The schemas of the answers: they describe, and every answer of the tests is held against them, but the Worker does
 * not need them and does not load them. Here what integrators see; operator-answers.ts and event-answers.ts have the rest.
 */
import * as z from 'zod'
import { SCOPES } from '../domain/access-tokens.ts'

/** The page of a list. */
export function page<S extends z.ZodType>(item: S) {
  const example = { data: [item.meta()?.['example']], next: null }
  return z.object({ data: z.array(item), next: z.string().nullable() }).meta({ example })
}

/** What a custom field, a grade and a changed field may be. */
export const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])

const userExample = {
  id: '1',
  name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  created_at: '2026-11-21T09:30:00.000Z',
  country: 'GB',
  phone: '+44 20 7946 0000',
  external_id: 'crm-1815',
  language: 'EN',
  avatar: 'https://example.com/ada.png',
  custom_fields: { field1: 'engines' },
  role: 'student',
  updated_at: '2026-11-21T09:30:00.000Z',
}

/** A user as v1 and the operator API show it. */
export const user = z
  .object({
    id: z.string(),
    name: z.string(),
    last_name: z.string(),
    email: z.string(),
    created_at: z.iso.datetime(),
    country: z.string().optional(),
    phone: z.string().optional(),
    external_id: z.string().optional(),
    language: z.string(),
    avatar: z.string().optional(),
    custom_fields: z.record(z.string(), scalar).optional(),
    role: z.string(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'User', example: userExample })

export const userPage = page(user)

const publicUserExample = {
  id: 1,
  name: 'Grace',
  last_name: 'Hopper',
  role: 'student',
  email: 'grace@example.com',
  phone: '+1 202 555 0100',
  avatar: '',
  country: 'US',
  language: 'EN',
  created_at: '2026-11-21T09:30:00.000Z',
  updated_at: '2026-11-21T09:30:00.000Z',
  external_id: 'crm-1906',
  custom_fields: { field1: 'compilers' },
}

/** A user as v3 shows it: every field, with an integer id. */
export const publicUser = z
  .object({
    id: z.int(),
    name: z.string(),
    last_name: z.string(),
    role: z.string(),
    email: z.string(),
    phone: z.string(),
    avatar: z.string(),
    country: z.string(),
    language: z.string(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    external_id: z.string(),
    custom_fields: z.looseObject({ field1: z.string() }),
  })
  .meta({ id: 'PublicUser', example: publicUserExample })

const productAccessExample = {
  id: '1',
  created_at: '2026-11-21T09:30:00.000Z',
  started_at: null,
  completed_at: null,
  access_due_date: '2027-12-31T00:00:00.000Z',
  expiration_days: 365,
  status: 'with_access',
  grade: null,
  concept_grade: null,
  passed: false,
  progress: 0,
  certificate_url: null,
  product: { id: '1', slug: 'analytical-engines', type: 'course', name: 'Analytical engines' },
  user: { id: '1', name: 'Ada', last_name: 'Lovelace', external_id: 'crm-1815', email: 'ada@example.com' },
}

/** A product access as v1 and the operator API show it. */
export const productAccess = z
  .object({
    id: z.string(),
    created_at: z.iso.datetime(),
    started_at: z.iso.datetime().nullable(),
    completed_at: z.iso.datetime().nullable(),
    access_due_date: z.iso.datetime().nullable(),
    expiration_days: z.int().optional(),
    status: z.string(),
    grade: scalar,
    concept_grade: z.string().nullable(),
    passed: z.boolean(),
    progress: z.int(),
    certificate_url: z.string().nullable(),
    product: z.object({ id: z.string(), slug: z.string(), type: z.string(), name: z.string() }),
    user: z.object({
      id: z.string(),
      name: z.string(),
      last_name: z.string(),
      external_id: z.string().nullable(),
      email: z.string(),
    }),
  })
  .meta({ id: 'ProductAccess', example: productAccessExample })

export const productAccessPage = page(productAccess)

export const ownAccessToken = z
  .object({
    store_id: z.string(),
    name: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime().nullable(),
    last_used_at: z.iso.datetime().nullable().meta({ description: 'The day of its last use, at 00:00 UTC.' }),
  })
  .meta({
    id: 'OwnAccessToken',
    example: {
      store_id: 'demo',
      name: 'Checkout',
      scopes: [...SCOPES],
      created_at: '2026-11-20T09:30:00.000Z',
      expires_at: null,
      last_used_at: '2026-11-21T00:00:00.000Z',
    },
  })
