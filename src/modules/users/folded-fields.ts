/**
 * SQLite can fold ASCII only, so what a search compares is stored, and whatever writes a name, an email or a phone writes
 * its folded form with it.
 */
import { params, type ValuesOf } from '../../db/statement.ts'
import { digitsOf, foldEmail, foldName } from './folding.ts'

export const foldedParams = params('name_folded', 'last_name_folded', 'email_folded', 'phone_digits')

interface Given {
  name?: string | null | undefined
  last_name?: string | null | undefined
  email?: string | null | undefined
  /** The key of the email; null if there is no email. */
  email_key: string | null
  phone?: string | null | undefined
}

/** Null for a name or a phone that is not given, and for an email whose folded form is its key, as it is for every one in ASCII. */
export function foldedValues({ name, last_name, email, email_key, phone }: Given): ValuesOf<typeof foldedParams> {
  const email_folded = email == null ? null : foldEmail(email)
  return {
    name_folded: name == null ? null : foldName(name),
    last_name_folded: last_name == null ? null : foldName(last_name),
    email_folded: email_folded === email_key ? null : email_folded,
    phone_digits: phone == null ? null : digitsOf(phone),
  }
}
