/** The demo store, made through the operator API as an operator would. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { SCOPES } from '../src/domain/scopes.ts'

export interface Demo {
  store_id: string
  token: string
  access_id: string
}

/** The token is shown once, so it is kept beside the local database that it belongs to. */
export const TOKEN_FILE = '.wrangler/demo-token'
const STORE = 'demo'

export async function seedDemo(origin: string, adminToken: string): Promise<Demo> {
  const call = caller(origin, adminToken)
  await call('POST', '/admin/stores', { id: STORE, name: 'Demo academy', language: 'EN' }, 'already_exists')
  const path = `/admin/stores/${STORE}`
  await call('PUT', `${path}/custom_fields/field1`, { label: 'Department' })
  const token = (await readToken(origin)) ?? (await createToken())
  const user = { name: 'Alan', last_name: 'Turing', email: 'alan@example.com', external_id: 'crm-1912' }
  await caller(origin, token)('POST', `/v1/stores/${STORE}/users`, user, 'email_taken')
  const product = { name: 'Analytical engines', slug: 'analytical-engines', type: 'course', expiration_days: 365 }
  await call('POST', `${path}/products`, product, 'already_exists')

  const [users, products] = [
    await call('GET', `${path}/users?email=${user.email}`),
    await call('GET', `${path}/products`),
  ]
  const grant = { user_id: idIn(users), product_id: idIn(products) }
  await call('POST', `${path}/product_accesses`, grant, 'access_exists')
  const accesses = await call('GET', `${path}/product_accesses?user_id=${grant.user_id}`)
  return { store_id: STORE, token, access_id: idIn(accesses) }

  async function createToken(): Promise<string> {
    const created = await call('POST', `${path}/tokens`, { name: 'Demo', scopes: SCOPES })
    if (!isRecord(created) || typeof created['token'] !== 'string') throw new Error('no token in the answer')
    writeFileSync(TOKEN_FILE, created['token'], { mode: 0o600 })
    return created['token']
  }
}

/** The kept token, if it is one of this database and made by this version, with all scopes. */
async function readToken(origin: string): Promise<string | undefined> {
  if (!existsSync(TOKEN_FILE)) return undefined
  const token = readFileSync(TOKEN_FILE, 'utf8')
  const response = await fetch(`${origin}/v1/token`, { headers: { authorization: `Bearer ${token}` } })
  const answer = await response.text()
  return response.ok && SCOPES.every((scope) => answer.includes(`"${scope}"`)) ? token : undefined
}

/** Calls the service; an error of the code `unless` means that what is asked for is there already. */
function caller(origin: string, token: string) {
  return async (method: string, path: string, body?: object, unless?: string): Promise<unknown> => {
    const response = await fetch(origin + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer: unknown = await response.json()
    if (response.ok || (isRecord(answer) && answer['code'] === unless)) return answer
    throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
  }
}

/** The id of the first row of a page. */
function idIn(page: unknown): string {
  const [row] = isRecord(page) && Array.isArray(page['data']) ? page['data'] : []
  if (!isRecord(row) || typeof row['id'] !== 'string') throw new Error('an empty page')
  return row['id']
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
