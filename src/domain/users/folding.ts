/** Texts as a search compares them: without case and accents. The console folds too, so this file imports no database. */

/** Unicode NFKD without marks, in lower case. `ς` is what `Σ` becomes at the end of a word only, so it counts as `σ`. */
export function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ')
}

/** The words of a search, folded. The compatibility form of a character may contain a space, so it is split afterwards. */
export function foldedWords(text: string): string[] {
  return fold(text)
    .split(/\p{White_Space}+/u)
    .filter((word) => word !== '')
}
