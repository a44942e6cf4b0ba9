import type { Db } from './db/client.ts'
import type { ErrorCode } from './errors.ts'

export type Scope = 'users:write' | 'product_accesses:write' | 'events:read'

/** Who calls: an access token, and what its store has defined. */
export interface Principal {
  token_id: number
  store_id: string
  scopes: readonly string[]
  /** The start of the day (UTC) that is noted as the last one of its use. */
  last_used_at: number | null
  language: string
  custom_fields: ReadonlySet<string>
  /** The ids of the endpoints that want to be told of changes. */
  webhook_endpoints: readonly number[]
}

/** ADMIN_TOKEN may be unset; PASSWORD_COST is set by tests alone. */
export type Bindings = Omit<Env, 'ADMIN_TOKEN'> & { ADMIN_TOKEN?: string; PASSWORD_COST?: string }

/** Read one with `c.get`: `c.var` copies them all at each access. */
export interface Variables {
  requestId: string
  logId: string
  /** When the request arrived, in milliseconds since the epoch. */
  now: number
  db: Db
  /** The bearer token as sent: the key of what only its holder may compare. */
  token: string
  principal: Principal
  /** Of the store in an operator's path; a principal knows its own. */
  webhookEndpoints: readonly number[]
  idempotencyKey: string | undefined
  errorCode: ErrorCode | undefined
}

export interface AppEnv {
  Bindings: Bindings
  Variables: Variables
}
