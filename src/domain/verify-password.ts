import { createHmac } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { type Db, type Params, statement } from '../db/batch.ts'
import { type User, users } from '../db/schema.ts'
import { type Call, type CallValues, callValues } from './caller.ts'
import { emailKeyOf } from './emails.ts'
import { read, storeNumber } from './gate.ts'

/** The user who has the e-mail, for a caller who may try a password. */
export async function findUserByEmail(db: Db, call: Call, email: string): Promise<User | undefined> {
  const [user] = await read(db, call, selectByEmail({ ...callValues(call), email_key: emailKeyOf(email) }))
  return user
}

const selectByEmail = statement((p: Params<CallValues & { email_key: string }>, orm) =>
  orm
    .select()
    .from(users)
    .where(sql`${users.store} = ${storeNumber(p)} and ${users.email_key} = ${p.email_key}`),
)

/** What tries are counted by: the store and the e-mail, which the limiter itself does not learn. */
export function verificationKey(secret: string, call: Call, email: string): string {
  return createHmac('sha256', secret)
    .update(`verify:${call.store_slug}:${emailKeyOf(email)}`)
    .digest('base64url')
}
