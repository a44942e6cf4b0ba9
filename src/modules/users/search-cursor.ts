/** The cursor of a search among users. A search has two parts; the cursor is a position in one of them. */
import * as z from 'zod/mini'
import type { SearchCursor } from './search-users.ts'
import { lazy } from '../../lib/lazy.ts'
import { parseNumber, textWhere } from '../../formats/values.ts'

export function writeSearchCursor(cursor: SearchCursor): string {
  return 'number' in cursor ? `n${cursor.number}` : `e${Buffer.from(cursor.email_key).toString('base64url')}`
}

/** Undefined if `writeSearchCursor` cannot have returned the text. */
export function readSearchCursor(text: string): SearchCursor | undefined {
  const rest = text.slice(1)
  if (text.startsWith('n')) {
    const number = rest === '0' ? 0 : parseNumber(rest)
    return number === undefined ? undefined : { number }
  }
  const email_key = Buffer.from(rest, 'base64url').toString('latin1')
  const cursor = { email_key }
  return email_key !== '' && writeSearchCursor(cursor) === text ? cursor : undefined
}

/** True if `after` can be a cursor of the list: a number, or with `q` a cursor of the search. */
export function isCursor(after: string, { isSearch }: { isSearch: boolean }): boolean {
  return (isSearch ? readSearchCursor(after) : parseNumber(after)) !== undefined
}

export const NOT_A_CURSOR = 'is not a cursor of this list'

/** A cursor of the list or of the search. Which of them is valid depends on `q`. */
export const userCursor = lazy(() =>
  textWhere((value) => isCursor(value, { isSearch: true }) || isCursor(value, { isSearch: false }), NOT_A_CURSOR).check(
    z.meta({ example: '1' }),
  ),
)
