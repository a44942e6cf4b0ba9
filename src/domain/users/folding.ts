/** Texts as a search compares them: without case and accents. The console folds too, so this file imports no database. */

import { SEARCH } from '../../limits.ts'

/** Unicode NFKD without marks, in lower case. `ς` is what `Σ` becomes at the end of a word only, so it counts as `σ`. */
export function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ')
}

/** A name as a search compares it: folded, and cut, because a name of 255 characters may become one of 4,590. */
export function foldName(name: string): string {
  const folded = fold(name)
  return folded.length <= SEARCH.foldedName ? folded : Array.from(folded).slice(0, SEARCH.foldedName).join('')
}

/** The words of a search, folded. The compatibility form of a character may contain a space, so it is split afterwards. */
export function foldedWords(text: string): string[] {
  return fold(text)
    .split(/\p{White_Space}+/u)
    .filter((word) => word !== '')
}
