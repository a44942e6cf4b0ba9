/**
 * Who may: nothing about a caller is remembered, so every batch asks D1 again. A token's HMAC has been checked
 * before (token-format.ts); here its row tells whether it is still good, and for what.
 * A token's store is told by its id, and where the path names one, too, that must be its name. An operator's is looked
 * up by the name in the path (caller.ts), and is null where there is none.
 */
import { type SQL, sql } from 'drizzle-orm'
import { batch, type Db } from '../../db/batch.ts'
import { type Params, statement } from '../../db/statement.ts'
import { idIn } from '../../db/ids.ts'
import { literal } from '../../db/literal.ts'
import { access_tokens, stores } from '../../db/schema.ts'
import { hasWord } from '../../db/words.ts'
import { type Call, type CallValues, callValues, ROOT } from './context.ts'
import { refusal, type Verdict } from '../errors.ts'

/** The id of the store's own row. */
export function storeRowId(p: Params<Pick<CallValues, 'store'>>): SQL<number | null> {
  return idIn(p.store, sql`1`)
}

/**
 * What speaks against the caller, first things first: `invalid_token`, `store_suspended`, `insufficient_scope`, or
 * null. Suspending a store refuses its tokens; operators go on.
 */
export function gate(p: Params<CallValues>): SQL<Verdict | null> {
  const isGood = sql`t.revoked_at is null and coalesce(t.expires_at > ${p.now}, 1)
    and (t.hash = ${p.caller_hash} or coalesce(t.older_hashes ->> ${p.caller_hash}, 0) > ${p.now})
    and (s.id is null or ${p.store_slug} is null or s.slug = ${p.store_slug})`
  return sql`(select case
      when ${p.caller} = ${literal(ROOT)} then null
      when t.id is null or not (${isGood}) then 'invalid_token'
      when s.suspended_at is not null then 'store_suspended'
      when ${p.needs} is not null and not ${hasWord(sql`t.scopes`, p.needs)} then 'insufficient_scope'
    end from (select 1)
    left join ${access_tokens} t on t.id = ${p.caller} left join ${stores} s on s.id = ${idIn(sql`(t.id >> 32)`, sql`1`)})`
}

const tellGate = statement((p: Params<CallValues>, orm) =>
  orm.select({ verdict: gate(p).as('verdict') }).from(sql`(select 1)`),
)

/** Throws what speaks against the caller: for answers that must be told to nobody else. */
export async function confirmCaller(db: Db, call: Call): Promise<void> {
  if (call.caller.id === ROOT) return
  const values = callValues(call)
  const { alsoNeeds } = call.caller
  const { told, also } = await batch(
    db,
    { told: tellGate(values), also: alsoNeeds === undefined ? undefined : tellGate({ ...values, needs: alsoNeeds }) },
    { retry: 'it only reads' },
  )
  const verdict = told[0]?.verdict ?? also?.[0]?.verdict
  if (verdict) throw refusal(verdict)
}
