/**
 * Between the floor and the service, one thing more at a time, for a refused body: the binding RUNG says how far.
 * Each answers a constant; none looks at a token.
 */
import { zValidator } from '@hono/zod-validator'
import { Hono } from 'hono'
import { createUserBody } from '../../src/v1/users.ts'

type RungName = 'bare' | 'log line' | 'Hono' | 'Hono and Zod'

interface RungEnv {
  RUNG: RungName
}

const REFUSAL = { type: 'validation_error' }
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

const hono = new Hono().post('/refused-body', async (c) => {
  await c.req.json()
  console.log(JSON.stringify(LINE))
  return c.json(REFUSAL, 422)
})

const validating = new Hono().post(
  '/refused-body',
  zValidator('json', createUserBody, (result, c) => {
    console.log(JSON.stringify(LINE))
    return result.success ? undefined : c.json(REFUSAL, 422)
  }),
  (c) => c.body(null, 204),
)

// oxlint-disable-next-line import/no-default-export -- a Worker's entry point
export default {
  async fetch(request, env, ctx): Promise<Response> {
    if (env.RUNG === 'Hono') return hono.fetch(request, env, ctx)
    if (env.RUNG === 'Hono and Zod') return validating.fetch(request, env, ctx)
    await request.json()
    if (env.RUNG === 'log line') console.log(JSON.stringify(LINE))
    return Response.json(REFUSAL, { status: 422 })
  },
} satisfies ExportedHandler<RungEnv>
