/**
 * SQLite can fold ASCII only, so a user's folded names are stored, and whatever writes a name or an email writes its folded
 * form with it.
 */
import { params, type ValuesOf } from '../../db/statement.ts'
import { fold, foldName } from './folding.ts'

export const foldedParams = params('name_folded', 'last_name_folded', 'email_folded')

interface Given {
  name?: string | null | undefined
  last_name?: string | null | undefined
  email?: string | null | undefined
  /** The key of the email; null if there is no email. */
  email_key: string | null
}

/** Null for a name that is not given, and for an email whose folded form is its key, as it is for every one in ASCII. */
export function foldedValues({ name, last_name, email, email_key }: Given): ValuesOf<typeof foldedParams> {
  const email_folded = email == null ? null : fold(email)
  return {
    name_folded: name == null ? null : foldName(name),
    last_name_folded: last_name == null ? null : foldName(last_name),
    email_folded: email_folded === email_key ? null : email_folded,
  }
}
