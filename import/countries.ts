/** Finds the code of a country by its name in English, Spanish or Portuguese, as people write it in spreadsheets. */
import { isCountry } from '../src/domain/users/countries.ts'

/** Common names that are not those of the Unicode CLDR, as `normalize` returns them. */
const OTHER_NAMES: Record<string, string> = {
  usa: 'US',
  us: 'US',
  unitedstatesofamerica: 'US',
  eeuu: 'US',
  eua: 'US',
  estadosunidosdeamerica: 'US',
  uk: 'GB',
  greatbritain: 'GB',
  england: 'GB',
  granbretana: 'GB',
  inglaterra: 'GB',
  holland: 'NL',
  holanda: 'NL',
  czechrepublic: 'CZ',
  republicacheca: 'CZ',
}
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')

let codes: Map<string, string> | undefined

/** Returns the text unchanged if it names no country: the service then says so. */
export function countryCode(text: string): string {
  const name = normalize(text)
  if (isCountry(text.toUpperCase())) return text
  codes ??= codesByName()
  return codes.get(name) ?? text
}

function codesByName(): Map<string, string> {
  const found = new Map<string, string>()
  for (const language of ['en', 'es', 'pt']) {
    const names = new Intl.DisplayNames(language, { type: 'region' })
    for (const code of LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(isCountry))
      found.set(normalize(names.of(code) ?? code), code)
  }
  return new Map([...found, ...Object.entries(OTHER_NAMES)])
}

/** Without accents, case, spaces and signs. */
function normalize(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
}
