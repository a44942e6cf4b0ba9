import type { Context } from 'hono'
import type { AppEnv } from '../context.ts'
import { NO_NUMBER } from '../db/ids.ts'
import type { Call } from '../domain/change/context.ts'
import { parseNumber } from '../wire/fields.ts'

/** Who asks, in which request, and of which store. */
export function callOf(c: Context<AppEnv>): Call {
  return {
    caller: c.get('caller'),
    store_slug: c.req.param('store_id') ?? null,
    request_id: c.get('requestId'),
    now: c.get('now'),
  }
}

/** The number of the record that the path names; of what cannot be one, a number that no record has. */
export function numberInPath(c: Context<AppEnv>, name = 'id'): number {
  return parseNumber(c.req.param(name) ?? '') ?? NO_NUMBER
}
