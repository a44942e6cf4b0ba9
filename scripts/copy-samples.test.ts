/**
 * The copies of the guide against the running service: the programs of the page are killed while they read the store and
 * while they follow it, and their responses are cut off, while everything changes. Then each copy is compared with the store.
 */
import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, it } from 'node:test'
import { parseEnv } from 'node:util'
import { createRegistrar, type Registrar } from 'registrar-client'
import { freePort } from './free-port.ts'
import { HAS_PYTHON, type Program, saveGuidePrograms, startProgram } from './guide-programs.ts'
import { VARS } from './local-secrets.ts'
import { copyProject } from './project-copy.ts'
import { type Service, startService } from './service.ts'

const PRODUCTS = 10
/** 500 at night, for 5,000 accesses. */
const USERS = Number(process.env['COPIED_USERS'] ?? 100)
/** A page of 100 events takes one. The others are for what else happens. */
const MAX_REQUESTS = (USERS * PRODUCTS) / 100 + 10
const path = { store_id: 'demo' }
const COPIES = [
  { name: 'mirror.ts', database: 'copy.db' },
  ...(HAS_PYTHON ? [{ name: 'mirror.py', database: 'copy-of-python.db' }] : []),
]
/**
 * When a program is killed: after so many pages that it has saved, and then so many requests. It reads the store in 13 or more,
 * so the first three times it has to begin again.
 */
const KILLS = [
  [0, 1],
  [0, 4],
  [0, 9],
  [1, 1],
  [1, 2],
  [2, 3],
  [3, 1],
  [2, 2],
  [3, 4],
] as const

let project: string
let service: Service
let registrar: Registrar
let operator: Registrar
/** Each has ten accesses. */
let users: string[]
let created = 0
const programs: Program[] = []
/** They ask more often than on the page. */
const folder = saveGuidePrograms((text) =>
  text.replace("from: 'newest',", "from: 'newest', pollMs: 300,").replace('time.sleep(5)', 'time.sleep(0.3)'),
)

before(async () => {
  project = copyProject({ withConsole: true })
  service = await startService(await freePort(), project)
  const { ADMIN_TOKEN } = parseEnv(readFileSync(join(project, VARS), 'utf8'))
  operator = createRegistrar({ url: service.origin, token: ADMIN_TOKEN })
  registrar = createRegistrar({ url: service.origin, token: await createToken(), deadlineMs: 180_000 })
  const slugs = await createProducts()
  const batches = Array.from({ length: USERS / 100 }, (_, batch) => createUsers(batch, slugs))
  users = (await Promise.all(batches)).flat()
})
after(async () => {
  for (const { child } of programs) child.kill('SIGKILL')
  await service.stop()
  rmSync(project, { recursive: true, force: true })
})

/** Each token may send 600 requests in a minute. */
async function createToken(): Promise<string> {
  const { data: own } = await createRegistrar({ url: service.origin, token: service.token }).GET('/v1/token')
  const body = { name: 'Copy', scopes: own.scopes }
  const { data } = await operator.POST('/admin/stores/{store_id}/tokens', { params: { path }, body })
  return data.token
}

async function createProducts(): Promise<string[]> {
  const slugs = Array.from({ length: PRODUCTS }, (_, i) => `copied-${i}`)
  for (const slug of slugs) {
    const body = { name: slug, slug, type: 'course' }
    await operator.POST('/admin/stores/{store_id}/products', { params: { path }, body })
  }
  return slugs
}

async function createUsers(batch: number, slugs: string[]): Promise<string[]> {
  const items = Array.from({ length: 100 }, (_, i) => ({
    name: 'Katherine',
    last_name: 'Johnson',
    email: `copied-${batch}-${i}@example.com`,
    product_accesses: slugs.map((slug) => ({ slug, access_due_date: '2030-06-30T23:59:59Z' })),
  }))
  const { data } = await registrar.POST('/v1/stores/{store_id}/users/batch', { params: { path }, body: { items } })
  return data.results.map(({ id = '' }) => id)
}

interface Proxy {
  url: string
  token: string
  requests: () => number
  close: () => void
}

/** Passes requests on to the service, and counts them. It may cut off every seventh response. */
async function openProxy(cuts: boolean): Promise<Proxy> {
  let requests = 0
  const server = createServer(async (request, response) => {
    requests++
    const isCut = cuts && requests % 7 === 0
    const { authorization = '' } = request.headers
    const passed = await fetch(service.origin + request.url, { headers: { authorization } })
    const body = Buffer.from(await passed.arrayBuffer())
    const newest = passed.headers.get('X-Newest-Id')
    response.writeHead(passed.status, {
      'Content-Length': body.length,
      ...(newest !== null && { 'X-Newest-Id': newest }),
    })
    if (isCut) response.write(body.subarray(0, body.length / 2), () => response.destroy())
    else response.end(body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  // A test that fails leaves it open.
  server.unref()
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    token: await createToken(),
    requests: () => requests,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((done) => setTimeout(done, 20))
}

function start(name: string, { url, token }: Proxy): Program {
  const program = startProgram(folder, name, { API: url, STORE: 'demo', TOKEN: token })
  programs.push(program)
  return program
}

/** Of the pages that it has saved. */
function cursors(program: Program): string[] {
  return program.output().match(/(?<=up to event )\d+/g) ?? []
}

function hasEnded({ child }: Program): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

async function kill(program: Program): Promise<void> {
  assert.ok(!hasEnded(program), program.output())
  program.child.kill('SIGKILL')
  await program.ended
}

/** Runs a copy until it has the newest event, which it has not seen. */
async function catchUp(name: string, proxy: Proxy): Promise<void> {
  await create(`last-${created++}`)
  const { response } = await registrar.GET('/v1/stores/{store_id}/events', { params: { path, query: { limit: 1 } } })
  const newest = Number(response.headers.get('X-Newest-Id'))
  const program = start(name, proxy)
  await until(() => hasEnded(program) || Number(cursors(program).at(-1)) >= newest)
  await kill(program)
}

function select(name: string, sql: string): unknown[][] {
  const { database = '' } = COPIES.find((copy) => copy.name === name) ?? {}
  using copy = new DatabaseSync(join(folder, database))
  return copy
    .prepare(sql)
    .all()
    .map((row) => Object.values(row))
}

/** Compares with the store, which nobody changes any more. */
async function assertRight(name: string): Promise<void> {
  const query = { limit: 100 }
  const right: { users: unknown[][]; accesses: unknown[][] } = { users: [], accesses: [] }
  for await (const user of registrar.list('/v1/stores/{store_id}/users', { params: { path, query } }))
    right.users.push([user.id, user.external_id ?? null, user.email])
  for await (const access of registrar.list('/v1/stores/{store_id}/product_accesses', { params: { path, query } })) {
    const { id, user, product, status, access_due_date, progress } = access
    right.accesses.push([id, user.id, product.id, status, access_due_date, progress])
  }
  assert.deepEqual(select(name, 'SELECT * FROM users ORDER BY CAST(id AS INTEGER)'), right.users)
  assert.deepEqual(select(name, 'SELECT * FROM accesses ORDER BY CAST(id AS INTEGER)'), right.accesses)
}

/** Changes everything that a copy has, until `isOver`. */
async function changeStore(isOver: () => boolean): Promise<void> {
  for (let n = 0; !isOver(); n++) {
    const id = users[(n * 7) % users.length] ?? ''
    const { data: accesses } = await registrar.GET('/v1/stores/{store_id}/product_accesses', {
      params: { path, query: { user_id: id, limit: 3 } },
    })
    const [first = '', second = '', third = ''] = accesses.data.map((access) => access.id)
    const dueDate = n % 2 === 0 ? null : `20${30 + (n % 60)}-01-01T00:00:00Z`
    const email = `changed-${n}@example.com`
    const steps = [
      () => registrar.PATCH('/v1/stores/{store_id}/users/{id}', { params: { path: { ...path, id } }, body: { email } }),
      () => put(first, { access_due_date: dueDate }),
      () => put(second, { status: n % 2 === 0 ? 'without_access' : 'with_access' }),
      () => progress(third, (n * 3) % 101),
      () => create(n),
      () => bulk({ user_ids: [id] }),
      () => (n % 2 === 0 ? erase(id) : put(first, { status: 'without_access', access_due_date: dueDate })),
    ]
    for (const step of steps) if (first !== '') await step()
    if (first === '') await create(n)
    // Within the limit of the token.
    await new Promise((done) => setTimeout(done, 1000))
  }
}

function put(id: string, body: { status?: 'with_access' | 'without_access'; access_due_date?: string | null }) {
  return registrar.PUT('/v1/stores/{store_id}/product_accesses/{id}', { params: { path: { ...path, id } }, body })
}

function progress(id: string, value: number) {
  const params = { path: { ...path, id } }
  return registrar.PATCH('/v1/stores/{store_id}/product_accesses/{id}', { params, body: { progress: value } })
}

async function create(n: number | string): Promise<void> {
  const body = { name: 'Ada', last_name: 'Lovelace', email: `new-${n}@example.com`, external_id: `number-${n}` }
  const { data: user } = await registrar.POST('/v1/stores/{store_id}/users', { params: { path }, body })
  const grant = { user_id: user.id, slug: 'copied-0' }
  await registrar.POST('/v1/stores/{store_id}/product_accesses', { params: { path }, body: grant })
}

function erase(id: string) {
  return registrar.DELETE('/v1/stores/{store_id}/users/{id}', { params: { path: { ...path, id } } })
}

/** Extends accesses, and waits until that is done. */
async function bulk(filter: { user_ids: string[] }): Promise<number> {
  const body = { filter, change: { extend_days: 30 } }
  const { data } = await registrar.POST('/v1/stores/{store_id}/bulk_changes', { params: { path }, body })
  for (;;) {
    const params = { path: { ...path, id: data.id } }
    const { data: now } = await registrar.GET('/v1/stores/{store_id}/bulk_changes/{id}', { params })
    if (now.state === 'done') return now.changed
    await new Promise((done) => setTimeout(done, 100))
  }
}

it('a bulk change of 100 accesses takes a copy one request', async () => {
  for (const { name } of COPIES) {
    const proxy = await openProxy(false)
    await catchUp(name, proxy)
    proxy.close()
  }
  assert.equal(await bulk({ user_ids: users }), USERS * PRODUCTS)
  for (const { name } of COPIES) {
    const proxy = await openProxy(false)
    await catchUp(name, proxy)
    proxy.close()
    await assertRight(name)
    assert.ok(proxy.requests() <= MAX_REQUESTS, `${name}: ${proxy.requests()}`)
  }
})

it('a copy is right whenever it is killed, and whatever happens while it reads the store', async () => {
  for (const { database } of COPIES) rmSync(join(folder, database), { force: true })
  let running = COPIES.length
  const changing = changeStore(() => running === 0)
  const followed = COPIES.map(async ({ name }) => {
    const proxy = await openProxy(true)
    for (const [pages, requests] of KILLS) {
      const program = start(name, proxy)
      await until(() => hasEnded(program) || cursors(program).length >= pages)
      const end = proxy.requests() + requests
      await until(() => hasEnded(program) || proxy.requests() >= end)
      await kill(program)
    }
    running--
    await changing
    await catchUp(name, proxy)
    proxy.close()
    await assertRight(name)
  })
  await Promise.all([changing, ...followed])
})
