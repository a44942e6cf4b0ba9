/**
 * A search goes on where the search for the beginning of its text has got to: who matches `jose garcia` also matches `jose
 * gar`. If each letter began again with the first user, the last of 50,000 users would appear five requests after the last
 * letter.
 */
import { digitsOf, fold, foldName } from '../../../../../src/modules/users/folding.ts'
import { lowerAscii, type SearchTerms, searchTermsOf } from '../../../../../src/modules/users/search-terms.ts'
import type { List } from '../../api/pages.ts'
import type { User } from './draft.ts'

interface Progress {
  store: string
  q: string
  /** The users who match, of those that have been examined. */
  users: User[]
  next: string | null
  /** In milliseconds since the epoch. */
  startedAt: number
}

/** The last search of a screen. Each search that goes on from it puts itself in its place. */
export interface LastSearch {
  current: Progress | undefined
}

export const noSearch = (): LastSearch => ({ current: undefined })

/** After this time, the rows may have changed. */
const MAX_AGE_MS = 5_000

/** `list` is the search for `q`. The first page is what is already known, if the last search can be continued. */
export function goOn(last: LastSearch, { store, q }: { store: string; q: string }, list: List<User>): List<User> {
  let own: Progress | undefined
  return async (after, request) => {
    const known = after === undefined && last.current?.store === store ? narrow(last.current, q) : undefined
    if (known) {
      own = last.current = known
      return { data: known.users, next: known.next }
    }
    const startedAt = Date.now()
    const page = await list(after, request)
    const isFirst = after === undefined
    if (isFirst) own = last.current = { store, q, users: page.data, next: page.next, startedAt }
    else if (own && own === last.current)
      own = last.current = { ...own, users: [...own.users, ...page.data], next: page.next }
    return page
  }
}

/** What the search has found for a longer text. Undefined if that must begin again. */
function narrow(search: Progress, q: string): Progress | undefined {
  const start = fold(search.q)
  const [terms, known] = [searchTermsOf(q), searchTermsOf(search.q)]
  // Users whose email starts with the text come first. For a longer text they can belong to another place.
  const hasEmails = search.users.some(({ email }) => fold(email).startsWith(start))
  const isOld = Date.now() - search.startedAt > MAX_AGE_MS
  const isLonger = lowerAscii(q).startsWith(lowerAscii(search.q)) && isPhoneWithin(terms, known)
  if (hasEmails || isOld || !isLonger) return undefined
  return { ...search, q, users: search.users.filter((user) => isFoundBy(user, terms)) }
}

/**
 * With a ninth digit, the last eight are other ones, and with `)`, a `(0)` no longer counts: both find users whom the
 * shorter text does not.
 */
function isPhoneWithin({ phone, phone_end }: SearchTerms, known: SearchTerms): boolean {
  if (phone === null || known.phone === null) return phone === known.phone
  return phone === known.phone || (phone_end ?? phone).includes(known.phone)
}

function isFoundBy(user: User, terms: SearchTerms): boolean {
  return hasPhone(user, terms) || hasWords(user, terms)
}

function hasPhone(user: User, { phone, phone_end }: SearchTerms): boolean {
  const digits = digitsOf(user.phone ?? '')
  return (phone !== null && digits.includes(phone)) || (phone_end !== null && digits.endsWith(phone_end))
}

function hasWords({ name, last_name, email, external_id }: User, { words }: SearchTerms): boolean {
  const texts = [foldName(name), foldName(last_name), fold(email)]
  const id = lowerAscii(external_id ?? '')
  return (
    words.length > 0 &&
    words.every(({ folded, typed }) => texts.some((text) => text.includes(folded)) || id.startsWith(typed))
  )
}
