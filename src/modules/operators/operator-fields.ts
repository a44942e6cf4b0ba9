/** What creating and changing an operator have in common: the email, which no other operator has, and the stores. */
import { and, eq, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { storeIn } from '../../db/ids.ts'
import { access_tokens, directory, stores } from '../../db/schema.ts'
import { lazySql, orm, params } from '../../db/statement.ts'
import { rule } from '../../change/request.ts'
import { isComplete } from '../store-directory/directory.ts'
import type { Role } from '../../auth/scopes.ts'
import { emailKeyOf } from '../../lib/emails.ts'

/** A role has the words of those whose operations it may call. */
export const SCOPES_OF = {
  viewer: 'viewer',
  office: 'viewer office',
  admin: 'viewer office admin',
} as const satisfies Record<Role, string>

/** `stores` is a JSON list of slugs, or null. */
export const operatorParams = params('email', 'email_key', 'stores')

export function emailValues(email: string | null) {
  return { email, email_key: email === null ? null : emailKeyOf(email) }
}

/** The operator who has the email already, to be joined to the request. A revoked one has given it up. */
export const operatorWithEmail = alias(access_tokens, 'operatorWithEmail')

export function isOperatorWithEmail() {
  return and(eq(operatorWithEmail.email_key, operatorParams.email_key), isNull(operatorWithEmail.revoked_at))
}

export function operatorEmailTaken() {
  return rule('operator_email_taken', isNotNull(operatorWithEmail.id))
}

/** The columns of a query over the slugs of the request. */
const given = { position: sql<number>`given.key`, slug: sql<string>`given.value` }

const givenSlugs = sql`json_each(${operatorParams.stores}) given`

/** The number of the store with the slug, which may have a database of its own; null if there is no such store. */
const givenNumber = lazySql<number | null>(() => {
  const shared = orm
    .select({ number: storeIn(stores.id) })
    .from(stores)
    .where(eq(stores.slug, given.slug))
  const own = orm
    .select({ number: directory.number })
    .from(directory)
    .where(and(eq(directory.slug, given.slug), isComplete))
  return sql`coalesce(${shared}, ${own})`
})

/** The numbers of the stores that the request names, in its order; null if it names none. */
export const givenNumbers = lazySql<string | null>(() =>
  orm.select({ numbers: sql`group_concat(${givenNumber}, ' ' order by ${given.position})` }).from(givenSlugs),
)

/** The positions of the slugs that no store has, as a JSON list. */
const unknownPositions = lazySql<string>(() =>
  orm
    .select({ positions: sql`json_group_array(${given.position})` })
    .from(givenSlugs)
    .where(isNull(givenNumber)),
)

export function unknownStores() {
  return rule('unknown_stores', ne(unknownPositions, '[]'), { positions: sql`json(${unknownPositions})` })
}
