/**
 * Numbers of a response that have more digits than a double. JSON.parse would make other numbers of them, without a word: a
 * custom field or a grade may be one, such as a number of 20 digits in another system. As texts they are shown as they were
 * sent. A form sends only what was changed in it.
 */
import { STRING_OR_NUMBER } from '../../../../src/lib/json.ts'

/** Every number with so many digits keeps them in a double. */
const KEPT_DIGITS = 15

/** Most responses have no run of so many digits, and need not be read twice. */
const MAY_BE_LONG = new RegExp(String.raw`[\d.]{${KEPT_DIGITS + 1}}`)

export function longNumbersAsTexts(json: string): string {
  if (!MAY_BE_LONG.test(json)) return json
  return json.replace(STRING_OR_NUMBER, (token) => (token[0] !== '"' && isLong(token) ? `"${token}"` : token))
}

function isLong(number: string): boolean {
  const digits = number
    .replace(/[eE].*$/, '')
    .replace(/[-.]/g, '')
    .replace(/^0+/, '')
  return digits.length > KEPT_DIGITS
}
