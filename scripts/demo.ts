/** The demo store as every start wants it, made through the operator API as an operator would. */
import { SCOPES } from '../src/domain/tokens/scopes.ts'

export interface Demo {
  store_id: string
  token: string
  access_id: string
}

/** The token is shown once, so it is kept beside the local database that it belongs to. */
export const TOKEN_FILE = '.wrangler/demo-token'
export const STORE = 'demo'

/** The way to the service: over HTTP, or straight into its code. */
export type Send = (path: string, init: RequestInit) => Promise<Response>

interface Seeding {
  send: Send
  adminToken: string
  /** That of an earlier start: taken if it is one of this database and made by this version, with all scopes. */
  token?: string | undefined
}

/** Makes what is not there yet. */
export async function seedDemo({ send, adminToken, token: kept }: Seeding): Promise<Demo> {
  const call = caller(send, adminToken)
  await call('POST', '/admin/stores', { id: STORE, name: 'Demo academy', language: 'EN' }, 'already_exists')
  const path = `/admin/stores/${STORE}`
  await call('PUT', `${path}/custom_fields/field1`, { label: 'Department' })
  const token = kept !== undefined && (await isGood(send, kept)) ? kept : await createToken()
  const user = { name: 'Alan', last_name: 'Turing', email: 'alan@example.com', external_id: 'crm-1912' }
  await caller(send, token)('POST', `/v1/stores/${STORE}/users`, user, 'email_taken')
  const product = { name: 'Analytical engines', slug: 'analytical-engines', type: 'course', expiration_days: 365 }
  await call('POST', `${path}/products`, product, 'already_exists')

  const [users, products] = [
    await call('GET', `${path}/users?email=${user.email}`),
    await call('GET', `${path}/products`),
  ]
  const grant = { user_id: firstIdIn(users), product_id: firstIdIn(products) }
  await call('POST', `${path}/product_accesses`, grant, 'access_exists')
  const accesses = await call('GET', `${path}/product_accesses?user_id=${grant.user_id}`)
  return { store_id: STORE, token, access_id: firstIdIn(accesses) }

  async function createToken(): Promise<string> {
    return textOf(await call('POST', `${path}/tokens`, { name: 'Demo', scopes: SCOPES }), 'token')
  }
}

async function isGood(send: Send, token: string): Promise<boolean> {
  const response = await send('/v1/token', { headers: { authorization: `Bearer ${token}` } })
  const answer = await response.text()
  return response.ok && SCOPES.every((scope) => answer.includes(`"${scope}"`))
}

/** Calls the service; an error of the code `unless` means that what is asked for is there already. */
export function caller(send: Send, token: string) {
  return async (method: string, path: string, body?: object, unless?: string): Promise<unknown> => {
    const response = await send(path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer: unknown = response.status === 204 ? null : await response.json()
    if (response.ok || (isRecord(answer) && answer['code'] === unless)) return answer
    throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
  }
}

/** A field that an answer must have. */
export function textOf(answer: unknown, name: string): string {
  const value = isRecord(answer) ? answer[name] : undefined
  if (typeof value !== 'string') throw new Error(`no ${name} in the answer`)
  return value
}

/** The id of the first row of a page. */
export function firstIdIn(page: unknown): string {
  const [row] = isRecord(page) && Array.isArray(page['data']) ? page['data'] : []
  return textOf(row, 'id')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
