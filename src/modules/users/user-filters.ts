/** The filters of lists and CSV files, and the order of lists. */
import * as z from 'zod/mini'
import { MAX_LENGTH } from './user-fields.ts'
import { searchTermsOf } from './folding.ts'
import { PAGE_LIMIT, SEARCH } from '../../limits.ts'
import { lazy } from '../../lib/lazy.ts'
import { anyText, emailAddress, parseNumber, readAs, textWhere } from '../../formats/values.ts'

const searchText = lazy(() =>
  anyText(SEARCH.maxLength).check(
    z.minLength(1, { error: `must be 1 to ${SEARCH.maxLength} characters` }),
    z.refine((text) => isSearch(text), { error: `must be 1 to ${SEARCH.words} words` }),
    z.refine((text) => foldedLength(text) <= SEARCH.maxFolded, {
      error: `its words, folded, must have at most ${SEARCH.maxFolded} characters together`,
    }),
  ),
)

function isSearch(text: string): boolean {
  const { phone, words } = searchTermsOf(text)
  return phone !== null || (words.length >= 1 && words.length <= SEARCH.words)
}

function foldedLength(text: string): number {
  const { words } = searchTermsOf(text)
  return Array.from(words.map(({ folded }) => folded).join('')).length
}

const idList = lazy(() =>
  readAs(
    textWhere((text) => parseIds(text) !== undefined, `must be 1 to ${PAGE_LIMIT.max} ids, separated by commas`).check(
      z.meta({ pattern: `^[1-9]\\d{0,15}(,[1-9]\\d{0,15}){0,${PAGE_LIMIT.max - 1}}$`, example: '12,13' }),
    ),
    (text) => parseIds(text) ?? [],
  ),
)

function parseIds(text: string): number[] | undefined {
  const numbers = text.split(',').map(parseNumber)
  const known = numbers.filter((number) => number !== undefined)
  return known.length === numbers.length && known.length <= PAGE_LIMIT.max ? known : undefined
}

export const userFilters = lazy(() => ({
  email: z.optional(emailAddress()),
  external_id: z.optional(anyText(MAX_LENGTH.external_id)),
  ids: z.optional(idList()),
  q: z.optional(searchText()),
}))
