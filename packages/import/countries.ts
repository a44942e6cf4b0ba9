/** Finds the code of a country by its name in English, Spanish or Portuguese, as people write it in spreadsheets. */
import { isCountry } from '../../src/modules/users/countries.ts'
import { OTHER_NAMES } from './country-names.ts'
import { foldName, normalizeName } from './normalize-name.ts'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')
const LANGUAGES = ['en', 'en-GB', 'es', 'es-419', 'es-MX', 'es-AR', 'pt', 'pt-PT']
/** In ISO's lists, they stand behind the name or in brackets: "Corea (la República de)", "Países Bajos (los)". */
const SMALL_WORDS = new Set('a and as d da das de del do dos e el la las lo los o of os the y'.split(' '))

interface Names {
  exact: Map<string, string>
  /** By the words in any order. Null if they are those of several countries. */
  words: Map<string, string | null>
}

let known: Names | undefined

/** Returns the text unchanged if it names no country: the service then says so. */
export function countryCode(text: string): string {
  if (isCountry(text.trim().toUpperCase())) return text.trim()
  known ??= namesOfCountries()
  return known.exact.get(normalizeName(text)) ?? known.words.get(wordsOf(text)) ?? text
}

function namesOfCountries(): Names {
  const exact = new Map<string, string>()
  const words = new Map<string, string | null>()
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(isCountry)
  const add = (name: string, code: string) => {
    const key = wordsOf(name)
    const before = words.get(key)
    words.set(key, before === undefined || before === code ? code : null)
  }
  for (const [code, names] of Object.entries(OTHER_NAMES))
    for (const name of names) {
      exact.set(normalizeName(name), code)
      add(name, code)
    }
  for (const language of LANGUAGES) {
    const names = new Intl.DisplayNames(language, { type: 'region' })
    for (const code of codes) {
      const name = names.of(code) ?? code
      add(name, code)
      // A version of the CLDR may add the other name in brackets, or an ampersand.
      for (const each of [name, name.replace(/\s*\(.*\)$/, ''), name.replace(/^The /, ''), name.replaceAll('&', 'and')])
        if (!exact.has(normalizeName(each))) exact.set(normalizeName(each), code)
    }
  }
  return { exact, words }
}

function wordsOf(name: string): string {
  const all = foldName(name).match(/[\p{L}\p{N}]+/gu) ?? []
  return all
    .filter((word) => !SMALL_WORDS.has(word))
    .toSorted()
    .join(' ')
}
