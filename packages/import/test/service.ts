/** The service as its reference has it (tools/simulation/reference), on loopback and with the faults of a network. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { ApiRequest } from '../../../tools/simulation/contract.ts'
import type { Outcome } from '../../../tools/simulation/reference/operation.ts'
import { Reference } from '../../../tools/simulation/reference/reference.ts'
import { type Row, toRow, toRows } from '../../../tools/simulation/rows.ts'
import { isObject } from '../../../src/lib/json.ts'

export const STORE_TOKEN = 'rgs_of-the-demo-store'
export const OPERATOR_TOKEN = 'rgo_of-an-operator'
/** What every error says. The reference knows only codes and fields, and the words of the real service may change. */
export const WORDS = 'is not accepted'

/**
 * `lost` applies the batch and cuts the connection before the response, `reset` cuts it before anything is applied, and
 * `garbled` applies the batch and returns no JSON. A status is returned without applying the batch, with the second
 * number as its Retry-After.
 */
export type Fault = 'lost' | 'reset' | 'garbled' | [status: number, retryAfter?: number] | undefined

export interface Batch {
  items: Row[]
  dry_run: boolean
  never_shorten?: boolean
  path: string
  bytes: number
}

const SCOPES = ['users:read', 'users:write', 'product_accesses:write']
const OPERATOR = { secret: OPERATOR_TOKEN, actor: {}, role: 'office' } as const

export class FakeService {
  url = ''
  batches: Batch[] = []
  scopes = SCOPES
  /** Is called before each batch is processed. */
  fault: (batch: Batch, index: number) => Fault | Promise<Fault> = () => undefined
  /** The status with which the service rejects this item, such as 429. */
  itemFault: (item: Row) => number | undefined = () => undefined
  #reference = newReference()
  #lastId = 0
  readonly #server: Server = createServer((request, response) => {
    respond(this, request, response).catch((error: unknown) => {
      console.error(error)
      response.destroy()
    })
  })

  /** As v1 shows them, the oldest first. */
  get users(): Row[] {
    return [...this.#reference.state.users.values()].map(({ json }) => json)
  }

  /** Forgets users and batches. */
  clear(): void {
    this.#reference = newReference()
    this.batches = []
  }

  reset(): void {
    this.clear()
    this.scopes = SCOPES
    this.fault = this.itemFault = () => undefined
  }

  /** Draws the ids of users and of their accesses, which have gaps, because they are the ids of events. */
  handle(request: ApiRequest): Outcome {
    const { scopes } = this
    const of = /\/product_accesses\?user_ids=([\d,]+)&/.exec(request.path)?.[1]?.split(',')
    if (of !== undefined && request.method === 'GET') return this.#accessesOf(of, request)
    const json = { scopes, expires_at: null, revoked_at: null }
    this.#reference.state.tokens.set('1', { id: '1', json, secret: STORE_TOKEN, scopes, older: [] })
    const [results, events]: [Row[], Row[]] = [[], []]
    const drawn = { json: { results }, etag: '', requestId: null, events }
    for (const item of toRows(toRow(request.body)['items'])) {
      const id = this.#draw()
      results.push({ id })
      const user_id = this.#reference.state.userWithEmail(item['email'])?.json['id'] ?? id
      for (const access of toRows(item['product_accesses'])) {
        const product_id = this.#productOf(access)
        const data = { user_id, product_id, product_access_id: this.#draw() }
        events.push({ type: 'product_access.granted', data })
      }
    }
    const outcome = this.#reference.handle(request, Date.now(), drawn) ?? { status: 404, code: 'not_found' }
    // It does not know the store of a token.
    const { json: store } = this.#reference.state
    return request.path === '/v1/token' && outcome.status === 200
      ? { ...outcome, body: { ...outcome.body, store } }
      : outcome
  }

  #draw(): string {
    return String((this.#lastId += 3))
  }

  #productOf({ product_id, slug }: Row): unknown {
    const products = [...this.#reference.state.products.values()]
    return product_id ?? products.find((product) => product['slug'] === slug)?.['id']
  }

  /** The reference of the simulation lists the accesses of one user at a time. */
  #accessesOf(users: string[], request: ApiRequest): Outcome {
    const first = this.handle({ ...request, path: request.path.replace(/user_ids=[\d,]+/, `user_id=${users[0]}`) })
    if (first.status !== 200) return first
    const { state } = this.#reference
    const data = [...state.accesses.values()]
      .filter(({ user }) => users.includes(user))
      .map((access) => state.accessJson(access))
    return { ...first, body: { data, next: null } }
  }

  /** With the names of their users and products. */
  get accesses(): Row[] {
    const { state } = this.#reference
    return [...state.accesses.values()].map((access) => state.accessJson(access))
  }

  /** Sets the fields of the store, such as its time zone. */
  setStore(fields: Row): void {
    Object.assign(this.#reference.state.json, fields)
  }

  /** Changes the only access of a user. */
  setAccess(user: unknown, fields: Row): void {
    const { state } = this.#reference
    for (const access of state.accesses.values()) if (access.user === user) Object.assign(access.json, fields)
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve)
    })
    const address = this.#server.address()
    this.url = `http://127.0.0.1:${isObject(address) ? String(address['port']) : ''}`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

export async function startService(): Promise<FakeService> {
  const service = new FakeService()
  await service.listen()
  return service
}

/** A store with four products and two custom fields. */
function newReference(): Reference {
  const reference = new Reference('demo', [OPERATOR])
  const { state } = reference
  state.json = { id: 'demo', language: 'EN' }
  const products = [['algebra', 'Álgebra I'], ['analytical-engines'], ['engines'], ['logic']]
  for (const [i, [slug, name = slug]] of products.entries())
    state.products.set(`${i + 1}`, { id: `${i + 1}`, slug, name })
  state.fields.set('field1', { key: 'field1', label: null })
  state.fields.set('team', { key: 'team', label: 'Equipo de ventas' })
  return reference
}

async function respond(service: FakeService, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url: path = '', headers } = incoming
  const sent = await text(incoming)
  // The reference knows no files.
  if (path === '/admin/stores/demo/users.csv')
    return void response.writeHead(200, { 'content-type': 'text/csv' }).end(csvOf(service.users))
  const token = headers.authorization?.replace('Bearer ', '') ?? ''
  const request = { method, path, token, ...(sent !== '' && { body: JSON.parse(sent) }) }
  if (!path.endsWith('/users/batch')) return send(response, service.handle(request))
  const batch: Batch = { ...request.body, path, bytes: Buffer.byteLength(sent) }
  const fault = await service.fault(batch, service.batches.push(batch) - 1)
  if (fault === 'reset') return void response.destroy()
  if (Array.isArray(fault)) return send(response, { status: fault[0], code: 'fault' }, fault[1])
  const statuses = batch.items.map(service.itemFault)
  // The reference rejects an item without fields, so nothing is applied of one with a fault.
  const items = batch.items.map((item, i) => (statuses[i] === undefined ? item : {}))
  const outcome = service.handle({ ...request, body: { ...request.body, items } })
  const results = toRows(outcome.body?.['results']).map((result, index) => {
    const status = statuses[index]
    return status === undefined ? result : { index, status, error: { code: 'fault' } }
  })
  if (fault === 'lost') return void response.destroy()
  if (fault === 'garbled') return void response.writeHead(200).end('<html>')
  send(response, { ...outcome, body: { ...outcome.body, results } }, statuses.includes(429) ? 0 : undefined)
}

function csvOf(users: Row[]): string {
  const cells = ['id', 'name', 'last_name', 'email']
  const rows = users.map((user) => cells.map((cell) => `"${String(user[cell]).replaceAll('"', '""')}"`))
  return [cells, ...rows].map((row) => `${row.join(',')}\r\n`).join('')
}

function send(response: ServerResponse, { status, code, fields, body }: Outcome, retryAfter?: number): void {
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter)
  const error = { code, details: fields?.map((field) => ({ field })) }
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(code === undefined ? body : error, withWords))
}

/** Adds the words of the service to each error and each of its details. */
function withWords(_name: string, value: unknown): unknown {
  if (!isObject(value)) return value
  return { ...value, ...('code' in value && { message: WORDS }), ...('field' in value && { explanation: WORDS }) }
}
