/**
 * Texts as a search compares them: without case and accents, and phones by their digits. The console compares as well, so
 * this file imports no database.
 */
import { SEARCH } from '../../limits.ts'

/** Letters and quotes that NFKD leaves as they are, each with its replacement. `ς` is what `Σ` becomes at the end of a word only. */
const REPLACEMENTS = `łl øo đd ðd þth ıi ßss æae œoe ςσ ‘' ’' ‚' ‛' ‹' ›' ʼ' “" ”" „" ‟" «" »"`.split(' ')

const LETTERS = new Map(REPLACEMENTS.map((pair) => [pair.slice(0, 1), pair.slice(1)]))

const LETTER = new RegExp(`[${[...LETTERS.keys()].join('')}]`, 'gu')

/** Unicode NFKD without marks, in lower case, with the letters above replaced. */
export function fold(text: string): string {
  const lower = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return lower.replaceAll(LETTER, (letter) => LETTERS.get(letter) ?? letter)
}

/** A name as a search compares it: folded, and cut, because a name of 255 characters may become one of 4,590. */
export function foldName(name: string): string {
  const folded = fold(name)
  return folded.length <= SEARCH.foldedName ? folded : Array.from(folded).slice(0, SEARCH.foldedName).join('')
}

export function digitsOf(phone: string): string {
  return phone.replaceAll(/\D/g, '')
}

/** SQLite's `lower`. */
export function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** A word of a search: `folded` is compared with names and emails, `typed` with the beginning of an external id. */
interface SearchWord {
  folded: string
  typed: string
}

export interface SearchTerms {
  /** The digits of a part of a phone. Null if the search is for words. */
  phone: string | null
  /** None if the search is for a phone. */
  words: SearchWord[]
  /** Users whose email starts with this come first. Null if the text has a space, which no email has. */
  start: string | null
}

export function searchTermsOf(text: string): SearchTerms {
  const words = wordsOf(text)
  const start = words.length === 1 ? (words[0]?.folded ?? null) : null
  const phone = /^[\d\p{White_Space}+().-]*$/u.test(text) ? digitsOf(text) : ''
  return phone.length >= SEARCH.phoneDigits ? { phone, words: [], start } : { phone: null, words, start }
}

/** The compatibility form of a character may contain a space, so what was typed as one word may be folded to several. */
function wordsOf(text: string): SearchWord[] {
  return splitAtSpace(text).flatMap((word) =>
    splitAtSpace(fold(word)).map((folded) => ({ folded, typed: lowerAscii(word) })),
  )
}

function splitAtSpace(text: string): string[] {
  return text.split(/\p{White_Space}+/u).filter((word) => word !== '')
}
