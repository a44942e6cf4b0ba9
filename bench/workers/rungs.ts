/**
 * Between the floor and the service, one thing more at a time: the binding RUNG says how far. A refused body is
 * answered with a constant, a create and a replay as by the floor; none looks at a token.
 */
import { zValidator } from '@hono/zod-validator'
import { type Context, Hono } from 'hono'
import { createUserBody } from '../../src/v1/users.ts'
import floor, { create, type FloorEnv, REFUSAL } from './floor.ts'

interface RungEnv extends FloorEnv {
  RUNG: 'bare' | 'log line' | 'Hono' | 'Hono and Zod'
}

/** As long as the service's. */
const LINE = {
  request_id: 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
  log_id: 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
  method: 'POST',
  route: '/v1/stores/:store_id/users',
  status: 422,
  code: 'invalid_parameter',
  duration_ms: 10,
  d1_round_trips: 0,
  d1_rows_read: 0,
  d1_rows_written: 0,
  token_id: 1,
  store_id: 'bench',
}

function log(): void {
  console.log(JSON.stringify(LINE))
}

function answerCreate(c: Context<{ Bindings: RungEnv }>, body: Record<string, unknown>): Promise<Response> {
  log()
  return create(body, c.req.raw.headers, c.env, c.executionCtx)
}

function refuse(c: Context): Response {
  log()
  return c.json(REFUSAL, 422)
}

const hono = new Hono<{ Bindings: RungEnv }>()
  .post('/refused-body', async (c) => {
    await c.req.json()
    return refuse(c)
  })
  .post('/create', async (c) => answerCreate(c, await c.req.json()))

const validate = zValidator('json', createUserBody, (result, c) => (result.success ? undefined : refuse(c)))
const validating = new Hono<{ Bindings: RungEnv }>()
  .post('/refused-body', validate, (c) => c.body(null, 204))
  .post('/create', validate, (c) => answerCreate(c, c.req.valid('json')))

// oxlint-disable-next-line import/no-default-export -- a Worker's entry point
export default {
  async fetch(request, env, ctx): Promise<Response> {
    if (env.RUNG === 'Hono') return hono.fetch(request, env, ctx)
    if (env.RUNG === 'Hono and Zod') return validating.fetch(request, env, ctx)
    if (env.RUNG === 'log line') log()
    return floor.fetch(request, env, ctx)
  },
} satisfies ExportedHandler<RungEnv>
