import { asc, sql } from 'drizzle-orm'
import { batch, type Db, type Params, statement } from '../db/batch.ts'
import { isIn, numberOf } from '../db/ids.ts'
import { type AccessToken, access_tokens } from '../db/schema.ts'
import { type Call, type CallValues, callValues } from './caller.ts'
import { creationOf } from './creations.ts'
import { ownEvent, settle } from './decisions.ts'
import { refusal } from './facts.ts'
import { storeNumber } from './gate.ts'
import { type Page, type PageRequest, readPage } from './pages.ts'
import { newSecret, writeToken } from './token-format.ts'

interface NewToken {
  call: Call
  /** TOKEN_KEY. */
  key: string
  name: string
  scopes: string
  /** Milliseconds since the epoch. */
  expires_at: number | null
}

const create = creationOf<
  { name: string; scopes: string; expires_at: number | null; hash: string },
  typeof access_tokens
>({
  table: access_tokens,
  type: 'access_token.created',
  columns: (p) => ({
    id: sql`e.id`,
    name: p.name,
    hash: p.hash,
    older_hashes: null,
    scopes: p.scopes,
    created_at: p.now,
    expires_at: p.expires_at,
    revoked_at: null,
    last_used_at: null,
    event_id: sql`e.id`,
  }),
})

/** The token that this request has made. */
const findOwn = statement((p: Params<CallValues>, orm) =>
  orm
    .select()
    .from(access_tokens)
    .where(sql`id = ${ownEvent(p)}`),
)

/** The row, and the token itself, which nothing can show again. */
export async function createAccessToken(db: Db, input: NewToken): Promise<{ row: AccessToken; token: string }> {
  const { call, key, name, scopes, expires_at } = input
  const { bits, hash } = newSecret()
  const values = { ...callValues(call), name, scopes, expires_at, hash }
  const { told, found } = await batch(
    db,
    { ...create(values), found: findOwn(values) },
    { retry: 'it finds its own event' },
  )
  const verdict = settle(db, told)
  if (verdict !== null) throw refusal(verdict)
  const [row] = found
  if (!row) throw new Error('the batch that creates a token found none')
  return { row, token: writeToken(key, row.id, bits) }
}

export function listAccessTokens(
  db: Db,
  call: Call,
  { limit, after = 0 }: PageRequest<number>,
): Promise<Page<AccessToken>> {
  return readPage(db, call, {
    limit,
    cursorOf: (row) => numberOf(row.id),
    select: (count) => selectTokens({ ...callValues(call), after, count }),
  })
}

const selectTokens = statement((p: Params<CallValues & { after: number; count: number }>, orm) =>
  orm
    .select()
    .from(access_tokens)
    .where(isIn(sql`${access_tokens.id}`, storeNumber(p), p.after))
    .orderBy(asc(access_tokens.id))
    .limit(p.count),
)
