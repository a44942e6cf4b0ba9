/** Random batches check that a dry run predicts the real run exactly, and that a batch equals single requests. */
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../../../support/openapi.ts'
import { call, createV1, useStore, WITHOUT_QUOTA } from '../../../support/api.ts'
import { resultsOfDryRun } from '../../../support/batches.ts'
import { newProduct, rowsOf, storeNumber, type TestStore } from '../../../support/rows.ts'

const field = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 })

const access = fc.record(
  {
    product_id: field('3', '4', '999'),
    slug: field('p0', 'p1', 'nope'),
    status: field<unknown>('with_access', 'without_access', null, 'x'),
    access_due_date: field<unknown>('2031-01-01T00:00:00Z', null, 5),
  },
  { requiredKeys: [] },
)

const customFields = fc.dictionary(
  fc.constantFrom('a', 'b', 'undefined-one'),
  fc.constantFrom<unknown>('x', 'é"\\', 1.5, true, null),
  { maxKeys: 2, noNullPrototype: true },
)

const user = (emails: string[], brought: fc.Arbitrary<unknown> = fc.constant(undefined)) =>
  fc.record(
    {
      name: fc.constantFrom('Ada', 'Kay', 'Zoe'),
      last_name: fc.constant('L'),
      email: fc.constantFrom<unknown>(...emails, 'nobody'),
      phone: field<unknown>('1', '', null),
      country: field<unknown>('DE', 'fr', 'ZZ', null),
      language: field<unknown>('ES', null),
      external_id: field<unknown>('x', null),
      avatar: field<unknown>('', null),
      custom_fields: fc.option(customFields, { nil: undefined, freq: 2 }),
      // Rare, because a batch pauses between two hashes.
      password: fc.constantFrom(...Array<undefined>(7).fill(undefined), 'p'),
      product_accesses: brought,
    },
    { requiredKeys: ['name', 'email', 'last_name'] },
  )

const items = (emails: string[]) => fc.array(user(emails), { minLength: 1, maxLength: 9 })

const EMAILS = [
  'there@example.com',
  'THERE@example.com',
  'also@example.com',
  'a@example.com',
  'A@Example.com',
  'b@example.com',
]

/** Two stores with the same fields and products. */
const [store, twin] = [useStore({ fields: ['a', 'b'] }), useStore({ fields: ['a', 'b'] })]

beforeAll(async () => {
  for (const each of [store, twin]) {
    await newProduct(each, { slug: 'p0', expiration_days: 3 })
    await newProduct(each, { slug: 'p1' })
  }
})

let cases = 0

/** Creates two users in both stores and returns the items for them: each case has emails that no other case has. */
async function newCase<T extends { email: unknown }>(list: T[]): Promise<{ tag: string; list: T[] }> {
  const tag = `-${cases++}@`
  const tagged = (email: unknown) => String(email).replace('@', tag)
  const before = ['there@example.com', 'also@example.com'].map((email) => {
    return { name: 'Before', last_name: 'B', email: tagged(email), phone: '0', custom_fields: { a: 1 } }
  })
  for (const each of [store, twin]) await send(each, { items: before })
  return { tag, list: list.map((item) => ({ ...item, email: tagged(item.email) })) }
}

function send(to: TestStore, body: object): Promise<Answer> {
  return call('POST', `/v1/stores/${to.id}/users/batch`, { token: to.token, body, bindings: WITHOUT_QUOTA })
}

/** Reads the users of the case without ids and times, which differ between two stores. */
async function usersOf(of: TestStore, tag: string): Promise<any[]> {
  return rowsOf(
    `select email_key, email, name, last_name, language, phone, country, external_id, avatar, custom_fields,
        password_hash is not null as has_password
      from users where store = ? and instr(email_key, ?) > 0 order by email_key`,
    await storeNumber(of),
    tag,
  )
}

function errorOf({ status, json }: Answer) {
  if (status < 400) return { status }
  const { type, code, message, details } = json
  return { status, error: { type, code, message, ...(details && { details }) } }
}

describe('POST /v1/stores/{store_id}/users/batch with random items', () => {
  it('returns the results that its dry run returned', async () => {
    const withAccesses = fc.array(user(EMAILS, fc.array(access, { maxLength: 3 })), { minLength: 1, maxLength: 9 })
    await fc.assert(
      fc.asyncProperty(
        withAccesses,
        fc.constantFrom('fail', 'skip', 'update'),
        fc.boolean(),
        async (items, on_existing, never_shorten) => {
          const { list } = await newCase(items)
          const dry = await send(store, { items: list, on_existing, never_shorten, dry_run: true })
          const real = await send(store, { items: list, on_existing, never_shorten })
          expect([dry.status, real.status]).toEqual([200, 200])
          expect(dry.json.results).toEqual(resultsOfDryRun(real))
        },
      ),
      { numRuns: 16 },
    )
  })

  it('has the same effect as single creates in the same order', async () => {
    await fc.assert(
      fc.asyncProperty(items(EMAILS), async (all) => {
        const { list, tag } = await newCase(all)
        const { json } = await send(store, { items: list })
        for (const [index, body] of list.entries()) {
          const { status, error } = json.results[index]
          expect({ status, ...(error && { error }) }).toEqual(
            errorOf(await createV1(twin, body, { bindings: WITHOUT_QUOTA })),
          )
        }
        expect(await usersOf(store, tag)).toEqual(await usersOf(twin, tag))
      }),
      { numRuns: 12 },
    )
  })

  it('has the same effect as a PATCH of the existing user with on_existing update', async () => {
    await fc.assert(
      fc.asyncProperty(items(EMAILS), async (all) => {
        const keys = all.map(({ email }) => String(email).toLowerCase())
        const { list, tag } = await newCase(all.filter((_, n) => keys.indexOf(keys[n] ?? '') === n))
        const { json } = await send(store, { items: list, on_existing: 'update' })
        for (const [index, body] of list.entries()) {
          const { status, error } = json.results[index]
          const created = await createV1(twin, body, { bindings: WITHOUT_QUOTA })
          const isThere = created.json.code === 'email_taken'
          const patched = isThere ? await patch(twin, created.headers.get('X-Existing-Id') ?? '', body) : created
          expect({ status, ...(error && { error }) }).toEqual(errorOf(patched))
        }
        expect(await usersOf(store, tag)).toEqual(await usersOf(twin, tag))
      }),
      { numRuns: 12 },
    )
  })
})

/** Sends a PATCH without the null fields, because a batch treats null as omitted and a PATCH clears the field. */
function patch(of: TestStore, id: string, { custom_fields = {}, ...body }: Record<string, any>): Promise<Answer> {
  const given = (fields: object) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null))
  return call('PATCH', `/v1/stores/${of.id}/users/${id}`, {
    token: of.token,
    body: { ...given(body), custom_fields: given(custom_fields) },
    bindings: WITHOUT_QUOTA,
  })
}
