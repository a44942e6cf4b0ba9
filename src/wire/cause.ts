import type { Context } from 'hono'
import type { AppEnv } from '../context.ts'
import type { Cause } from '../domain/events.ts'

/** Who changes something, and in which request: what its event will tell. */
export function causeOf(c: Context<AppEnv>): Cause {
  return { request_id: c.get('requestId'), now: c.get('now'), principal: c.get('principal') }
}
