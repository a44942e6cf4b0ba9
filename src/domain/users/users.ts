import { asc, sql } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { type Params, statement } from '../../db/statement.ts'
import { idIn, isOfStore, numberOf } from '../../db/ids.ts'
import { type User, users } from '../../db/schema.ts'
import { type Call, type CallValues, callValues } from '../change/context.ts'
import { emailKeyOf } from './emails.ts'
import { type Page, type PageRequest, readPage } from '../pages.ts'
import { read, readOne } from '../change/read.ts'

/** The user `number` of the store; none where it is another store's. */
export const selectUser = statement((p: Params<CallValues & { number: number }>, orm) =>
  orm
    .select()
    .from(users)
    .where(sql`${users.id} = ${idIn(p.store, p.number)}`),
)

/** Throws `not_found`. */
export function getUser(db: Db, call: Call, number: number): Promise<User> {
  return readOne(db, call, selectUser({ ...callValues(call), number }))
}

/** The user of the store who has the e-mail, however it is spelled. */
export async function findUserByEmail(db: Db, call: Call, email: string): Promise<User | undefined> {
  const values = { ...callValues(call), email_key: emailKeyOf(email), external_id: null, after: 0, count: 1 }
  const [user] = await read(db, call, selectByEmail(values))
  return user
}

interface UserFilters {
  /** Compared as uniqueness does. */
  email?: string | undefined
  external_id?: string | undefined
}

type ListValues = CallValues & { after: number; count: number }

/** The users of a store, by their numbers. */
export function listUsers(db: Db, call: Call, input: UserFilters & PageRequest<number>): Promise<Page<User>> {
  const { email, external_id, limit, after = 0 } = input
  return readPage(db, call, {
    limit,
    cursorOf: (row) => numberOf(row.id),
    select: (count) => {
      const values = { ...callValues(call), after, count }
      if (email !== undefined) {
        return selectByEmail({ ...values, email_key: emailKeyOf(email), external_id: external_id ?? null })
      }
      return external_id === undefined ? selectUsers(values) : selectByExternalId({ ...values, external_id })
    },
  })
}

const selectUsers = statement((p: Params<ListValues>, orm) =>
  orm
    .select()
    .from(users)
    .where(isOfStore(sql`${users.id}`, p.store, p.after))
    .orderBy(asc(users.id))
    .limit(p.count),
)

const selectByEmail = statement((p: Params<ListValues & { email_key: string; external_id: string | null }>, orm) =>
  orm
    .select()
    .from(users)
    .where(
      sql`${users.store} = ${p.store} and ${users.email_key} = ${p.email_key}
          and (${p.external_id} is null or ${users.external_id} = ${p.external_id})
          and ${users.id} > ${idIn(p.store, p.after)}`,
    )
    .limit(p.count),
)

const selectByExternalId = statement((p: Params<ListValues & { external_id: string }>, orm) =>
  orm
    .select()
    .from(users)
    .where(
      sql`${users.store} = ${p.store} and ${users.external_id} = ${p.external_id}
        and ${users.id} > ${idIn(p.store, p.after)}`,
    )
    .orderBy(asc(users.id))
    .limit(p.count),
)
