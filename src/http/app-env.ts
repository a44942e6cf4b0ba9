import type { Bindings } from '../bindings.ts'
import type { Db } from '../db/batch.ts'
import type { Database } from '../db/database.ts'
import type { Caller } from '../change/request.ts'
import type { ErrorCode } from '../error-codes.ts'

/** Read them with `c.get`: `c.var` copies all of them at each access. */
interface Variables {
  requestId: string
  logId: string
  /** When the request had arrived, with its body, in milliseconds since the epoch. */
  now: number
  /** The pattern of the route that serves the path and the method; undefined if there is none. */
  route: string | undefined
  db: Db
  /** The webhook endpoints that are woken after the response. */
  endpointsToWake: Set<number>
  /** The databases in which the use of the token is recorded after the response. */
  firstUses: Set<Database>
  caller: Caller
  /** The email of an operator who signed on without a token, as it is compared. Their row is found once the body is read. */
  signedOnEmail: string | undefined
  /** The scopes that the operation requires; for an operator the role. */
  requiredScopes: readonly string[]
  /** True if an older secret of the token, which is still valid, is not enough. */
  requiresCurrentSecret: true | undefined
  idempotencyKey: string | undefined
  ifMatch: number[] | undefined
  errorCode: ErrorCode | undefined
  /** A field that the body of an error does not have; `of` restricts this to one error code. */
  leftOut: { field: 'code' | 'log_id'; of: ErrorCode | undefined } | undefined
  /** True for a replay. Only the log uses it. */
  replayed: true | undefined
  /** The ids of the caller. Only the log uses them. */
  logged: Record<string, number> | undefined
  /** Why the request failed. Only the log uses it. */
  failure: string | undefined
}

export interface AppEnv {
  Bindings: Bindings
  Variables: Variables
}
