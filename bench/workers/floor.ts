/**
 * The floor: the least Worker that sends the service's statements (recorded, see statements.ts) and does its KV
 * calls. No framework, no validation, no token, no fingerprint, no log.
 */
import type { Recorded, Recordings } from '../statements.ts'

export interface FloorEnv {
  DB: D1Database
  REPLAYS: KVNamespace
  STATEMENTS: Recordings
}

type Values = Record<string, unknown>

export const REFUSAL = { type: 'validation_error' }

// oxlint-disable-next-line import/no-default-export -- a Worker's entry point
export default {
  async fetch(request, env, ctx): Promise<Response> {
    const [, operation, id = ''] = new URL(request.url).pathname.split('/')
    if (operation === 'update') return update(await request.json<Values>(), id, env)
    if (operation === 'refused-body') {
      await request.json()
      return Response.json(REFUSAL, { status: 422 })
    }
    await (operation === 'create' ? undefined : request.text())
    if (operation === 'create') return create(await request.json<Values>(), request.headers, env, ctx)
    if (operation === 'refused-token') {
      // The service asks a replica, and the primary before it believes a no.
      const session = env.DB.withSession('first-unconstrained')
      await session.batch(bind(session, env.STATEMENTS.findToken, { now: Date.now() }))
      await env.DB.batch(bind(env.DB, env.STATEMENTS.findToken, { now: Date.now() }))
    }
    return Response.json({ type: 'authentication_error' }, { status: 401 })
  },
} satisfies ExportedHandler<FloorEnv>

export async function create(
  body: Values,
  headers: Headers,
  env: FloorEnv,
  ctx: Pick<ExecutionContext, 'waitUntil'>,
): Promise<Response> {
  const key = headers.get('X-Idempotency-Key')
  const now = Date.now()
  const email = String(body['email'])
  const request_id = crypto.randomUUID()
  const statements = key === null ? env.STATEMENTS.create : env.STATEMENTS.createWithKey
  const values = {
    ...body,
    store_id: 'bench',
    request_id,
    key,
    email_key: email.toLowerCase(),
    now,
    oldest_claim: now - 86_400_000,
  }
  const results = await env.DB.batch<Values>(bind(env.DB, statements, values))
  const row = results.at(-1)?.results[0]
  const answer = JSON.stringify(row)
  if (key !== null && row?.['request_id'] === request_id) {
    ctx.waitUntil(env.REPLAYS.put(`floor:${key}`, answer, { expirationTtl: 86_400 }))
  } else if (key !== null) {
    return new Response(await env.REPLAYS.get(`floor:${key}`), { status: 201 })
  }
  return new Response(answer, { status: 201, headers: { 'Content-Type': 'application/json' } })
}

async function update(body: Values, id: string, env: FloorEnv): Promise<Response> {
  const values = {
    store_id: 'bench',
    request_id: crypto.randomUUID(),
    now: Date.now(),
    id: Number(id),
    status: body['status'],
    access_due_date: Date.parse(String(body['access_due_date'])),
  }
  const results = await env.DB.batch(bind(env.DB, env.STATEMENTS.update, values))
  return Response.json(results.at(-1)?.results[0], { status: 201 })
}

function bind(db: D1Database | D1DatabaseSession, statements: Recorded[], values: Values): D1PreparedStatement[] {
  return statements.map(({ sql, params }) =>
    db.prepare(sql).bind(...params.map((param) => ('name' in param ? values[param.name] : param.constant))),
  )
}
