/** The measured operations. Service and floor get the same requests, or their figures could not be compared. */
import { idOf } from '../../src/db/ids.ts'
import { SCOPES } from '../../src/auth/scopes.ts'
import { newSecret, writeToken } from '../../src/auth/token-format.ts'
import type { Place } from '../../src/db/places.ts'
import { ADMIN_TOKEN, TOKEN_KEY } from './host.ts'
import type { Request } from './load.ts'

export const STORE = 'bench'
export const USERS = `/v1/stores/${STORE}/users`
export const ACCESSES = `/v1/stores/${STORE}/product_accesses`
const ACCESS_COUNT = 64
const KEYS = 64
export const JSON_TYPE = { 'content-type': 'application/json' }

export interface Operation {
  name: string
  status: number
  next: (side: Side) => Request
}

export type Side = 'ours' | 'floor'

/** These operations have a target for their throughput; the others only show where time is spent. */
export const WITH_TARGET = new Set(['create', 'create with key', 'replay', 'update access'])

export interface Fixture {
  /** The id of the store, which is its slug. */
  store: string
  token: string
  /** These accesses have no due date; those of `datedAccessIds` have one. */
  accessIds: string[]
  datedAccessIds: string[]
  product_id: string
}

let serial = 0
const run = Date.now().toString(36)

export function userBody(fields: object = {}): string {
  return JSON.stringify({ name: 'Ada', last_name: 'Lovelace', email: `u${serial++}-${run}@example.com`, ...fields })
}

/** Creates a store, a token and accesses through the API of a hosted service. */
export async function prepare(origin: string, place: Place = 'shared', store = STORE): Promise<Fixture> {
  const call = caller(origin)
  const path = `/admin/stores/${store}`
  await createStore(origin, store, place)
  const token = await newToken(origin, store)
  const product = await call('POST', `${path}/products`, ADMIN_TOKEN, { name: 'P', slug: 'p', type: 'course' })
  const product_id = String(product['id'])
  const grant = async (fields: object) => {
    const { id: user_id } = await call('POST', `/v1/stores/${store}/users`, token, JSON.parse(userBody()))
    const granted = { user_id, product_id, ...fields }
    return String((await call('POST', `/v1/stores/${store}/product_accesses`, token, granted))['id'])
  }
  const accessIds: string[] = []
  while (accessIds.length < ACCESS_COUNT) accessIds.push(await grant({}))
  const datedAccessIds: string[] = []
  while (datedAccessIds.length < ACCESS_COUNT) datedAccessIds.push(await grant({ access_due_date: dueDate() }))
  return { store, token, accessIds, datedAccessIds, product_id }
}

export async function createStore(origin: string, id: string, place: Place): Promise<void> {
  await caller(origin)('POST', '/admin/stores', ADMIN_TOKEN, { id, name: 'Bench', language: 'EN', place })
}

/** Creates another token of the store. */
export async function newToken(origin: string, store = STORE): Promise<string> {
  const { token } = await caller(origin)('POST', `/admin/stores/${store}/tokens`, ADMIN_TOKEN, {
    name: 'Bench',
    scopes: SCOPES,
  })
  return String(token)
}

/** Makes a client that throws unless a request succeeds. */
export function caller(origin: string) {
  return async (method: string, path: string, token: string, body?: object): Promise<Record<string, unknown>> => {
    const response = await fetch(origin + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && JSON_TYPE) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`)
    return text === '' ? {} : JSON.parse(text)
  }
}

/** Sends each replay once, so that its idempotency key has a claim before it is measured. */
export async function claimKeys(
  { next, status }: Operation,
  origins: { ours: string; floor: string },
  sides: readonly Side[] = ['ours', 'floor'],
): Promise<void> {
  for (const side of sides) {
    for (let i = 0; i < KEYS; i++) {
      const { path, ...init } = next(side)
      const response = await fetch(origins[side] + path, init)
      await response.text()
      if (response.status !== status) throw new Error(`a create with a key returned ${response.status}`)
    }
  }
}

export function operationsFor({ store, token, accessIds, datedAccessIds }: Fixture): Operation[] {
  const post = (body: string, more: Record<string, string> = {}): Request => ({
    method: 'POST',
    path: `/v1/stores/${store}/users`,
    headers: { authorization: `Bearer ${token}`, ...JSON_TYPE, ...more },
    body,
  })
  const put = (id: string | undefined, body: object): Request => ({
    ...post(JSON.stringify(body)),
    method: 'PUT',
    path: `/v1/stores/${store}/product_accesses/${id}`,
  })
  const key = () => ({ 'x-idempotency-key': `k${serial++}-${run}` })
  const newReplays = () => Array.from({ length: KEYS }, () => post(userBody(), key()))
  /** Service and floor have their own replays, or the second one would get email_taken for the users of the first. */
  const replays = { ours: newReplays(), floor: newReplays() }
  let updates = 0
  /** Each round over the accesses sets the other status, because an unchanged one would write nothing. */
  const update = () => {
    const [round, i] = [Math.floor(updates / accessIds.length), updates++ % accessIds.length]
    return put(accessIds[i], { status: round % 2 === 0 ? 'without_access' : 'with_access' })
  }
  /** Only the email is invalid, so that every field is validated. */
  const invalid = JSON.stringify({ name: 'Ada', last_name: 'Lovelace', email: 'ada at example.com' })
  return [
    { name: 'create', status: 201, next: () => post(userBody()) },
    { name: 'create with key', status: 201, next: () => post(userBody(), key()) },
    { name: 'replay', status: 201, next: (side) => replays[side][serial++ % KEYS] ?? post('') },
    { name: 'update access', status: 201, next: update },
    {
      name: 'move due date',
      status: 201,
      next: () => put(datedAccessIds[serial % datedAccessIds.length], { access_due_date: dueDate() }),
    },
    { name: 'rejected body', status: 422, next: () => post(invalid) },
    { name: 'rejected token', status: 401, next: () => post(userBody(), { authorization: `Bearer ${unknownToken}` }) },
    { name: 'mistyped token', status: 401, next: () => post(userBody(), { authorization: `Bearer ${mistyped}` }) },
  ]
}

function dueDate(): string {
  return new Date(Date.UTC(2030, 0, 1) + serial++ * 1000).toISOString()
}

/** The token has a valid MAC but no row, so only the database can reject it. */
const unknownToken = writeToken(TOKEN_KEY, idOf(1_000_000, 2), newSecret().bits)
const mistyped = unknownToken.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))

/** Nearly all of this cost is the password hash, so a comparison with the floor would show nothing. */
export function createWithPassword({ token }: Fixture): Operation {
  const next = (): Request => ({
    method: 'POST',
    path: USERS,
    headers: { authorization: `Bearer ${token}`, ...JSON_TYPE },
    body: userBody({ password: 'correct horse battery' }),
  })
  return { name: 'create with password', status: 201, next }
}
