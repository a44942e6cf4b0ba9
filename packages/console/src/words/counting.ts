/** Numbers and the nouns that agree with them, as a language or one of its variants writes them. */

export interface Counting {
  number: (n: number) => string
  /** The form that agrees with the number. */
  form: (n: number, singular: string, several: string) => string
  /** The number with that form: 1 loja, 2 lojas. */
  agreed: (n: number, singular: string, several: string) => string
  /** The same for a noun: Spanish and Portuguese write 1.000.000 de lojas. */
  count: (n: number, singular: string, several: string) => string
}

export function countingIn(tag: string): Counting {
  const rules = new Intl.PluralRules(tag)
  const number = (n: number) => n.toLocaleString(tag)
  // By the rules of CLDR, 0 is singular in Brazil, but “0 usuário” reads like a mistake.
  const form = (n: number, singular: string, several: string) => (n === 1 ? singular : several)
  const agreed = (n: number, singular: string, several: string) => `${number(n)} ${form(n, singular, several)}`
  return {
    number,
    form,
    agreed,
    count: (n, singular, several) => agreed(n, singular, rules.select(n) === 'many' ? `de ${several}` : several),
  }
}
