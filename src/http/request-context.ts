import type { Context } from './hono.ts'
import { NO_NUMBER } from '../db/ids.ts'
import { isOperator, type Reader, type RequestContext } from '../change/request.ts'
import { parseNumber } from '../formats/values.ts'

export function contextOf(c: Context): RequestContext {
  return {
    caller: c.get('caller'),
    requiredScopes: c.get('requiredScopes'),
    requiresCurrentSecret: c.get('requiresCurrentSecret') ?? false,
    store_slug: c.req.param('store_id') ?? null,
    request_id: c.get('requestId'),
    now: c.get('now'),
    endpointsToWake: c.get('endpointsToWake'),
    firstUses: c.get('firstUses'),
  }
}

/** The number of the record in the path. For an id that no record can have, it is a number that no record has. */
export function numberInPath(c: Context, name = 'id'): number {
  return parseNumber(c.req.param(name) ?? '') ?? NO_NUMBER
}

/** Who reads the response. */
export function readerOf(c: Context): Reader {
  return isOperator(c.get('caller').id) ? 'operator' : 'integrator'
}
