import type { Db } from './db/batch.ts'
import type { Caller } from './domain/change/context.ts'
import type { ErrorCode } from './errors.ts'

/** The secrets may be unset; PASSWORD_COST is set by tests alone. */
export type Bindings = Omit<Env, 'ADMIN_TOKEN' | 'TOKEN_KEY' | 'TOKEN_KEY_PREVIOUS'> & {
  ADMIN_TOKEN?: string
  TOKEN_KEY?: string
  TOKEN_KEY_PREVIOUS?: string
  PASSWORD_COST?: string
}

/** Read one with `c.get`: `c.var` copies them all at each access. */
interface Variables {
  requestId: string
  logId: string
  /** When the request arrived, in milliseconds since the epoch. */
  now: number
  db: Db
  caller: Caller
  idempotencyKey: string | undefined
  errorCode: ErrorCode | undefined
  /** A field that an error's body does not have; `of`: only an error of this code. */
  leftOut: { field: 'code' | 'log_id'; of: ErrorCode | undefined } | undefined
  /** Whether an earlier answer was given again, for the log alone. */
  replayed: true | undefined
  /** Who asked, for the log alone. */
  logged: Record<string, number> | undefined
  /** Why it failed, for the log alone. */
  failure: string | undefined
}

export interface AppEnv {
  Bindings: Bindings
  Variables: Variables
}
