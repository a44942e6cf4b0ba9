/** Forms of texts, without Zod: the console checks its forms with them before it sends a request. */
import { LENGTH } from '../limits.ts'

export const BLANK = /^\p{White_Space}*$/u
export const SLUG = new RegExp(`^[a-z0-9][a-z0-9_-]{0,${LENGTH.slug - 1}}$`)
export const CUSTOM_FIELD_KEY = new RegExp(`^[A-Za-z0-9_.-]{1,${LENGTH.customFieldKey}}$`)

export function isHttpUrl(value: string): boolean {
  return /^https?:\/\//i.test(value) && !DROPPED_BY_PARSER.test(value) && URL.canParse(value)
}

/** The URL parser silently drops spaces around the URL, and tabs and line breaks anywhere. */
export const DROPPED_BY_PARSER = /^[\p{White_Space}\p{Cc}]|[\p{White_Space}\p{Cc}]$|[\t\n\r]/u
