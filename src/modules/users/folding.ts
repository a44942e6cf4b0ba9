/**
 * Texts as a search compares them: without case and accents, and phones by their digits. The console compares as well, so
 * this file imports no database.
 */

/** Of a folded name so many characters are kept: a name of 255 characters may become one of 4,590. */
const MAX_FOLDED_NAME = 255

/** Letters, quotes and apostrophes that NFKD leaves as they are, each with its replacement. `ς` is what `Σ` becomes at the end of a word only. */
const REPLACEMENTS =
  `łl øo đd ðd þth ıi ßss æae œoe ħh əe ŋn ςσ ‘' ’' ‚' ‛' ‹' ›' ʹ' ʻ' ʼ' ʽ' ʾ' ʿ' ˈ' ′' ‵' ՚' ׳' ꞌ' “" ”" „" ‟" «" »"`.split(
    ' ',
  )

const LETTERS = new Map(REPLACEMENTS.map((pair) => [pair.slice(0, 1), pair.slice(1)]))

const LETTER = new RegExp(`[${[...LETTERS.keys()].join('')}]`, 'gu')

/** Accents that stand alone and are typed as apostrophes. NFKD would make a blank of them. */
const LONE_ACCENTS = /[\u00b4\u1fbd\u1fbf\u1ffd]/gu

export const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

const DASHES = /[\p{Pd}\u2212]/gu

/** Unicode NFKD without marks, invisible characters and middle dots, in lower case, with the letters above replaced. */
export function fold(text: string): string {
  return foldEmail(text).replaceAll('`', "'")
}

/** Like `fold`, but an email keeps the character "`": the unique index has it, and its ranges are looked for in there. */
export function foldEmail(text: string): string {
  const lower = text
    .replaceAll(LONE_ACCENTS, "'")
    .normalize('NFKD')
    .replaceAll(/[\p{M}\u00b7\u2027]/gu, '')
    .replaceAll(INVISIBLE, '')
    .toLowerCase()
  return lower.replaceAll(LETTER, (letter) => LETTERS.get(letter) ?? letter).replaceAll(DASHES, '-')
}

export function foldName(name: string): string {
  const folded = fold(name)
  return folded.length <= MAX_FOLDED_NAME ? folded : Array.from(folded).slice(0, MAX_FOLDED_NAME).join('')
}

export function digitsOf(phone: string): string {
  return withoutWidth(phone).replaceAll(/\D/g, '')
}

/** Full-width forms of ASCII become ASCII. */
export function withoutWidth(text: string): string {
  return text.replaceAll(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
}
