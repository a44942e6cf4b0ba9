/** Whether a text of a form is valid, by the rules of the API. */
import { isCountry } from '../../../../src/modules/users/countries.ts'
import { isSearch as isSearchText } from '../../../../src/modules/users/search-terms.ts'
import { emailKey } from '../../../../src/lib/emails.ts'
import { findUrlProblem } from '../../../../src/modules/webhooks/urls.ts'
import { LENGTH } from '../../../../src/limits.ts'
import { SEARCH } from '../../../../src/modules/users/limits.ts'
import { isLoopback } from '../../../../src/lib/loopback.ts'
import { BLANK, CUSTOM_FIELD_KEY, isHttpUrl, SLUG } from '../../../../src/formats/patterns.ts'

export type Check = (text: string) => boolean

export function isBlank(text: string): boolean {
  return BLANK.test(text)
}

export function filled(max: number): Check {
  return (text) => !isBlank(text) && isAtMost(text, max)
}

/** For an optional text. */
export function atMost(max: number): Check {
  return (text) => isAtMost(text, max)
}

function isAtMost(text: string, max: number): boolean {
  return Array.from(text).length <= max && !text.includes('\0')
}

/** For an optional field: an empty input is omitted from the request. */
export function emptyOr(check: Check): Check {
  return (text) => text === '' || check(text)
}

export const isEmail: Check = (text) => isAtMost(text, LENGTH.email) && emailKey(text) !== undefined

/** For the text of a search for users. */
export const isSearch: Check = (text) => isAtMost(text, SEARCH.maxLength) && isSearchText(text)

export const isCountryCode: Check = (text) => isCountry(text.toUpperCase())

export const isSlug: Check = (text) => SLUG.test(text)

export const isCustomFieldKey: Check = (text) => CUSTOM_FIELD_KEY.test(text)

export const isWebUrl: Check = (text) => isAtMost(text, LENGTH.url) && isHttpUrl(text)

/** In development, a webhook may go to this machine. */
export const isWebhookUrl: Check = (text) =>
  isAtMost(text, LENGTH.url) &&
  findUrlProblem(text, { isLocal: isLoopback(globalThis.location.hostname) }) === undefined

export function numberFrom(min: number, max: number): Check {
  return (text) => text.trim() !== '' && Number(text) >= min && Number(text) <= max
}

export function integerFrom(min: number, max: number): Check {
  return (text) => Number.isInteger(Number(text)) && numberFrom(min, max)(text)
}

/** For a field whose input offers valid values only. */
export const isAnything: Check = () => true
