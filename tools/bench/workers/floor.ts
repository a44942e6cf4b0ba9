/**
 * The floor is a minimal Worker that does the same as the service, written by hand for the measured requests. It keeps
 * what the contract promises of them: it checks the token's MAC and, in its one batch, the token itself; it writes the
 * same rows, makes the same KV calls, returns the same responses and headers, writes a log line and has a deadline for
 * D1. It has no framework, no validation and no rate limit.
 */
import { createHash, createHmac } from 'node:crypto'
import type { BoundStatement } from '../../../src/db/database.ts'
import {
  authorizeStatements,
  createStatements,
  type RequestContext,
  type Statement,
  updateStatements,
  useStatements,
} from './floor-sql.ts'

export interface FloorEnv {
  DB: D1Database
  REPLAYS: KVNamespace
  /** If it is set, the rows of a store are in its object, which runs a batch as the service has it run. */
  STORES?: { getByName: (name: string) => { batch: (statements: BoundStatement[]) => Promise<Sent> } }
  TOKEN_KEY: string
}

type Column = string | number | null | undefined
type Row = Record<string, Column>

/** The log line of a request contains these. */
interface Cost {
  request_id: string
  token_id?: number
  d1_round_trips: number
  d1_rows_read: number
  d1_rows_written: number
}

interface Result {
  status: number
  body: string
  etag?: string
  replayed?: true
}

const IDS = 2 ** 32
const TOKEN = /^Bearer ((rgs_(\d+)_(\d+)_([\w-]{43}))([\w-]{43}))$/
const DEADLINE_MS = 5000
const UNKNOWN: Result = { status: 401, body: '{"type":"authentication_error"}' }
const INVALID: Result = { status: 422, body: '{"type":"validation_error"}' }

// oxlint-disable-next-line import/no-default-export -- a Worker's entry point
export default {
  async fetch(request, env, ctx): Promise<Response> {
    const now = Date.now()
    const cost: Cost = { request_id: crypto.randomUUID(), d1_round_trips: 0, d1_rows_read: 0, d1_rows_written: 0 }
    const [, , , slug = '', resource, id = ''] = new URL(request.url).pathname.split('/')
    const { status, body, etag, replayed } = await handle(request, { slug, resource, id, now, cost }, env, ctx)
    const headers: Record<string, string> = {
      'Content-Type': 'application/json',
      'X-Request-Id': cost.request_id,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'Strict-Transport-Security': 'max-age=31536000',
    }
    if (etag !== undefined) headers['ETag'] = etag
    if (replayed) headers['Idempotent-Replayed'] = 'true'
    const route = `/v1/stores/:store_id/${resource}`
    const { method } = request
    console.log(
      JSON.stringify({ kind: 'request', method, route, status, duration_ms: Date.now() - now, slug, ...cost }),
    )
    return new Response(body, { status, headers })
  },
} satisfies ExportedHandler<FloorEnv>

interface Path {
  slug: string
  resource: string | undefined
  id: string
  now: number
  cost: Cost
}

type Ctx = Pick<ExecutionContext, 'waitUntil'>

interface Means {
  env: FloorEnv
  ctx: Ctx
  cost: Cost
}

async function handle(request: Request, { slug, resource, id, now, cost }: Path, env: FloorEnv, ctx: Ctx) {
  const [, , token = '', store, n, bits = '', sentMac] = TOKEN.exec(request.headers.get('Authorization') ?? '') ?? []
  if (sentMac !== mac(env.TOKEN_KEY, `token:${token}`)) return UNKNOWN
  const caller = Number(store) * IDS + Number(n)
  cost.token_id = Number(n)
  const hash = createHash('sha256').update(bits).digest('hex')
  const context: RequestContext = { store: Number(store), slug, caller, hash, request_id: cost.request_id, now }
  const text = await request.text()
  const body = JSON.parse(text)
  if (resource === 'product_accesses') return update(context, Number(id), body, { env, ctx, cost })
  if (!body.email.includes('@')) return reject(context, { env, ctx, cost })
  return create(context, { body, text, key: request.headers.get('X-Idempotency-Key') }, { env, ctx, cost })
}

function mac(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url')
}

interface Create {
  body: { email: string; name: string; last_name: string }
  text: string
  key: string | null
}

async function create(
  context: RequestContext,
  { body, text, key }: Create,
  { env, ctx, cost }: Means,
): Promise<Result> {
  const { REPLAYS, TOKEN_KEY } = env
  const claim = key === null ? undefined : { key, fingerprint: mac(TOKEN_KEY, `request:${context.caller}:${text}`) }
  const user = await send({ env, ctx, cost }, context, createStatements(context, body, claim))
  const outcome = user?.['outcome']
  if (outcome === 'invalid_token') return UNKNOWN
  if (!user || (outcome !== 'applied' && outcome !== 'replayed')) return INVALID
  const current = `${etagOf(user['id'], user['event_id'])}\n${JSON.stringify(toUser(user))}`
  if (outcome === 'replayed') {
    const { value, metadata } = await REPLAYS.getWithMetadata<{ mac: string }>(String(user['fingerprint']))
    const isOurs = value !== null && metadata?.mac === mac(TOKEN_KEY, `response:${user['id']}:${value}`)
    return { ...created(isOurs ? value : current), replayed: true }
  }
  if (claim) {
    const metadata = { mac: mac(TOKEN_KEY, `response:${user['id']}:${current}`) }
    ctx.waitUntil(REPLAYS.put(claim.fingerprint, current, { expirationTtl: 86_400, metadata }))
  }
  return created(current)
}

/** The response for what KV stores: the ETag and the body. */
function created(stored: string): Result {
  const [etag = '', body = ''] = stored.split('\n')
  return { status: 201, body, etag }
}

const numberOf = (id: Column) => String(Number(id) % IDS)
const etagOf = (id: Column, event: Column) => `"${numberOf(id)}-${numberOf(event)}"`
const timeOf = (time: Column) => (time == null ? null : new Date(Number(time)).toISOString())

function toUser(row: Row) {
  return {
    id: numberOf(row['id']),
    name: row['name'],
    last_name: row['last_name'],
    email: row['email'],
    created_at: timeOf(row['created_at']),
    country: row['country'] ?? undefined,
    phone: row['phone'] ?? undefined,
    external_id: row['external_id'] ?? undefined,
    language: row['language'],
    avatar: row['avatar'] ?? undefined,
    custom_fields: row['custom_fields'] ?? undefined,
    role: row['role'],
    updated_at: timeOf(row['updated_at']),
  }
}

interface UpdateBody {
  status?: string
  access_due_date?: string
}

async function update(context: RequestContext, id: number, body: UpdateBody, means: Means): Promise<Result> {
  const { status = null, access_due_date: due } = body
  const access_due_date = due === undefined ? null : Date.parse(due)
  const row = await send(means, context, updateStatements(context, { id, status, access_due_date }))
  if (row?.['outcome'] === 'invalid_token') return UNKNOWN
  if (row?.['id'] == null) return { status: 404, body: '{"type":"not_found"}' }
  return { status: 201, body: JSON.stringify(toAccess(row)), etag: etagOf(row['id'], row['changed_by']) }
}

function toAccess(row: Row) {
  return {
    id: numberOf(row['id']),
    created_at: timeOf(row['created_at']),
    started_at: timeOf(row['started_at']),
    completed_at: timeOf(row['completed_at']),
    access_due_date: timeOf(row['access_due_date']),
    expiration_days: row['expiration_days'] ?? undefined,
    status: row['status'],
    grade: row['grade'],
    concept_grade: row['concept_grade'],
    passed: row['passed'] === 1,
    progress: row['progress'],
    certificate_url: row['certificate_url'],
    product: {
      id: numberOf(row['product_id']),
      slug: row['product_slug'],
      type: row['product_type'],
      name: row['product_name'],
    },
    user: {
      id: numberOf(row['user_id']),
      name: row['user_name'],
      last_name: row['user_last_name'],
      external_id: row['user_external_id'],
      email: row['user_email'],
    },
  }
}

/** Checks the token first, because a caller without a valid one must get a 401 and not learn what is invalid. */
async function reject(context: RequestContext, means: Means): Promise<Result> {
  const row = await send(means, context, authorizeStatements(context))
  return row?.['outcome'] === null ? INVALID : UNKNOWN
}

/** Returns the row of the last statement. */
async function send(
  { env, ctx, cost }: Means,
  context: RequestContext,
  statements: Statement[],
): Promise<Row | undefined> {
  const sendThese = (these: Statement[]) =>
    env.STORES ? sendToObject(env.STORES, context.store, these) : sendToD1(env.DB, these)
  const { rows, rowsRead, rowsWritten } = await withDeadline(DEADLINE_MS, sendThese(statements))
  cost.d1_round_trips++
  cost.d1_rows_read += rowsRead
  cost.d1_rows_written += rowsWritten
  const row = rows.at(-1)?.[0]
  const isUse = row?.['used_at'] !== undefined && row['outcome'] !== 'invalid_token'
  const use = isUse ? useStatements(context, Number(row['used_at'] ?? 0)) : []
  if (use.length > 0) ctx.waitUntil(sendThese(use))
  return row
}

interface Sent {
  /** Of each statement. */
  rows: Row[][]
  rowsRead: number
  rowsWritten: number
}

async function sendToD1(DB: D1Database, statements: Statement[]): Promise<Sent> {
  const results = await DB.batch<Row>(statements.map(({ sql, params }) => DB.prepare(sql).bind(...params)))
  const sum = (figure: 'rows_read' | 'rows_written') => results.reduce((total, { meta }) => total + meta[figure], 0)
  return {
    rows: results.map(({ results: rows }) => rows),
    rowsRead: sum('rows_read'),
    rowsWritten: sum('rows_written'),
  }
}

async function sendToObject(
  STORES: NonNullable<FloorEnv['STORES']>,
  store: number,
  statements: Statement[],
): Promise<Sent> {
  const bound = statements.map(({ sql, params }) => ({ text: sql, values: params }))
  return STORES.getByName(String(store)).batch(bound)
}

async function withDeadline<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise: expired, reject: expire } = Promise.withResolvers<never>()
  const timer = setTimeout(() => expire(new Error('D1 does not respond')), milliseconds)
  try {
    return await Promise.race([work, expired])
  } finally {
    clearTimeout(timer)
  }
}
