/** The search for a person by what is typed into a search box (contract, section 7, "Pagination"). */
import { SEARCH } from '../../../src/modules/users/limits.ts'
import type { Row } from '../rows.ts'
import { rule } from './values.ts'

/** Of a folded name so many characters are kept. */
const MAX_FOLDED_NAME = 255

const LETTERS = new Map([
  ['ł', 'l'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ı', 'i'],
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['‘', "'"],
  ['’', "'"],
  ['“', '"'],
  ['”', '"'],
  ['ħ', 'h'],
  ['ə', 'e'],
  ['ŋ', 'n'],
  ['\u0060', "'"],
  ['\u02bb', "'"],
  ['\u02bc', "'"],
  ...Array.from('\u2010\u2011\u2012\u2013\u2014\u2015', (dash): [string, string] => [dash, '-']),
])

/** Accents, cases and invisible characters do not matter, nor do letters that are written as others where a keyboard lacks them. */
export function folded(value: unknown): string {
  const text = String(value).replaceAll('\u00b4', "'").normalize('NFKD')
  const lower = text.replaceAll(/[\p{M}\p{Cf}·]/gu, '').toLowerCase()
  return Array.from(lower, (letter) => LETTERS.get(letter) ?? letter).join('')
}

const digits = (value: unknown) =>
  String(value)
    .normalize('NFKC')
    .replaceAll(/[^0-9]/g, '')
const words = (text: string) => text.split(/[\p{White_Space},]+/u).filter((word) => folded(word) !== '')

/** The digits that are looked for in phones; undefined if the text is none. */
function phoneOf(text: string): string | undefined {
  const plain = text.replaceAll(/\p{Cf}/gu, '').normalize('NFKC')
  const rest = digits(plain.replace('(0)', '')).replace(/^0+/, '')
  return /^[-+0-9()./\u2212\p{Pd}\p{White_Space}]+$/u.test(plain) && rest.length >= SEARCH.phoneDigits
    ? rest
    : undefined
}

export const searchText = rule((value) => {
  if (typeof value !== 'string' || !value.isWellFormed() || value.includes('\0')) return false
  if (Array.from(value).length > SEARCH.maxLength || value === '') return false
  const all = words(value)
  if (phoneOf(value) !== undefined && all.length > SEARCH.words) return true
  const length = Array.from(all.map(folded).join('')).length
  return all.length > 0 && all.length <= SEARCH.words && length <= SEARCH.maxFolded
})

function hasPhone(phone: unknown, text: string): boolean {
  const [own, sought] = [digits(phone ?? ''), phoneOf(text)]
  if (sought === undefined) return false
  return own.includes(sought) || (own.length >= 8 && sought.length >= 8 && own.slice(-8) === sought.slice(-8))
}

/** Every word must be part of a name or the email, or begin the external id. */
function hasWords({ name, last_name, email, external_id }: Row, text: string): boolean {
  const all = words(text)
  const texts = [name, last_name].map((each) => Array.from(folded(each)).slice(0, MAX_FOLDED_NAME).join(''))
  const begin = asciiLower(external_id ?? '')
  return (
    all.length <= SEARCH.words &&
    all.every(
      (word) =>
        [...texts, folded(email)].some((each) => each.includes(folded(word))) || begin.startsWith(asciiLower(word)),
    )
  )
}

const asciiLower = (value: unknown) => String(value).replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Those whose email starts with the text come first, ordered by email; all others follow by id. */
export function search(users: Row[], text: string): Row[] {
  const found = users.filter((user) => hasPhone(user['phone'], text) || hasWords(user, text))
  const first = found.filter(({ email }) => words(text).length === 1 && folded(email).startsWith(folded(text)))
  const byEmail = (a: Row, b: Row) => (asciiLower(a['email']) < asciiLower(b['email']) ? -1 : 1)
  return [...first.toSorted(byEmail), ...found.filter((user) => !first.includes(user))]
}
