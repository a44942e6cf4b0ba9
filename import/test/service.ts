/** A fake of the batch API on loopback, with users in memory and the faults of a network. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { isObject } from '../../src/json.ts'
import { type Batch, Store } from './store.ts'

export const STORE_TOKEN = 'rgs_of-the-demo-store'
export const OPERATOR_TOKEN = 'rgo_of-an-operator'

/**
 * `lost` applies the batch and cuts the connection before the response, `reset` cuts it before anything is applied, and
 * `garbled` applies the batch and returns no JSON. A status is returned without applying the batch, with the second
 * number as its Retry-After.
 */
export type Fault = 'lost' | 'reset' | 'garbled' | [status: number, retryAfter?: number] | undefined

export class FakeService extends Store {
  url = ''
  batches: Batch[] = []
  reads = 0
  customFields: { key: string; label: string | null }[] = []
  products: { name: string; slug: string }[] = []
  scopes = ['users:read', 'users:write', 'product_accesses:write']
  /** Is called before each batch is processed. */
  fault: (batch: Batch, index: number) => Fault = () => undefined
  /** Without users, the memory of this process does not grow and responses are fast. */
  readonly keepsUsers: boolean
  readonly #server: Server

  constructor(keepsUsers: boolean) {
    super()
    this.keepsUsers = keepsUsers
    this.#server = createServer((request, response) => {
      respond(this, request, response).catch((error: unknown) => {
        console.error(error)
        response.destroy()
      })
    })
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.listen(port, '127.0.0.1', resolve)
    })
    const address = this.#server.address()
    this.url = `http://127.0.0.1:${isObject(address) ? String(address['port']) : ''}`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

export async function startService({ keepsUsers = true, port = 0 } = {}): Promise<FakeService> {
  const service = new FakeService(keepsUsers)
  await service.listen(port)
  return service
}

async function respond(service: FakeService, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '', 'http://localhost')
  const body = await text(request)
  if (request.headers.authorization === undefined) return json(response, 401, { code: 'missing_token' })
  if (url.pathname === '/v1/token') return json(response, 200, { store_id: 'demo', scopes: service.scopes })
  const [, path] = /^\/(?:v1|admin)\/stores\/demo(\/.*)?$/.exec(url.pathname) ?? []
  if (!url.pathname.includes('/stores/demo'))
    return json(response, 404, { code: 'not_found', message: 'No such store.' })
  if (path === undefined) return json(response, 200, { id: 'demo' })
  if (path === '/users/batch') {
    const batch: Batch = { ...JSON.parse(body), path: url.pathname, bytes: Buffer.byteLength(body) }
    return respondWithBatch(service, batch, response)
  }
  if (path === '/custom_fields') return respondWithList(service.customFields, service, response)
  if (path === '/products') return respondWithList(service.products, service, response)
  if (path === '/users') return respondWithPage(service, url, response)
  if (path === '/users.csv') return respondWithCsv(service, response)
  service.reads++
  const user = [...service.users.values()].find(({ id }) => path === `/users/${id}`)
  return user ? json(response, 200, user) : json(response, 404, { code: 'not_found' })
}

function respondWithBatch(service: FakeService, batch: Batch, response: ServerResponse): void {
  const { batches, keepsUsers } = service
  const fault = service.fault(batch, batches.length)
  batches.push(keepsUsers ? batch : { ...batch, items: [] })
  if (fault === 'reset') return void response.destroy()
  if (Array.isArray(fault)) return json(response, fault[0], { code: 'fault', message: 'A fault.' }, fault[1])
  const problem = findBatchProblem(batch)
  if (problem !== undefined) return json(response, 422, { code: 'invalid_parameter', message: problem })
  const results = keepsUsers
    ? service.perform(batch)
    : batch.items.map((_, index) => ({ index, status: 201, id: service.nextId() }))
  if (fault === 'lost') return void response.destroy()
  if (fault === 'garbled') return void response.writeHead(200).end('<html>')
  const isOverQuota = results.some(({ status }) => status === 429)
  json(response, 200, { dry_run: batch.dry_run, results }, isOverQuota ? 0 : undefined)
}

/** Lists what needs the scope `products:read`. */
function respondWithList(data: unknown[], { scopes }: FakeService, response: ServerResponse): void {
  if (!scopes.includes('products:read')) return json(response, 403, { code: 'insufficient_scope' })
  json(response, 200, { data, next: null })
}

function respondWithPage({ users }: FakeService, url: URL, response: ServerResponse): void {
  const ids = url.searchParams.get('ids')?.split(',')
  const all = [...users.values()].filter(({ id }) => ids?.includes(id) ?? true)
  const start = Number(url.searchParams.get('after') ?? 0)
  const end = start + Number(url.searchParams.get('limit') ?? 50)
  json(response, 200, { data: all.slice(start, end), next: end < all.length ? String(end) : null })
}

function respondWithCsv({ users }: FakeService, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/csv' })
  response.write('id,name,last_name,email\r\n')
  for (const { id, name, last_name, email } of users.values())
    response.write(
      [id, name, last_name, email].map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(',') + '\r\n',
    )
  response.end()
}

function json(response: ServerResponse, status: number, body: unknown, retryAfter?: number): void {
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter)
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

/** Returns why the whole batch is invalid; the import must never send such a batch. */
function findBatchProblem({ items, bytes }: Batch): string | undefined {
  if (items.length < 1 || items.length > 100) return `${items.length} items`
  if (bytes > 1_048_576) return `${bytes} bytes`
  if (items.filter((item) => item['password'] != null).length > 10) return 'too many passwords'
  return undefined
}
