/** What a text that is searched for consists of. The console reads it as well, so this file imports no database. */
import { digitsOf, fold, foldEmail, INVISIBLE, withoutWidth } from './folding.ts'
import { SEARCH } from './limits.ts'

/** A word of a search: `folded` is compared with names and emails, `typed` with the beginning of an external id. */
interface SearchWord {
  folded: string
  typed: string
}

export interface SearchTerms {
  /** The digits of a part of a phone. Null if the text is no phone. */
  phone: string | null
  /** The digits with which another spelling of the same phone ends. Null if there are fewer. */
  phone_end: string | null
  /** None if the text is a phone with more groups of digits than a search has words. */
  words: SearchWord[]
  /** Users whose email starts with this come first. Null if the text has a space or a comma, which no email has. */
  start: string | null
}

/** A phone is looked for as words, too: an external id or an email may consist of digits. */
export function searchTermsOf(text: string): SearchTerms {
  const words = wordsOf(text)
  const start = words.length === 1 ? (splitWords(foldEmail(text))[0] ?? null) : null
  const phone = phoneOf(text)
  const phone_end = phone !== null && phone.length >= SEARCH.phoneEnd ? phone.slice(-SEARCH.phoneEnd) : null
  return { phone, phone_end, words: phone !== null && words.length > SEARCH.words ? [] : words, start }
}

/** True for a text that a search takes: one to five words, or a phone. */
export function isSearch(text: string): boolean {
  const { phone, words } = searchTermsOf(text)
  return phone !== null || (words.length >= 1 && words.length <= SEARCH.words)
}

const PHONE = /^[\d\p{White_Space}\p{Pd}\u2212+()./]*$/u

/** Without the zeros of a prefix, and without a `(0)`, which is dialled within a country only. */
function phoneOf(text: string): string | null {
  const ascii = withoutWidth(text).replaceAll(INVISIBLE, '')
  if (!PHONE.test(ascii)) return null
  const digits = digitsOf(ascii.replace('(0)', '')).replace(/^0+/, '')
  return digits.length >= SEARCH.phoneDigits ? digits : null
}

/** The compatibility form of a character may contain a space, so what was typed as one word may be folded to several. */
function wordsOf(text: string): SearchWord[] {
  return splitWords(text).flatMap((word) =>
    splitWords(fold(word)).map((folded) => ({ folded, typed: lowerAscii(word) })),
  )
}

/** Words end at blanks and at the commas of every script. */
export function splitWords(text: string): string[] {
  return text.split(/[\p{White_Space},\u060c\u3001\uff0c\uff64]+/u).filter((word) => word !== '')
}

/** SQLite's `lower`. */
export function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}
