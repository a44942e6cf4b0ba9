/** The operations that are measured: how to ask the service and the floor for each. */
import type { Request } from './load.ts'
import { ADMIN_TOKEN } from './host.ts'
import { unknownToken } from './statements.ts'

export const STORE = 'bench'
const ACCESSES = 64
const KEYS = 64
const JSON_TYPE = { 'content-type': 'application/json' }

export interface Operation {
  name: string
  status: number
  ours: () => Request
  floor: () => Request
}

export interface Fixture {
  token: string
  accessIds: string[]
}

let serial = 0
const run = Date.now().toString(36)

export function userBody(fields: object = {}): string {
  return JSON.stringify({ name: 'Ada', last_name: 'Lovelace', email: `u${serial++}-${run}@example.com`, ...fields })
}

function updateBody(): string {
  const due = new Date(Date.UTC(2030, 0, 1) + serial++ * 1000).toISOString()
  return JSON.stringify({ status: serial % 2 === 0 ? 'with_access' : 'without_access', access_due_date: due })
}

/** A store, a token and accesses, made through the operator API of a hosted service. */
export async function prepare(origin: string): Promise<Fixture> {
  const call = caller(origin)
  await call('POST', '/admin/stores', ADMIN_TOKEN, { id: STORE, name: 'Bench', language: 'EN' })
  const { token } = await call('POST', `/admin/stores/${STORE}/tokens`, ADMIN_TOKEN, { name: 'Bench' })
  const slug = `bench-${run}`
  const product = await call('POST', `/admin/stores/${STORE}/products`, ADMIN_TOKEN, {
    name: 'P',
    slug,
    type: 'course',
  })
  const accessIds: string[] = []
  while (accessIds.length < ACCESSES) {
    const user = await call('POST', `/v1/stores/${STORE}/users`, String(token), JSON.parse(userBody()))
    const grant = { user_id: user['id'], product_id: product['id'] }
    accessIds.push(String((await call('POST', `/admin/stores/${STORE}/product_accesses`, ADMIN_TOKEN, grant))['id']))
  }
  return { token: String(token), accessIds }
}

/** Calls as a client that expects success. */
export function caller(origin: string) {
  return async (method: string, path: string, token: string, body: object): Promise<Record<string, unknown>> => {
    const response = await fetch(origin + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...JSON_TYPE },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return JSON.parse(text)
  }
}

/** Claims the keys that the replays replay, for the service and for the floor. */
export async function claimKeys(
  operation: Operation,
  origins: { ours: string; floor: string },
  sides: readonly ('ours' | 'floor')[] = ['ours', 'floor'],
): Promise<void> {
  for (const side of sides) {
    for (let i = 0; i < KEYS; i++) {
      const { path, ...init } = operation[side]()
      const response = await fetch(origins[side] + path, init)
      await response.text()
      if (response.status !== operation.status) throw new Error(`claiming a key answered ${response.status}`)
    }
  }
}

export function operationsFor({ token, accessIds }: Fixture): Operation[] {
  const users = `/v1/stores/${STORE}/users`
  const headers = { authorization: `Bearer ${token}`, ...JSON_TYPE }
  const key = () => ({ 'x-idempotency-key': `k${serial}-${run}` })
  const nextAccess = () => accessIds[serial % accessIds.length] ?? ''
  const newReplays = () => Array.from({ length: KEYS }, () => ({ ...key(), body: userBody() }))
  /** Each has its own: what one of them has claimed, the other would only find taken. */
  const replays = { ours: newReplays(), floor: newReplays() }
  /** Two fields are wrong, of three. */
  const invalid = JSON.stringify({ name: 'Ada', last_name: ' ', email: 'ada at example.com' })
  const post = (path: string, more: Record<string, string>, body: string): Request => ({
    method: 'POST',
    path,
    headers: { ...headers, ...more },
    body,
  })
  const put = (path: string): Request => ({ method: 'PUT', path, headers, body: updateBody() })
  const refused = (path: string, bad: string): Request => post(path, { authorization: `Bearer ${bad}` }, invalid)
  const typo = unknownToken().replace(/.$/, 'x')
  const replay = (path: string, side: 'ours' | 'floor'): Request => {
    const { body, ...header } = replays[side][serial++ % KEYS] ?? { 'x-idempotency-key': '', body: '' }
    return post(path, header, body)
  }
  return [
    op(
      'create',
      201,
      () => post(users, {}, userBody()),
      () => post('/create', {}, userBody()),
    ),
    op(
      'create with key',
      201,
      () => post(users, key(), userBody()),
      () => post('/create', key(), userBody()),
    ),
    op(
      'replay',
      201,
      () => replay(users, 'ours'),
      () => replay('/create', 'floor'),
    ),
    op(
      'update access',
      201,
      () => put(`/v1/stores/${STORE}/product_accesses/${nextAccess()}`),
      () => put(`/update/${nextAccess()}`),
    ),
    op(
      'refused body',
      422,
      () => post(users, {}, invalid),
      () => post('/refused-body', {}, invalid),
    ),
    op(
      'refused token',
      401,
      () => refused(users, unknownToken()),
      () => refused('/refused-token', unknownToken()),
    ),
    op(
      'mistyped token',
      401,
      () => refused(users, typo),
      () => refused('/mistyped-token', typo),
    ),
  ]
}

/** The create whose cost is the hash: nothing to compare, and it would block all else. */
export function createWithPassword({ token }: Fixture): Operation {
  const request = (): Request => ({
    method: 'POST',
    path: `/v1/stores/${STORE}/users`,
    headers: { authorization: `Bearer ${token}`, ...JSON_TYPE },
    body: userBody({ password: 'correct horse battery' }),
  })
  return op('create with password', 201, request, request)
}

function op(name: string, status: number, ours: () => Request, floor: () => Request): Operation {
  return { name, status, ours, floor }
}
