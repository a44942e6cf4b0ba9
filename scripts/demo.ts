/** Creates the demo store of every start through the operator API, so that its rows are those of the service. */
import { join } from 'node:path'
import { SCOPES } from '../src/auth/scopes.ts'

export interface Demo {
  store_id: string
  token: string
  access_id: string
}

/** The folder of the local data, unless `--persist-to` names another. */
export const STATE = '.wrangler/state'
export const STORE = 'demo'

/** The API returns the token only once, so it is stored in the folder of the database that it belongs to. */
export function tokenFile(state: string): string {
  return join(state, 'demo-token')
}

/** Sends a request to the service, over HTTP or by a direct call. */
export type Send = (path: string, init: RequestInit) => Promise<Response>

interface Seeding {
  send: Send
  adminToken: string
  /** The token of an earlier start is used if it belongs to this database and has all scopes of this version. */
  token?: string | undefined
}

/** Creates what does not exist yet. A developer may have suspended the store, and then it stays suspended. */
export async function seedDemo({ send, adminToken, token: kept }: Seeding): Promise<Demo> {
  const call = caller(send, adminToken)
  await call(
    'POST',
    '/admin/stores',
    { id: STORE, name: 'Demo academy', language: 'EN', time_zone: 'Europe/Madrid' },
    { unless: ['already_exists'] },
  )
  const path = `/admin/stores/${STORE}`
  const fields = JSON.stringify(await call('GET', `${path}/custom_fields`))
  if (!fields.includes('"field1"')) await call('PUT', `${path}/custom_fields/field1`, { label: 'Department' })
  const token = kept !== undefined && (await isUsable(send, kept)) ? kept : await createToken()
  const user = { name: 'Alan', last_name: 'Turing', email: 'alan@example.com', external_id: 'crm-1912' }
  await caller(send, token)('POST', `/v1/stores/${STORE}/users`, user, { unless: ['email_taken', 'store_suspended'] })
  const product = { name: 'Analytical engines', slug: 'analytical-engines', type: 'course', expiration_days: 365 }
  await call('POST', `${path}/products`, product, { unless: ['already_exists'] })

  const [users, products] = [
    await call('GET', `${path}/users?email=${user.email}`),
    await call('GET', `${path}/products`),
  ]
  const grant = { user_id: firstIdIn(users), product_id: firstIdIn(products) }
  await call('POST', `${path}/product_accesses`, grant, { unless: ['access_exists'] })
  const accesses = await call('GET', `${path}/product_accesses?user_id=${grant.user_id}`)
  return { store_id: STORE, token, access_id: firstIdIn(accesses) }

  async function createToken(): Promise<string> {
    return textOf(await call('POST', `${path}/tokens`, { name: 'Demo', scopes: SCOPES }), 'token')
  }
}

async function isUsable(send: Send, token: string): Promise<boolean> {
  const response = await send('/v1/token', { headers: { authorization: `Bearer ${token}` } })
  const text = await response.text()
  // Only a valid token gets this error.
  if (text.includes('"store_suspended"')) return true
  return response.ok && SCOPES.every((scope) => text.includes(`"${scope}"`))
}

interface CallOptions {
  /** The codes of errors that are expected, such as that the record exists already. */
  unless?: string[]
  idempotencyKey?: string
}

/** Makes a client that throws for errors. */
export function caller(send: Send, token: string) {
  return async (
    method: string,
    path: string,
    body?: object,
    { unless = [], idempotencyKey }: CallOptions = {},
  ): Promise<unknown> => {
    const response = await send(path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'x-idempotency-key': idempotencyKey }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const result: unknown = response.status === 204 ? null : await response.json()
    if (response.ok || unless.some((code) => isRecord(result) && result['code'] === code)) return result
    throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(result)}`)
  }
}

/** Returns a text field of a response, and throws if it is missing. */
export function textOf(record: unknown, name: string): string {
  const value = isRecord(record) ? record[name] : undefined
  if (typeof value !== 'string') throw new Error(`The response has no ${name}`)
  return value
}

/** Returns the id of the first record of a page. */
export function firstIdIn(page: unknown): string {
  const [row] = isRecord(page) && Array.isArray(page['data']) ? page['data'] : []
  return textOf(row, 'id')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
