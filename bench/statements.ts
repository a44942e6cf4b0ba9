/**
 * The statements of the hot path, recorded from the service's own functions: a D1 that only listens is given to
 * them with values that are recognised again. So the floor cannot drift from what the service sends.
 */
import { type Db, createDb } from '../src/db/client.ts'
import { createHash } from 'node:crypto'
import { findPrincipal } from '../src/domain/access-tokens.ts'
import { oldestClaim } from '../src/domain/idempotency-keys.ts'
import { updateProductAccess } from '../src/domain/product-access-changes.ts'
import { createUser } from '../src/domain/users.ts'

/** A parameter is a constant, or the name of what the floor puts there. */
export interface Recorded {
  sql: string
  params: ({ name: string } | { constant: unknown })[]
}

/** One batch for each operation. */
export interface Recordings {
  create: Recorded[]
  createWithKey: Recorded[]
  update: Recorded[]
  findToken: Recorded[]
}

const NOW = 1_234_567_890_123
const TOKEN_ID = 0
/** What stands for what; `email_key` is derived from `email`, and `oldest_claim` from `now`, by the service. */
const NAMES = new Map<unknown, string>([
  ['@store', 'store_id'],
  ['@request', 'request_id'],
  ['Email@floor.example', 'email'],
  ['email@floor.example', 'email_key'],
  ['@name', 'name'],
  ['@last_name', 'last_name'],
  ['@key', 'key'],
  [NOW, 'now'],
  [oldestClaim(NOW), 'oldest_claim'],
  [987_654_321, 'access_due_date'],
  [123_456_789, 'id'],
  ['without_access', 'status'],
])

class Heard extends Error {}

/** A token that has been used today already: nothing is noted of its use. */
const CAUSE = {
  request_id: '@request',
  now: NOW,
  principal: {
    token_id: TOKEN_ID,
    store_id: '@store',
    scopes: [],
    last_used_at: NOW,
    language: 'EN',
    custom_fields: new Set<string>(),
    webhook_endpoints: [],
  },
}

export async function recordStatements(): Promise<Recordings> {
  const user = { name: '@name', last_name: '@last_name', email: 'Email@floor.example', language: 'EN' }
  const input = { store_id: '@store', cause: CAUSE, user, password_hash: null }
  const claim = { token_id: TOKEN_ID, operation: 'v1.users.create', key: '@key', fingerprint: 'f'.repeat(43) } as const
  const access = {
    store_id: '@store',
    id: 123_456_789,
    status: 'without_access',
    access_due_date: 987_654_321,
    versions: undefined,
    cause: CAUSE,
  } as const
  return {
    create: await record((db) => createUser(db, { ...input, claim: undefined })),
    createWithKey: await record((db) => createUser(db, { ...input, claim })),
    update: await record((db) => updateProductAccess(db, access)),
    findToken: await record((db) => findPrincipal(db, unknownToken(), NOW)),
  }
}

/** Well formed, but of no store: refused after a look-up. */
export function unknownToken(): string {
  const secret = `rgs_${'0'.repeat(64)}`
  return secret + createHash('sha256').update(`checksum:${secret}`).digest('hex').slice(0, 8)
}

async function record(send: (db: Db) => Promise<unknown>): Promise<Recorded[]> {
  let heard: Recorded[] = []
  const listener = {
    prepare: (sql: string) => ({
      bind: (...values: unknown[]): Recorded => ({ sql, params: values.map(nameOf) }),
    }),
    batch(statements: Recorded[]) {
      heard = statements
      throw new Heard()
    },
    withSession: () => listener,
  }
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion -- only listens: the service calls nothing else
  const db = createDb(listener as unknown as D1Database)
  try {
    await send(db)
  } catch (error) {
    if (!(error instanceof Heard)) throw error
  }
  if (heard.length === 0) throw new Error('the service sent nothing')
  return heard
}

function nameOf(value: unknown): Recorded['params'][number] {
  const name = NAMES.get(value)
  return name === undefined ? { constant: value } : { name }
}
