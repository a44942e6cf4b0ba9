/**
 * The floor: the least Worker that could do the same. It checks the token's HMAC, and the token itself inside its one
 * batch; it writes the same rows, makes the same KV calls and the same HMACs of a key's request and response. No
 * framework, no validation, no rate limit, no log line.
 */
import { createHash, createHmac } from 'node:crypto'
import { type Ask, createStatements, gateStatements, type Statement, updateStatements } from './floor-sql.ts'

export interface FloorEnv {
  DB: D1Database
  REPLAYS: KVNamespace
  TOKEN_KEY: string
}

type Row = Record<string, string | number | null>

const TOKEN = /^Bearer ((rgs_(\d+)_(\d+)_([\w-]{43}))([\w-]{43}))$/
const JSON_TYPE = { 'Content-Type': 'application/json' }
const UNKNOWN = () => Response.json({ type: 'authentication_error' }, { status: 401 })

// oxlint-disable-next-line import/no-default-export -- a Worker's entry point
export default {
  async fetch(request, env, ctx): Promise<Response> {
    const [, , , slug = '', resource, id = ''] = new URL(request.url).pathname.split('/')
    const ask = askOf(request, slug, env)
    if (!ask) return UNKNOWN()
    const text = await request.text()
    const body = JSON.parse(text)
    if (resource === 'product_accesses') return update(ask, Number(id), body, env)
    if (!body.email.includes('@')) return refuse(ask, env)
    return create(ask, { body, text, key: request.headers.get('X-Idempotency-Key') }, env, ctx)
  },
} satisfies ExportedHandler<FloorEnv>

function askOf(request: Request, slug: string, { TOKEN_KEY }: FloorEnv): Ask | undefined {
  const [, , text = '', store, number, bits = '', sent] = TOKEN.exec(request.headers.get('Authorization') ?? '') ?? []
  if (sent !== mac(TOKEN_KEY, `token:${text}`)) return undefined
  const hash = createHash('sha256').update(bits).digest('hex')
  const caller = Number(store) * 2 ** 32 + Number(number)
  return { store: Number(store), slug, caller, hash, request_id: crypto.randomUUID(), now: Date.now() }
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
  { DB, REPLAYS, TOKEN_KEY }: FloorEnv,
  ctx: Pick<ExecutionContext, 'waitUntil'>,
): Promise<Response> {
  const claim = key === null ? undefined : { key, fingerprint: mac(TOKEN_KEY, `request:${ask.caller}:${text}`) }
  const user = await send(DB, createStatements(ask, body, claim))
  if (!user) return UNKNOWN()
  const { own, fingerprint, endpoints: _, ...shown } = user
  if (own === null) {
    if (!claim || fingerprint !== claim.fingerprint) return Response.json({ type: 'validation_error' }, { status: 422 })
    const { value, metadata } = await REPLAYS.getWithMetadata<{ mac: string }>(claim.fingerprint)
    const isOurs = value !== null && metadata?.mac === mac(TOKEN_KEY, `response:${user['id']}:${value}`)
    return new Response(isOurs ? value : JSON.stringify(shown), { status: 201, headers: JSON_TYPE })
  }
  const answer = JSON.stringify(shown)
  if (claim) {
    const metadata = { mac: mac(TOKEN_KEY, `response:${user['id']}:${answer}`) }
    ctx.waitUntil(REPLAYS.put(claim.fingerprint, answer, { expirationTtl: 86_400, metadata }))
  }
  return new Response(answer, { status: 201, headers: JSON_TYPE })
}

interface UpdateBody {
  status?: string
  access_due_date?: string
}

async function update(ask: Ask, id: number, body: UpdateBody, { DB }: FloorEnv): Promise<Response> {
  const { status = null, access_due_date: due } = body
  const access_due_date = due === undefined ? null : Date.parse(due)
  const access = await send(DB, updateStatements(ask, { id, status, access_due_date }))
  return access ? Response.json(access, { status: 201 }) : Response.json({ type: 'not_found' }, { status: 404 })
}

/** What is wrong with a request is told only to whose token is good. */
async function refuse(ask: Ask, { DB }: FloorEnv): Promise<Response> {
  const [answer] = await DB.batch<Row>(bind(DB, gateStatements(ask)))
  return answer?.results[0]?.['good'] === 1 ? Response.json({ type: 'validation_error' }, { status: 422 }) : UNKNOWN()
}

async function send(db: D1Database, statements: Statement[]): Promise<Row | undefined> {
  return (await db.batch<Row>(bind(db, statements))).at(-2)?.results[0]
}

function bind(db: D1Database, statements: Statement[]): D1PreparedStatement[] {
  return statements.map(({ sql, params }) => db.prepare(sql).bind(...params))
}
