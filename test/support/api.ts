/** Calls the Worker as a client does, with whole requests against the real D1 and KV. Each test has its own store. */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, vi } from 'vitest'
import usedInstance from '../../src/index.ts'
import { operations } from './document.ts'
import { objectsLike } from './faults.ts'
import { type Answer, assertDocumented } from './openapi.ts'
import { defineField, insertAccess, newProduct, type TestStore, useToken } from './rows.ts'

export const BASE = 'https://registrar.test'

export interface CallOptions {
  token?: string | undefined
  headers?: Record<string, string>
  /** A string, bytes or a stream is sent unchanged; anything else is sent as JSON. */
  body?: unknown
  /** These bindings replace those of the environment, to inject faults. */
  bindings?: object
  /** This origin replaces BASE. */
  origin?: string
}

let instance = usedInstance

/** Runs `act` on an instance that has served no request, so that no module remembers anything. */
export async function onFreshInstance<T>(act: () => Promise<T>): Promise<T> {
  vi.resetModules()
  instance = (await import('../../src/index.ts')).default
  try {
    return await act()
  } finally {
    instance = usedInstance
  }
}

/** Sends a request, waits for its background work, and checks the response against the OpenAPI document. */
export async function call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const { token, body, headers = {}, bindings = {}, origin = BASE } = options
  const isRaw = typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream
  const request = new Request<unknown, IncomingRequestCfProperties>(origin + path, {
    method,
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
  })
  const ctx = createExecutionContext()
  const response = await instance.fetch(request, { ...env, STORES: objectsIn(bindings), ...bindings }, ctx)
  const text = await response.text()
  await waitOnExecutionContext(ctx)
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json') && text !== ''
  const { status, headers: answered } = response
  const answer = { status, headers: answered, text, json: isJson ? JSON.parse(text) : undefined }
  assertDocumented(method, path, answer)
  return answer
}

/** A store with a database of its own has the faults that a test injects into the shared one. */
function objectsIn(bindings: { DB?: D1Database }): Env['STORES'] {
  return objectsLike(bindings.DB, env.STORES)
}

const unlimited = { limit: () => Promise.resolve({ success: true }) }

/** All tests share the root, and some callers send more than their quota: without this, they would get 429. */
export const WITHOUT_QUOTA = {
  TOKEN_LIMITER: unlimited,
  PASSWORD_LIMITER: unlimited,
  STORE_PASSWORD_LIMITER: unlimited,
  VERIFY_LIMITER: unlimited,
  TOKEN_VERIFY_LIMITER: unlimited,
  STORE_VERIFY_LIMITER: unlimited,
}

export function admin(method: string, path: string, body?: unknown, bindings: object = {}): Promise<Answer> {
  const options = { token: env.ADMIN_TOKEN, bindings: { ...WITHOUT_QUOTA, ...bindings } }
  return call(method, `/admin${path}`, body === undefined ? options : { ...options, body })
}

export const ALL_SCOPES = [
  'users:read',
  'users:write',
  'users:erase',
  'passwords:verify',
  'product_accesses:read',
  'product_accesses:write',
  'products:read',
  'events:read',
  'webhooks:read',
  'webhooks:write',
]

/** Creates a store with a token that has all scopes. */
export async function newStore(language = 'EN'): Promise<TestStore> {
  const { json: store } = await admin('POST', '/stores', { name: 'Store', language })
  const { json: token } = await admin('POST', `/stores/${store.id}/tokens`, { name: 'Test', scopes: ALL_SCOPES })
  return { id: store.id, token: token.token }
}

/** Creates such a store whose token has been used today, so that no request records its use and costs more. */
export async function newUsedStore(): Promise<TestStore> {
  const store = await newStore()
  await useToken(store)
  return store
}

interface StoreFields {
  language?: string
  /** The keys of custom fields. */
  fields?: string[]
  /** The token has been used today. */
  isUsed?: boolean
}

/**
 * Creates such a store before the tests of a file or of a block. Its id and token are empty until then, so that no constant
 * outside of a test can be made of them.
 */
export function useStore({ language = 'EN', fields = [], isUsed = false }: StoreFields = {}): TestStore {
  const store: TestStore = { id: '', token: '' }
  beforeAll(async () => {
    Object.assign(store, await newStore(language))
    for (const key of fields) await defineField(store, key)
    if (isUsed) await useToken(store)
  })
  return store
}

export function newEmail(): string {
  return `u-${crypto.randomUUID()}@example.com`
}

/** Returns a valid v1 body with only the required fields. */
export function v1User(fields: object = {}) {
  return { name: 'Ada', last_name: 'Lovelace', email: newEmail(), ...fields }
}

const createUser = operations.find(({ operation }) => operation.operationId === 'createUser')?.operation
const { properties, required } = createUser.requestBody.content['application/json'].schema
const { example } = createUser.responses['201'].content['application/json']

/** A value for each field of a v1 user that may be omitted: the example of the document, but for what no user shows. */
export const OPTIONAL_FIELDS: Record<string, unknown> & { password: string; custom_fields: object } = {
  ...Object.fromEntries(
    Object.keys(properties)
      .filter((name) => !required.includes(name))
      .map((name) => [name, example[name]]),
  ),
  // Another one than that of the store.
  language: 'ES',
  custom_fields: { field1: 'engines' },
  password: 'correct horse battery',
}

export function v3User(fields: object = {}) {
  return {
    name: 'Grace',
    last_name: 'Hopper',
    email: newEmail(),
    phone: '+1 202 555 0100',
    avatar: '',
    country: 'US',
    language: 'EN',
    password: 'correct horse battery',
    external_id: 'crm-1906',
    custom_fields: { field1: 'compilers' },
    ...fields,
  }
}

export function createV1(store: TestStore, body: unknown, options: CallOptions = {}): Promise<Answer> {
  return call('POST', `/v1/stores/${store.id}/users`, { token: store.token, body, ...options })
}

/** Creates a user and returns it. */
export async function newUser(store: TestStore, fields: object = {}): Promise<any> {
  return (await createV1(store, v1User(fields))).json
}

export function createV3(store: TestStore, body: unknown, options: CallOptions = {}): Promise<Answer> {
  return call('POST', '/v3/public/users', { token: store.token, body, ...options })
}

/** Creates a user, a product and an access in the store. The due date is in milliseconds since the epoch. */
export async function newAccess(
  store: TestStore,
  product: object = {},
  grant: { status?: string; access_due_date?: number | null } = {},
): Promise<any> {
  const { id: user_id } = await newUser(store)
  const { id: product_id } = await newProduct(store, product)
  const id = await insertAccess(store, { user_id, product_id, ...grant })
  return (await updateAccess(store, id, {})).json
}

export function updateAccess(store: TestStore, id: string, body: unknown, options: CallOptions = {}): Promise<Answer> {
  return call('PUT', `/v1/stores/${store.id}/product_accesses/${id}`, { token: store.token, body, ...options })
}

/** Returns status, code and fields in one line: `201`, `401 missing_token`, `422 invalid_parameter: email, phone`. */
export function summary({ status, json }: Pick<Answer, 'status' | 'json'>): string {
  const fields = [json?.details ?? []].flat().map((detail: any) => detail.field)
  const code = status < 400 ? undefined : json?.code
  return [status, code].filter(Boolean).join(' ') + (fields.length > 0 ? `: ${fields.join(', ')}` : '')
}

/** Returns the fields of a 422 with the values that they echo. */
export function refused({ json }: Answer): Record<string, string> {
  return Object.fromEntries(json.details.map((detail: any) => [detail.field, detail.value]))
}

/** Creates a token of the store and returns it as the operator gets it. */
export async function newToken(store: TestStore, fields: object = {}): Promise<any> {
  return (await admin('POST', `/stores/${store.id}/tokens`, { name: 'Test', ...fields })).json
}

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
export const ID = /^[1-9]\d*$/
