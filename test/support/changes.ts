/** Every change that an operator can make is here, with what undoes it or writes the same record again. */
import { env } from 'cloudflare:workers'
import type { Answer } from './openapi.ts'
import { admin, call, createV1, newToken, v1User } from './api.ts'
import { faultyObjects } from './faults.ts'
import { idIn, insertAccess, newProduct, rowsOf, type TestStore } from './rows.ts'

export interface Change {
  /** Creates the record in the path and returns its id. */
  prepare?: (store: TestStore) => Promise<string>
  body?: object
  /** The operation ignores unknown fields, as the specification requires of its own operations. */
  isLenient?: boolean
  status: number
  /** Undoes the change before its response is received; `status` is then the status of the response. */
  undo?: { act: (store: TestStore, id: string) => Promise<unknown>; status: number }
  /** Another operator sends this to the same record; it contains every field that the change sets. */
  rewrite?: object
}

const newUser = async (store: TestStore) => (await createV1(store, v1User({ email: 'ada@example.com' }))).json.id

async function newAccess(store: TestStore): Promise<string> {
  const [user_id, { id: product_id }] = [await newUser(store), await newProduct(store, { slug: 'tides' })]
  return insertAccess(store, { user_id, product_id })
}

async function newLimitedAccess(store: TestStore): Promise<string> {
  const [user_id, { id: product_id }] = [await newUser(store), await newProduct(store, { slug: 'tides' })]
  return insertAccess(store, { user_id, product_id, access_due_date: Date.UTC(2031, 0, 1) })
}

/** In a new store their ids are 3 and 4, after the store and its token, so the body of a grant can contain them. */
export async function newUserAndProduct(store: TestStore): Promise<string> {
  const id = await newUser(store)
  await newProduct(store, { slug: 'tides' })
  return id
}

const newTokenId = async (store: TestStore) => (await newToken(store)).id
const newProductId = async (store: TestStore) => (await newProduct(store, { slug: 'tides' })).id

async function newField(store: TestStore): Promise<string> {
  await admin('PUT', `/stores/${store.id}/custom_fields/rank`, { label: 'Rank' })
  return 'rank'
}

/** The tests create no event of this type, so nothing is sent to the endpoint. */
const ENDPOINT = { url: 'https://hooks.example.com/', types: ['store.restored'] }

async function newEndpoint(store: TestStore): Promise<string> {
  return (await admin('POST', `/stores/${store.id}/webhook_endpoints`, ENDPOINT)).json.id
}

async function newDisabledEndpoint(store: TestStore): Promise<string> {
  const id = await newEndpoint(store)
  await rowsOf('update webhook_endpoints set disabled_at = 1 where id = ?', await idIn(store, id))
  return id
}

function deletesNewest(list: string) {
  return async ({ id }: TestStore) => {
    const { json } = await admin('GET', `/stores/${id}/${list}`)
    const newest = json.data.at(-1)
    return admin('DELETE', `/stores/${id}/${list}/${newest.id ?? newest.key}`)
  }
}

async function cancelsNewest({ id }: TestStore): Promise<Answer> {
  const { json } = await admin('GET', `/stores/${id}/bulk_changes?limit=1`)
  return admin('POST', `/stores/${id}/bulk_changes/${json.data[0].id}/cancel`, undefined, LOST_WAKES)
}

const deletes = (list: string) => (store: TestStore, id: string) => admin('DELETE', `/stores/${store.id}/${list}/${id}`)

const newBulkChange = async (store: TestStore) =>
  (await admin('POST', `/stores/${store.id}/bulk_changes`, CLOSE_ALL, LOST_WAKES)).json.id

const newEndedBulkChange = async (store: TestStore) => {
  const id = await newBulkChange(store)
  await admin('POST', `/stores/${store.id}/bulk_changes/${id}/cancel`, undefined, LOST_WAKES)
  return id
}

const CLOSE_ALL = { filter: {}, change: { status: 'without_access' } }

/** No object begins a bulk change while a test looks at it. */
const LOST_WAKES = faultyObjects(env, () => 'lost').bindings

/** These changes are decided by their event; each has its body and the status of its response. */
export const CHANGES: Record<string, Change> = {
  'PATCH /admin/stores/:store_id': {
    body: { name: 'New', suspended: true },
    status: 200,
    rewrite: { name: 'Newest', suspended: false },
  },
  'POST /admin/stores/:store_id/tokens': {
    body: { name: 'New' },
    status: 201,
    undo: { act: deletesNewest('tokens'), status: 201 },
  },
  'PATCH /admin/stores/:store_id/tokens/:id': {
    prepare: newTokenId,
    body: { name: 'New', scopes: ['users:read'] },
    status: 200,
    undo: { act: deletes('tokens'), status: 200 },
    rewrite: { name: 'Newest', scopes: ['users:write'] },
  },
  'POST /admin/stores/:store_id/tokens/:id/rotate': {
    prepare: newTokenId,
    body: { overlap_hours: 1 },
    status: 200,
    undo: { act: deletes('tokens'), status: 200 },
  },
  'DELETE /admin/stores/:store_id/tokens/:id': { prepare: newTokenId, status: 204 },
  'POST /admin/stores/:store_id/tokens/revoke_all': { prepare: newTokenId, status: 200 },
  'PUT /admin/stores/:store_id/custom_fields/:key': {
    body: { label: 'New' },
    status: 201,
    undo: { act: deletes('custom_fields'), status: 404 },
    rewrite: { label: 'Newest' },
  },
  'DELETE /admin/stores/:store_id/custom_fields/:key': {
    prepare: newField,
    status: 204,
    undo: { act: newField, status: 204 },
  },
  'POST /admin/stores/:store_id/products': {
    body: { name: 'New', slug: 'tides', type: 'course' },
    status: 201,
    undo: { act: deletesNewest('products'), status: 404 },
  },
  'PATCH /admin/stores/:store_id/products/:id': {
    prepare: newProductId,
    body: { name: 'New', slug: 'moons', expiration_days: 3 },
    status: 200,
    undo: { act: deletes('products'), status: 404 },
    rewrite: { name: 'Newest', slug: 'stars', expiration_days: 4 },
  },
  'DELETE /admin/stores/:store_id/products/:id': {
    prepare: newProductId,
    status: 204,
    undo: { act: newProductId, status: 204 },
  },
  'POST /admin/stores/:store_id/users': {
    body: v1User({ email: 'ada@example.com' }),
    isLenient: true,
    status: 201,
    undo: { act: deletesNewest('users'), status: 404 },
  },
  'PATCH /admin/stores/:store_id/users/:id': {
    prepare: newUser,
    body: { name: 'New', email: 'grace@example.com' },
    status: 200,
    undo: { act: deletes('users'), status: 404 },
    rewrite: { name: 'Newest', email: 'jean@example.com' },
  },
  'DELETE /admin/stores/:store_id/users/:id': { prepare: newUser, status: 204, undo: { act: newUser, status: 204 } },
  'POST /admin/stores/:store_id/product_accesses': {
    prepare: newUserAndProduct,
    body: { user_id: '3', product_id: '4' },
    status: 201,
    undo: { act: deletes('users'), status: 404 },
  },
  'PUT /admin/stores/:store_id/product_accesses/:id': {
    prepare: newAccess,
    body: { status: 'without_access', access_due_date: '2099-12-31T00:00:00Z' },
    isLenient: true,
    status: 201,
    undo: { act: deletesNewest('users'), status: 404 },
    rewrite: { status: 'with_access', access_due_date: '2098-12-31T00:00:00Z' },
  },
  'POST /admin/stores/:store_id/product_accesses/:id/extend': {
    prepare: newLimitedAccess,
    body: { days: 1 },
    status: 200,
  },
  'PATCH /admin/stores/:store_id/product_accesses/:id': {
    prepare: newAccess,
    body: { progress: 50, grade: 'A' },
    status: 200,
    undo: { act: deletesNewest('users'), status: 404 },
    rewrite: { progress: 60, grade: 'B' },
  },
  'POST /admin/stores/:store_id/bulk_changes': {
    body: CLOSE_ALL,
    status: 202,
    undo: { act: cancelsNewest, status: 202 },
  },
  'POST /admin/stores/:store_id/bulk_changes/:id/cancel': { prepare: newBulkChange, status: 200 },
  'POST /admin/stores/:store_id/bulk_changes/:id/revert': {
    prepare: newEndedBulkChange,
    status: 202,
    undo: { act: cancelsNewest, status: 202 },
  },
  'POST /admin/stores/:store_id/webhook_endpoints': {
    body: ENDPOINT,
    status: 201,
    undo: { act: deletesNewest('webhook_endpoints'), status: 404 },
  },
  'PATCH /admin/stores/:store_id/webhook_endpoints/:id': {
    prepare: newEndpoint,
    body: { url: 'https://hooks.example.com/new', types: ['operator.created'] },
    status: 200,
    undo: { act: deletes('webhook_endpoints'), status: 404 },
    rewrite: { url: 'https://hooks.example.com/newest', types: ['operator.revoked'] },
  },
  'POST /admin/stores/:store_id/webhook_endpoints/:id/rotate_secret': {
    prepare: newEndpoint,
    body: { overlap_hours: 1 },
    status: 200,
    undo: { act: deletes('webhook_endpoints'), status: 404 },
  },
  'POST /admin/stores/:store_id/webhook_endpoints/:id/enable': {
    prepare: newDisabledEndpoint,
    status: 200,
    undo: { act: deletes('webhook_endpoints'), status: 404 },
  },
  'DELETE /admin/stores/:store_id/webhook_endpoints/:id': {
    prepare: newEndpoint,
    status: 204,
    undo: { act: newEndpoint, status: 204 },
  },
}

export function pathOf(operation: string, storeId: string, id = '4294967295'): string {
  const [, path = ''] = operation.split(' ')
  return path
    .split('/')
    .map((part) => (part === ':store_id' ? storeId : part.startsWith(':') ? id : part))
    .join('/')
}

interface Sent {
  token?: string
  bindings?: object
}

/** Sends the change to a store that is prepared for it. */
export function sendChange(
  operation: string,
  { store, id, body }: { store: TestStore; id: string; body?: object | undefined },
  { token = env.ADMIN_TOKEN, bindings = {} }: Sent = {},
): Promise<Answer> {
  const [method = ''] = operation.split(' ')
  const path = pathOf(operation, store.id, id)
  return call(method, path, {
    token,
    bindings: { ...LOST_WAKES, ...bindings },
    ...(body === undefined ? {} : { body }),
  })
}
