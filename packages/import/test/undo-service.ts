/** The real service, with a proxy before it in which a test can do something between two requests of a command. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseEnv } from 'node:util'
import { freePort } from '../../../scripts/free-port.ts'
import { startService } from '../../../scripts/service.ts'
import { isObject } from '../../../src/lib/json.ts'
import { type Row, toRow, toRows } from '../../../tools/simulation/rows.ts'
import { type Exit, waitForExit } from './command.ts'

const SLOW_MS = 10_000

export interface Request {
  method: string
  path: string
  ifMatch: string | undefined
}

/** `drop` cuts the connection once the service has carried out the request, and `refuse` before. */
export type Hook = (request: Request) => Promise<'drop' | 'refuse' | undefined>

export interface Fixture {
  store: string
  folder: string
  /** Calls the API under the path of the store, as the root. */
  api: (method: string, path: string, body?: unknown) => Promise<Row>
  /** Returns up to a hundred records of a list. */
  list: (path: string) => Promise<Row[]>
  /** Creates a token of the store. */
  token: (scopes: string[]) => Promise<string>
  write: (name: string, content: string) => string
  start: (args: string[], token?: string) => ChildProcess
  run: (args: string[], token?: string) => Promise<Exit>
  /** The users by email, each with its accesses by slug. */
  snapshot: () => Promise<Record<string, Row>>
}

export interface Stage {
  url: string
  /** Is called before each request of a command. */
  setHook: (hook: Hook | undefined) => void
  /** Whether the service carries out a request of a command. */
  isBusy: () => boolean
  root: (method: string, path: string, body?: unknown) => Promise<Row>
  fixture: () => Promise<Fixture>
  stop: () => Promise<void>
}

export async function openStage(): Promise<Stage> {
  const port = await freePort()
  const data = `.wrangler/import-undo-${port}`
  const service = await startService(port, '.', ['--persist-to', data])
  const rootToken = parseEnv(readFileSync('.dev.vars', 'utf8'))['ADMIN_TOKEN'] ?? ''
  const folders: string[] = []
  let hook: Hook | undefined
  let underWay = 0
  const proxy = createServer((incoming, response) => {
    underWay++
    forward(incoming, response, service.origin, hook)
      .catch(() => response.destroy())
      .finally(() => underWay--)
  })
  const url = await listen(proxy)
  const root = (method: string, path: string, body?: unknown) => call(service.origin, rootToken, method, path, body)

  async function fixture(): Promise<Fixture> {
    const store = `shop-${crypto.randomUUID().slice(0, 8)}`
    await root('POST', '/admin/stores', { id: store, name: 'Shop', language: 'EN' })
    const api = (method: string, path: string, body?: unknown) => root(method, `/admin/stores/${store}${path}`, body)
    await api('POST', '/products', { name: 'Algebra', slug: 'algebra', type: 'course', expiration_days: 90 })
    await api('POST', '/products', { name: 'Logic', slug: 'logic', type: 'course' })
    await api('PUT', '/custom_fields/team', { label: 'Team' })
    const list = async (path: string) =>
      toRows((await api('GET', `${path}${path.includes('?') ? '&' : '?'}limit=100`))['data'])
    const folder = mkdtempSync(join(tmpdir(), 'registrar-undo-'))
    folders.push(folder)
    const start = (args: string[], token = rootToken) =>
      spawn(process.execPath, ['scripts/import.ts', ...args], { env: { ...process.env, REGISTRAR_TOKEN: token } })
    return {
      store,
      folder,
      api,
      list,
      start,
      token: async (scopes) => secretOf(await api('POST', '/tokens', { name: 'T', scopes })),
      write(name, content) {
        writeFileSync(join(folder, name), content)
        return join(folder, name)
      },
      run: (args, token) => waitForExit(start(args, token)),
      snapshot: () => snapshotOf(list),
    }
  }

  return {
    url,
    root,
    fixture,
    setHook: (next) => {
      hook = next
    },
    isBusy: () => underWay > 0,
    async stop() {
      proxy.closeAllConnections()
      proxy.close()
      await service.stop()
      for (const folder of [data, ...folders]) rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  return `http://127.0.0.1:${isObject(address) ? String(address['port']) : ''}`
}

/** They belong to one connection, or to the body before it is unpacked. */
const HOP_HEADERS = new Set(['host', 'connection', 'content-length', 'content-encoding', 'transfer-encoding'])

async function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  origin: string,
  hook: Hook | undefined,
): Promise<void> {
  const { method = '', url: path = '', headers } = incoming
  const body = await text(incoming)
  const outcome = await hook?.({ method, path, ifMatch: headers['if-match'] })
  if (outcome === 'refuse') return void response.destroy()
  const sent = Object.entries(headers).filter(([name]) => !HOP_HEADERS.has(name))
  const answer = await fetch(origin + path, {
    method,
    headers: sent.map(([name, value]): [string, string] => [name, String(value)]),
    ...(body !== '' && { body }),
  })
  const content = Buffer.from(await answer.arrayBuffer())
  if (outcome === 'drop') return void response.destroy()
  const shown = Object.fromEntries([...answer.headers].filter(([name]) => !HOP_HEADERS.has(name)))
  // As on Cloudflare; the local service sends none. Two of its servers need not agree, so this one's clock is slow.
  response.writeHead(answer.status, { ...shown, date: new Date(Date.now() - SLOW_MS).toUTCString() }).end(content)
}

async function call(origin: string, token: string, method: string, path: string, body?: unknown): Promise<Row> {
  const response = await fetch(origin + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const content = await response.text()
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${content}`)
  return content === '' ? {} : toRow(JSON.parse(content))
}

export function idOf(record: Row | undefined): string {
  return String(record?.['id'])
}

export function secretOf(record: Row): string {
  return String(record['token'])
}

async function snapshotOf(list: Fixture['list']): Promise<Record<string, Row>> {
  const accesses = await list('/product_accesses')
  const found: Record<string, Row> = {}
  for (const { id, created_at: _, updated_at: __, email, ...user } of await list('/users')) {
    const own = accesses.filter((access) => toRow(access['user'])['id'] === id)
    const bySlug = own.map(({ product, status, access_due_date: due }): [string, string] => [
      String(toRow(product)['slug']),
      `${String(status)} ${String(due)}`,
    ])
    found[String(email)] = { ...user, accesses: Object.fromEntries(bySlug) }
  }
  return found
}
