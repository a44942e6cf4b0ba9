/** The batch contract over an in-memory map, on loopback, with the faults of a network between. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { emailKey } from '../../../src/domain/emails.ts'
import { isObject } from '../../../src/json.ts'

export const STORE_TOKEN = 'rgs_of-the-demo-store'
export const OPERATOR_TOKEN = 'rgo_of-an-operator'

/**
 * `lost`: carried out, the connection cut before the answer. `reset`: cut before anything is done. `garbled`: carried
 * out, the answer is not JSON. A status: that answer, with a Retry-After where there is a second number.
 */
export type Fault = 'lost' | 'reset' | 'garbled' | [status: number, retryAfter?: number] | undefined

export interface User extends Record<string, unknown> {
  id: string
  email: string
  created_at: string
}

export interface FakeService {
  url: string
  /** By the form in which addresses are compared. */
  users: Map<string, User>
  batches: Batch[]
  reads: number
  scopes: string[]
  /** Asked before each batch is looked at. */
  fault: (batch: Batch, index: number) => Fault
  /** How many passwords are taken before the quota; Infinity when left alone. */
  passwords: number
  stop: () => Promise<void>
}

export interface Batch {
  items: Record<string, unknown>[]
  dry_run: boolean
  on_existing: 'fail' | 'skip' | 'update'
  path: string
  bytes: number
}

interface Result {
  index: number
  status: number
  id?: string
  error?: { type: string; code: string; message: string; details?: unknown }
}

const FIELDS = ['name', 'last_name', 'email', 'phone', 'country', 'language', 'external_id', 'avatar', 'custom_fields']
const PRODUCTS = new Set(['algebra', 'analytical-engines', 'engines', 'logic'])

export async function startService({ keepsUsers = true, port = 0 } = {}): Promise<FakeService> {
  let lastId = 0
  const service: FakeService = {
    url: '',
    users: new Map(),
    batches: [],
    reads: 0,
    scopes: ['users:read', 'users:write', 'product_accesses:write'],
    fault: () => undefined,
    passwords: Number.POSITIVE_INFINITY,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://localhost')
    const body = await text(request)
    if (request.headers.authorization === undefined) return json(response, 401, { code: 'missing_token' })
    if (url.pathname === '/v1/token') return json(response, 200, { store_id: 'demo', scopes: service.scopes })
    const [, path] = /^\/(?:v1|admin)\/stores\/demo(\/.*)?$/.exec(url.pathname) ?? []
    if (!url.pathname.includes('/stores/demo'))
      return json(response, 404, { code: 'not_found', message: 'No such store.' })
    if (path === undefined) return json(response, 200, { id: 'demo' })
    if (path === '/users/batch') return answerBatch(JSON.parse(body), url.pathname, body, response)
    if (path === '/users') return answerPage(url, response)
    if (path === '/users.csv') return answerCsv(response)
    service.reads++
    const user = [...service.users.values()].find(({ id }) => path === `/users/${id}`)
    return user ? json(response, 200, user) : json(response, 404, { code: 'not_found' })
  }

  function answerBatch(
    sent: Omit<Batch, 'path' | 'bytes'>,
    path: string,
    body: string,
    response: ServerResponse,
  ): void {
    const batch: Batch = { ...sent, path, bytes: Buffer.byteLength(body) }
    const fault = service.fault(batch, service.batches.length)
    // A service that answers at once keeps nothing, so that only the import's own memory grows.
    service.batches.push(keepsUsers ? batch : { ...batch, items: [] })
    if (fault === 'reset') return void response.destroy()
    if (Array.isArray(fault)) return json(response, fault[0], { code: 'fault', message: 'A fault.' }, fault[1])
    const refused = refusedWhole(batch)
    if (refused !== undefined) return json(response, 422, { code: 'invalid_parameter', message: refused })
    const results = keepsUsers
      ? perform(batch)
      : batch.items.map((_, index) => ({ index, status: 201, id: String(++lastId) }))
    if (fault === 'lost') return void response.destroy()
    if (fault === 'garbled') return void response.writeHead(200).end('<html>')
    json(
      response,
      200,
      { dry_run: batch.dry_run, results },
      results.some(({ status }) => status === 429) ? 0 : undefined,
    )
  }

  function perform({ items, dry_run, on_existing }: Batch): Result[] {
    const seen = new Set<string>()
    return items.map((item, index) => {
      const error = errorOf(item)
      if (error) return { index, ...error }
      if (item['name'] === 'Trouble')
        return { index, status: 500, error: { type: 'internal_error', code: 'internal_error', message: 'A defect.' } }
      const key = emailKey(String(item['email'])) ?? ''
      const existing = service.users.get(key)
      if (seen.has(key)) return { index, ...taken(existing) }
      if (existing) {
        if (on_existing === 'fail') return { index, ...taken(existing) }
        seen.add(key)
        if (on_existing === 'update' && !dry_run) Object.assign(existing, fieldsOf(item))
        return { index, status: 200, ...(!dry_run && { id: existing.id }) }
      }
      if (item['password'] != null && !dry_run && service.passwords-- <= 0) {
        service.passwords = 20
        return { index, status: 429, error: { type: 'rate_limited', code: 'rate_limited', message: 'Too many.' } }
      }
      seen.add(key)
      if (dry_run) return { index, status: 201 }
      // Gaps are normal: an id is the number of an event.
      const user: User = {
        ...fieldsOf(item),
        id: String((lastId += 3)),
        email: String(item['email']),
        created_at: new Date().toISOString(),
      }
      service.users.set(key, user)
      return { index, status: 201, id: user.id }
    })
  }

  function answerPage(url: URL, response: ServerResponse): void {
    const all = [...service.users.values()]
    const start = Number(url.searchParams.get('after') ?? 0)
    const end = start + Number(url.searchParams.get('limit') ?? 50)
    json(response, 200, { data: all.slice(start, end), next: end < all.length ? String(end) : null })
  }

  function answerCsv(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/csv' })
    response.write('id,name,last_name,email\r\n')
    for (const { id, name, last_name, email } of service.users.values())
      response.write(
        [id, name, last_name, email].map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(',') + '\r\n',
      )
    response.end()
  }

  const server: Server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      console.error(error)
      response.destroy()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  service.url = `http://127.0.0.1:${isObject(address) ? String(address['port']) : ''}`
  return service
}

function json(response: ServerResponse, status: number, body: unknown, retryAfter?: number): void {
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter)
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

/** What makes the whole batch invalid: the engine must never send such a one. */
function refusedWhole({ items, bytes }: Batch): string | undefined {
  if (items.length < 1 || items.length > 100) return `${items.length} items`
  if (bytes > 1_048_576) return `${bytes} bytes`
  if (items.filter((item) => item['password'] != null).length > 10) return 'too many passwords'
  return undefined
}

function fieldsOf(item: Record<string, unknown>): Record<string, unknown> {
  const fields = Object.fromEntries(FIELDS.filter((field) => item[field] != null).map((field) => [field, item[field]]))
  return { ...fields, ...(typeof item['country'] === 'string' && { country: item['country'].toUpperCase() }) }
}

function taken(existing: User | undefined): Omit<Result, 'index'> {
  const details = [{ field: 'email', value: '', explanation: 'already has an account in this store' }]
  return {
    status: 422,
    ...(existing && { id: existing.id }),
    error: { type: 'validation_error', code: 'email_taken', message: 'Taken.', details },
  }
}

function errorOf(item: Record<string, unknown>): Omit<Result, 'index'> | undefined {
  const missing = ['name', 'last_name', 'email'].filter((field) => item[field] == null)
  if (missing.length > 0) {
    const error = {
      type: 'invalid_request',
      code: 'missing_parameter',
      message: `Missing: ${missing.join(', ')}.`,
      details: { field: missing[0], explanation: 'is required' },
    }
    return { status: 400, error }
  }
  const details = []
  if (emailKey(String(item['email'])) === undefined)
    details.push({ field: 'email', value: '', explanation: 'must be an e-mail address' })
  if (typeof item['country'] === 'string' && !/^[A-Za-z]{2}$/.test(item['country']))
    details.push({ field: 'country', value: '', explanation: 'must be an ISO 3166-1 alpha-2 code' })
  // What only the database knows is told once everything else is valid.
  if (details.length > 0) return invalid(details)
  const custom = isObject(item['custom_fields']) ? item['custom_fields'] : {}
  for (const key of Object.keys(custom))
    if (!['field1', 'team'].includes(key))
      details.push({ field: `custom_fields.${key}`, value: '', explanation: 'is not defined in the store' })
  const accesses = Array.isArray(item['product_accesses']) ? item['product_accesses'] : []
  for (const [i, access] of accesses.entries()) {
    if (!PRODUCTS.has(access.slug))
      details.push({ field: `product_accesses.${i}.slug`, value: '', explanation: 'is not a product of the store' })
    if (!['with_access', 'without_access', undefined].includes(access.status))
      details.push({
        field: `product_accesses.${i}.status`,
        value: '',
        explanation: 'must be with_access or without_access',
      })
  }
  return details.length > 0 ? invalid(details) : undefined
}

function invalid(details: unknown[]): Omit<Result, 'index'> {
  return { status: 422, error: { type: 'validation_error', code: 'invalid_parameter', message: 'Invalid.', details } }
}
