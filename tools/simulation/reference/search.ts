/** The search for a person by what one would type (contract, section 7, "Pagination"). */
import { SEARCH } from '../../../src/limits.ts'
import type { Row } from '../rows.ts'
import { rule } from './values.ts'

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
])

/** Accents and cases do not matter, nor do letters that are written as others where a keyboard lacks them. */
export function folded(value: unknown): string {
  const lower = String(value).normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return Array.from(lower, (letter) => LETTERS.get(letter) ?? letter).join('')
}

const digits = (value: unknown) => String(value).replaceAll(/[^0-9]/g, '')
const words = (text: string) => text.split(/\p{White_Space}+/u).filter((word) => folded(word) !== '')
const isPhone = (text: string) =>
  /^[-+0-9().\p{White_Space}]+$/u.test(text) && digits(text).length >= SEARCH.phoneDigits

export const searchText = rule((value) => {
  if (typeof value !== 'string' || !value.isWellFormed() || value.includes('\0')) return false
  if (Array.from(value).length > SEARCH.maxLength || value === '') return false
  if (isPhone(value)) return true
  const all = words(value)
  const length = Array.from(all.map(folded).join('')).length
  return all.length > 0 && all.length <= SEARCH.words && length <= SEARCH.maxFolded
})

/** Every word must be part of a name or the email, or begin the external id. A phone's digits are part of the phone's. */
function isFound({ name, last_name, email, external_id, phone }: Row, text: string): boolean {
  if (isPhone(text)) return digits(phone ?? '').includes(digits(text))
  const texts = [name, last_name].map((each) => Array.from(folded(each)).slice(0, SEARCH.foldedName).join(''))
  const begin = asciiLower(external_id ?? '')
  return words(text).every(
    (word) =>
      [...texts, folded(email)].some((each) => each.includes(folded(word))) || begin.startsWith(asciiLower(word)),
  )
}

const asciiLower = (value: unknown) => String(value).replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Those whose email starts with the text come first, ordered by email; all others follow by id. */
export function search(users: Row[], text: string): Row[] {
  const found = users.filter((user) => isFound(user, text))
  const first = found.filter(({ email }) => words(text).length === 1 && folded(email).startsWith(folded(text)))
  const byEmail = (a: Row, b: Row) => (asciiLower(a['email']) < asciiLower(b['email']) ? -1 : 1)
  return [...first.toSorted(byEmail), ...found.filter((user) => !first.includes(user))]
}
