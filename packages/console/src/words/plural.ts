/** Returns `one`, `many` or `other`, by the plural rules of the language. */
export function plural(language: string, n: number): Intl.LDMLPluralRule {
  return new Intl.PluralRules(language).select(n)
}
