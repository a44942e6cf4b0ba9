/** One column for the whole name, and one for a second surname. Each split is shown before anything is sent. */
import { normalizeName } from './normalize-name.ts'

export const FULL_NAME = 'full_name'
export const SECOND_LAST_NAME = 'second_last_name'
/** Fields of a CSV file or a sheet that the API does not have. */
export const NAME_COLUMNS: readonly string[] = [FULL_NAME, SECOND_LAST_NAME]

export interface SplitName {
  name: string
  last_name: string
}

/** How whole names, with single blanks, are split that the rule would split otherwise. */
export interface SplitNames {
  get: (whole: string) => SplitName | undefined
}

/** In such a column, "García López José" has the surname at its beginning, so only a comma says where it ends. */
const SURNAME_FIRST = /^(?:apell?idos?|surnames?|lastnames?|sobrenomes?)/

/** Words that begin a surname, as `normalizeName` returns them. */
const PARTICLES = new Set(
  'al ap ben bin da das de degli dei del della den der des di do dos du e el ibn la las le los mac mc san santa st ten ter van von y zu'.split(
    ' ',
  ),
)
const COMMA = /[,，،]/u

/** What an import says about its rule. */
export const SPLIT_RULE = 'after a comma the first names, otherwise at the first space'

/**
 * After a comma come the first names; without one, the first space ends them. Undefined if the text has no such place, or
 * more than one comma, which may separate two people or a title.
 */
export function splitName(text: string, heading: string): SplitName | undefined {
  const parts = text.split(COMMA).map((part) => part.trim())
  const [first = '', second = ''] = parts
  if (parts.length > 2) return undefined
  if (parts.length === 2) return first === '' || second === '' ? undefined : { name: second, last_name: first }
  const [, name, rest] = /^(\S+) (.+)$/u.exec(first) ?? []
  if (name === undefined || rest === undefined || isSurnameFirst(heading)) return undefined
  return { name, last_name: rest }
}

/**
 * All ways to split a name without a comma, for an operator to choose from: with more words in the part that comes first each
 * time. A comma says by itself where a name is split.
 */
export function splitsOf(text: string, heading: string): SplitName[] {
  const words = text.split(/\s+/u).filter((word) => word !== '')
  if (COMMA.test(text)) return []
  return words.slice(1).map((_, i) => {
    const parts: [string, string] = [words.slice(0, i + 1).join(' '), words.slice(i + 1).join(' ')]
    const [name, last_name] = isSurnameFirst(heading) ? parts.toReversed() : parts
    return { name: name ?? '', last_name: last_name ?? '' }
  })
}

/** True for a name that the rule may split in the wrong place: with a comma, a particle, or more than two words. */
export function isDoubtful(text: string): boolean {
  if (COMMA.test(text)) return true
  const words = text.split(/\s+/u)
  return words.length > 2 || words.some((word) => PARTICLES.has(normalizeName(word)))
}

export function isSurnameFirst(heading: string): boolean {
  return SURNAME_FIRST.test(normalizeName(heading))
}

/** What a column stands for: two of the same must not be in a file. */
export function setBy(field: string): string[] {
  if (field === 'user_id') return ['name', 'last_name', 'email']
  if (field === 'product_id') return ['product']
  return field === FULL_NAME ? ['name', 'last_name'] : [field]
}
