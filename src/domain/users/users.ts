import { and, asc, eq, gt, isNull, or } from 'drizzle-orm'
import type { Db } from '../../db/batch.ts'
import { idIn, isOfStore, numberOf } from '../../db/ids.ts'
import { type User, users } from '../../db/schema.ts'
import { limitOf, orm, params, statement } from '../../db/statement.ts'
import { type RequestContext, storeNumber } from '../change/context.ts'
import { read, readOne } from '../change/read.ts'
import { type Page, pageParams, type PageRequest, readPage } from '../pages.ts'
import { emailKeyOf } from './emails.ts'

const numberParams = params('number')

const selectUser = statement(numberParams, () =>
  orm
    .select()
    .from(users)
    .where(eq(users.id, idIn(storeNumber, numberParams.number))),
)

/** Throws the errors of the authorization and `not_found`. */
export function getUser(db: Db, context: RequestContext, number: number): Promise<User> {
  return readOne(db, context, selectUser({ number }))
}

/** Finds the user of the store who has the email, in any letter case. Throws the errors of the authorization. */
export async function findUserByEmail(db: Db, context: RequestContext, email: string): Promise<User | undefined> {
  const values = { email_key: emailKeyOf(email), external_id: null, after: 0, count: 1 }
  const [user] = await read(db, context, selectByEmail(values))
  return user
}

interface UserFilters {
  /** Compared without regard to letter case. */
  email?: string | undefined
  external_id?: string | undefined
}

/** The users of a store, ordered by number. Throws the errors of the authorization. */
export function listUsers(
  db: Db,
  context: RequestContext,
  { email, external_id, limit, after = 0 }: UserFilters & PageRequest<number>,
): Promise<Page<User>> {
  return readPage(db, context, {
    limit,
    cursorOf: (row) => numberOf(row.id),
    select: (count) => {
      const page = { after, count }
      if (email !== undefined) {
        return selectByEmail({ ...page, email_key: emailKeyOf(email), external_id: external_id ?? null })
      }
      return external_id === undefined ? selectUsers(page) : selectByExternalId({ ...page, external_id })
    },
  })
}

const selectUsers = statement(pageParams, () =>
  orm
    .select()
    .from(users)
    .where(isOfStore(users.id, storeNumber, pageParams.after))
    .orderBy(asc(users.id))
    .limit(limitOf(pageParams.count)),
)

const isAfter = gt(users.id, idIn(storeNumber, pageParams.after))

const filterParams = { ...pageParams, ...params('email_key', 'external_id') }

const selectByEmail = statement(filterParams, () =>
  orm
    .select()
    .from(users)
    .where(
      and(
        eq(users.store, storeNumber),
        eq(users.email_key, filterParams.email_key),
        or(isNull(filterParams.external_id), eq(users.external_id, filterParams.external_id)),
        isAfter,
      ),
    )
    .limit(limitOf(pageParams.count)),
)

const externalIdParams = { ...pageParams, ...params('external_id') }

const selectByExternalId = statement(externalIdParams, () =>
  orm
    .select()
    .from(users)
    .where(and(eq(users.store, storeNumber), eq(users.external_id, externalIdParams.external_id), isAfter))
    .orderBy(asc(users.id))
    .limit(limitOf(pageParams.count)),
)
