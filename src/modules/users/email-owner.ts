/** The rule that no two users of a store have the same email. */
import { and, eq, isNotNull } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { numberIn } from '../../db/ids.ts'
import { users } from '../../db/schema.ts'
import { params } from '../../db/statement.ts'
import { lazy } from '../../lib/lazy.ts'
import { permittedStore } from '../../change/event.ts'
import { rule } from '../../change/request.ts'

export const emailParams = params('email_key')

/** The user of the store who already has the email, to be joined to the request. */
export const emailOwner = alias(users, 'emailOwner')

export const isEmailOwner = lazy(() =>
  and(eq(emailOwner.store, permittedStore), eq(emailOwner.email_key, emailParams.email_key)),
)

export const emailTaken = lazy(() =>
  rule('email_taken', isNotNull(emailOwner.id), { existing: numberIn(emailOwner.id) }),
)
