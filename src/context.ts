import type { Db } from './db/client.ts'
import type { ErrorCode } from './errors.ts'

export type Scope = 'users:write' | 'product_accesses:write'

/** Who calls: an access token, its store's language and the custom fields defined there. */
export interface Principal {
  token_id: number
  store_id: string
  scopes: readonly string[]
  language: string
  custom_fields: ReadonlySet<string>
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
  idempotencyKey: string | undefined
  errorCode: ErrorCode | undefined
}

export interface AppEnv {
  Bindings: Bindings
  Variables: Variables
}
