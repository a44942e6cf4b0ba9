/**
 * The floor: the least Worker that does the same, written by hand for the few requests that are measured. It keeps what
 * the contract promises of them: the token's HMAC and the token itself are checked, the latter in the one batch; the
 * same rows, KV calls, answers and headers; a log line; a deadline for D1. No framework, no validation, no rate limit.
 */
import { createHash, createHmac } from 'node:crypto'
import { type Ask, createStatements, gateStatements, type Statement, updateStatements } from './floor-sql.ts'

export interface FloorEnv {
  DB: D1Database
  REPLAYS: KVNamespace
  TOKEN_KEY: string
  /** Set: without the log line, the deadline and the headers that every answer has. */
  BARE?: number
}

type Column = string | number | null | undefined
type Row = Record<string, Column>

/** What a request has cost so far, and who asks: for its log line. */
interface Cost {
  request_id: string
  token_id?: number
  d1_round_trips: number
  d1_rows_read: number
  d1_rows_written: number
}

interface Answer {
  status: number
  body: string
  etag?: string
  replayed?: true
}

const IDS = 2 ** 32
const TOKEN = /^Bearer ((rgs_(\d+)_(\d+)_([\w-]{43}))([\w-]{43}))$/
const DEADLINE_MS = 5000
const UNKNOWN: Answer = { status: 401, body: '{"type":"authentication_error"}' }
const INVALID: Answer = { status: 422, body: '{"type":"validation_error"}' }

// oxlint-disable-next-line import/no-default-export -- a Worker's entry point
export default {
  async fetch(request, env, ctx): Promise<Response> {
    const now = Date.now()
    const cost: Cost = { request_id: crypto.randomUUID(), d1_round_trips: 0, d1_rows_read: 0, d1_rows_written: 0 }
    const [, , , slug = '', resource, id = ''] = new URL(request.url).pathname.split('/')
    const { status, body, etag, replayed } = await answer(request, { slug, resource, id, now, cost }, env, ctx)
    if (env.BARE) return new Response(body, { status, headers: { 'Content-Type': 'application/json' } })
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

async function answer(request: Request, { slug, resource, id, now, cost }: Path, env: FloorEnv, ctx: Ctx) {
  const [, , token = '', store, number, bits = '', sent] = TOKEN.exec(request.headers.get('Authorization') ?? '') ?? []
  if (sent !== mac(env.TOKEN_KEY, `token:${token}`)) return UNKNOWN
  const caller = Number(store) * IDS + Number(number)
  cost.token_id = Number(number)
  const hash = createHash('sha256').update(bits).digest('hex')
  const ask: Ask = { store: Number(store), slug, caller, hash, request_id: cost.request_id, now }
  const text = await request.text()
  const body = JSON.parse(text)
  if (resource === 'product_accesses') return update(ask, Number(id), body, env, cost)
  if (!body.email.includes('@')) return refuse(ask, env, cost)
  return create(ask, { body, text, key: request.headers.get('X-Idempotency-Key') }, { env, ctx, cost })
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
  ask: Ask,
  { body, text, key }: Create,
  { env, ctx, cost }: { env: FloorEnv; ctx: Ctx; cost: Cost },
): Promise<Answer> {
  const { REPLAYS, TOKEN_KEY } = env
  const claim = key === null ? undefined : { key, fingerprint: mac(TOKEN_KEY, `request:${ask.caller}:${text}`) }
  const user = await send(env, createStatements(ask, body, claim), cost)
  const verdict = user?.['verdict']
  if (verdict === 'invalid_token') return UNKNOWN
  if (!user || (verdict !== 'done' && verdict !== 'replayed')) return INVALID
  const shown = JSON.stringify(toUser(user))
  if (verdict === 'replayed') {
    const { value, metadata } = await REPLAYS.getWithMetadata<{ mac: string }>(String(user['fingerprint']))
    const isOurs = value !== null && metadata?.mac === mac(TOKEN_KEY, `response:${user['id']}:${value}`)
    return { status: 201, body: isOurs ? value : shown, replayed: true }
  }
  if (claim) {
    const metadata = { mac: mac(TOKEN_KEY, `response:${user['id']}:${shown}`) }
    ctx.waitUntil(REPLAYS.put(claim.fingerprint, shown, { expirationTtl: 86_400, metadata }))
  }
  return { status: 201, body: shown, etag: etagOf(user['id'], user['event_id']) }
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

async function update(ask: Ask, id: number, body: UpdateBody, env: FloorEnv, cost: Cost): Promise<Answer> {
  const { status = null, access_due_date: due } = body
  const access_due_date = due === undefined ? null : Date.parse(due)
  const row = await send(env, updateStatements(ask, { id, status, access_due_date }), cost)
  if (row?.['verdict'] === 'invalid_token') return UNKNOWN
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

/** What is wrong with a request is told only to whose token is good. */
async function refuse(ask: Ask, env: FloorEnv, cost: Cost): Promise<Answer> {
  const told = await send(env, gateStatements(ask), cost)
  return told?.['verdict'] === null ? INVALID : UNKNOWN
}

/** What the last statement but one tells, or the only one. */
async function send({ DB, BARE }: FloorEnv, statements: Statement[], cost: Cost): Promise<Row | undefined> {
  const bound = statements.map(({ sql, params }) => DB.prepare(sql).bind(...params))
  const results = await (BARE ? DB.batch<Row>(bound) : within(DEADLINE_MS, DB.batch<Row>(bound)))
  cost.d1_round_trips++
  for (const { meta } of results) {
    cost.d1_rows_read += meta.rows_read
    cost.d1_rows_written += meta.rows_written
  }
  return (results.at(-2) ?? results[0])?.results[0]
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise: passed, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('D1 does not answer')), milliseconds)
  try {
    return await Promise.race([work, passed])
  } finally {
    clearTimeout(timer)
  }
}
