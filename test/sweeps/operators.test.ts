import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { admin, call, type CallOptions, summary, v1User } from '../support/api.ts'
import { CHANGES, pathOf } from '../support/changes.ts'
import { newOperator, OPERATIONS } from '../support/operators.ts'

const ROOT_ALONE = new Set(['POST /admin/operators', 'PATCH /admin/operators/:id', 'DELETE /admin/operators/:id'])

/** The store does not exist, so the request changes nothing. */
function send(operation: string, options: CallOptions, query = '') {
  const [method = ''] = operation.split(' ')
  return call(method, pathOf(operation, 'nobody') + query, options)
}

/** What the role `office` may change. */
const OF_OFFICE = new Set([
  'POST /admin/stores/:store_id/users',
  'PATCH /admin/stores/:store_id/users/:id',
  'POST /admin/stores/:store_id/users/batch',
  'POST /admin/stores/:store_id/product_accesses',
  'POST /admin/stores/:store_id/product_accesses/batch',
  'POST /admin/stores/:store_id/product_accesses/:id/extend',
  'PUT /admin/stores/:store_id/product_accesses/:id',
  'PATCH /admin/stores/:store_id/product_accesses/:id',
  'POST /admin/stores/:store_id/bulk_changes',
  'POST /admin/stores/:store_id/bulk_changes/:id/cancel',
  'POST /admin/stores/:store_id/bulk_changes/:id/revert',
])

/** Each may do what those before it may. */
const ROLES = ['viewer', 'office', 'admin', 'root']

/** The least role that may call the operation. */
function leastRole(operation: string): string {
  if (operation.startsWith('GET ')) return 'viewer'
  if (OF_OFFICE.has(operation)) return 'office'
  return ROOT_ALONE.has(operation) ? 'root' : 'admin'
}

const tokens = { viewer: '', office: '', admin: '', root: env.ADMIN_TOKEN, revoked: '' }

beforeAll(async () => {
  tokens.viewer = (await newOperator('viewer')).token
  tokens.office = (await newOperator('office')).token
  tokens.admin = (await newOperator('admin')).token
  const { id, token } = await newOperator('admin')
  await admin('DELETE', `/operators/${id}`)
  tokens.revoked = token
})

/** Returns the required role if the operation rejects the caller with 403, and undefined if it accepts the caller. */
async function roleMissing(operation: string, token: string): Promise<string | undefined> {
  const answer = await send(operation, { token })
  expect(answer.status).not.toBe(401)
  expect(answer.status).toBeLessThan(500)
  if (answer.status !== 403) return undefined
  expect(answer.json.code).toBe('insufficient_scope')
  return /scope="(.*)"/.exec(answer.headers.get('WWW-Authenticate') ?? '')?.[1]
}

it('Every operation that the role office may call exists', () => {
  expect([...OF_OFFICE].filter((operation) => !OPERATIONS.includes(operation))).toEqual([])
})

describe.each(OPERATIONS)('%s', (operation) => {
  const least = leastRole(operation)

  it(`is open to the role ${least} and those above it, and names it to the others`, async () => {
    for (const role of ['viewer', 'office', 'admin', 'root'] as const) {
      const isOpen = ROLES.indexOf(role) >= ROLES.indexOf(least)
      expect([role, await roleMissing(operation, tokens[role])]).toEqual([role, isOpen ? undefined : least])
    }
  })
})

it('A batch of users with accesses is open to the role office', async () => {
  const user = { ...v1User(), product_accesses: [{ slug: 'algebra' }] }
  const answer = await send('POST /admin/stores/:store_id/users/batch', {
    token: tokens.office,
    body: { items: [user] },
  })
  expect(summary(answer)).toBe('404 not_found')
})

const changes = Object.entries(CHANGES)

/** The rules of the middleware are the same for all. */
const [SAMPLE, { body: sampleBody }] = [
  'POST /admin/stores/:store_id/products',
  { body: {}, ...CHANGES['POST /admin/stores/:store_id/products'] },
]

describe('POST /admin/stores/{store_id}/products', () => {
  it('returns 401 to a forged token before 429, and 429 before 401 to a revoked token', async () => {
    const bindings = { TOKEN_LIMITER: { limit: () => Promise.resolve({ success: false }) } }
    expect(summary(await send(SAMPLE, { token: 'rgo_none', body: '{', bindings }))).toBe('401 invalid_token')
    expect(summary(await send(SAMPLE, { token: tokens.revoked, body: '{', bindings }))).toBe('429 rate_limited')
  })

  it('returns 401 and 403 before 400, and 400 before 422', async () => {
    const query = '?colour=red'
    expect(summary(await send(SAMPLE, { token: tokens.revoked, body: '{' }, query))).toBe('401 invalid_token')
    expect(summary(await send(SAMPLE, { token: tokens.viewer, body: '{' }, query))).toBe('403 insufficient_scope')
    expect(summary(await send(SAMPLE, { token: tokens.admin, body: '{' }, query))).toBe('400 malformed_body: body')
  })

  it('returns 422 for an unknown field, listed after the known ones', async () => {
    const options = { token: tokens.admin, body: { colour: 1, ...sampleBody } }
    expect(summary(await send(SAMPLE, options, '?shade=2&shade=3'))).toBe('422 invalid_parameter: colour, shade')
  })
})

describe.each(changes)('%s', (operation, { body, isLenient }) => {
  it('returns 422 for an unknown parameter before 404 for an unknown store', async () => {
    const token = tokens.admin
    // The operations of the specification ignore unknown parameters.
    const withUnknown = await send(operation, { token, body }, '?colour=red')
    expect(summary(withUnknown)).toBe(isLenient ? '404 not_found' : '422 invalid_parameter: colour')
    expect(summary(await send(operation, { token, body }))).toBe('404 not_found')
  })
})

/** All fields of these routes are optional, so an omitted body means the same as an empty object. */
const BODILESS = [
  'PATCH /admin/stores/:store_id',
  'PATCH /admin/stores/:store_id/tokens/:id',
  'POST /admin/stores/:store_id/tokens/:id/rotate',
  'POST /admin/stores/:store_id/tokens/revoke_all',
  'PUT /admin/stores/:store_id/custom_fields/:key',
  'PATCH /admin/stores/:store_id/products/:id',
]

describe.each(BODILESS)('%s', (operation) => {
  it('treats an omitted body as an empty object', async () => {
    for (const body of [undefined, {}]) {
      expect(summary(await send(operation, { token: tokens.admin, body }))).toBe('404 not_found')
    }
  })
})
