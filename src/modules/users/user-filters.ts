/** The filters of lists and CSV files, and the order of lists. */
import * as z from 'zod/mini'
import { MAX_LENGTH } from './user-fields.ts'
import { isSearch, searchTermsOf } from './search-terms.ts'
import { SEARCH } from './limits.ts'
import { lazy } from '../../lib/lazy.ts'
import { customFieldFilter } from '../../formats/custom-field-values.ts'
import { idList } from '../../formats/pages.ts'
import { anyText, emailAddress, whereverThereIs } from '../../formats/values.ts'
import { isObject } from '../../lib/json.ts'

const searchText = lazy(() =>
  anyText(SEARCH.maxLength).check(
    z.minLength(1, { error: `must be 1 to ${SEARCH.maxLength} characters` }),
    z.refine(isSearch, { error: `must be 1 to ${SEARCH.words} words` }),
    z.refine((text) => foldedLength(text) <= SEARCH.maxFolded, {
      error: `its words, folded, must have at most ${SEARCH.maxFolded} characters together`,
    }),
  ),
)

function foldedLength(text: string): number {
  const { words } = searchTermsOf(text)
  return Array.from(words.map(({ folded }) => folded).join('')).length
}

export const userFilters = lazy(() => ({
  email: z.optional(emailAddress()),
  external_id: z.optional(anyText(MAX_LENGTH.external_id)),
  ids: z.optional(idList()),
  q: z.optional(searchText()),
  custom_fields: z.optional(customFieldFilter()),
}))

/** A search looks for its words in the order of the emails first, and a value is looked for in the order of the ids. */
export const isSearchOrField = lazy(() =>
  z.check<{ q?: unknown; custom_fields?: unknown }>(({ value, issues }) => {
    const { q, custom_fields } = value
    if (q === undefined || custom_fields === undefined) return
    // A filter that is valid has become a pair. Otherwise these are the parameters as sent: each but the first has an issue.
    const [key = ''] = Array.isArray(custom_fields) ? custom_fields.map(String) : Object.keys(Object(custom_fields))
    const path = ['custom_fields', key]
    if (issues.some((issue) => issue.path?.join('.') === path.join('.'))) return
    issues.unshift({ code: 'custom', message: 'must be omitted with q', input: value, path })
  }, whereverThereIs(isObject)),
)
