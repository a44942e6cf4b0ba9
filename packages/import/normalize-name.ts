/** Two ways to compare names. Letters of every script count in both: without that, `#` and 年 would both be nothing, and equal. */

/** Without accents, case and wider blanks. Signs count: C, C++ and C# are three names. */
export function foldName(name: string): string {
  return name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\s+/gu, ' ').trim()
}

/** Without blanks and signs, too. A text that has no letter or digit is empty, and must equal nothing. */
export function normalizeName(name: string): string {
  return foldName(name).replaceAll(/[^\p{L}\p{N}]/gu, '')
}
