/** `one`, `many` or `other`, as the language counts. */
export function plural(language: string, n: number): Intl.LDMLPluralRule {
  return new Intl.PluralRules(language).select(n)
}
