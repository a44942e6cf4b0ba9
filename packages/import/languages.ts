import { normalizeName } from './normalize-name.ts'

/** The codes of the service's languages by their names in them, as `normalizeName` returns them. */
const NAMES: Record<string, string> = {
  spanish: 'ES',
  espanol: 'ES',
  espanhol: 'ES',
  castellano: 'ES',
  castelhano: 'ES',
  english: 'EN',
  ingles: 'EN',
  portuguese: 'PT',
  portugues: 'PT',
}

/** "Portugués de América Latina" has four. More of them are a sentence. */
const MOST_WORDS = 4

/**
 * A language may be a code in either case, with or without a region, or a name, which may have a country beside it, such as
 * "portugués (Brasil)". Any other text is returned unchanged.
 */
export function languageCode(text: string): string {
  const code = /^([a-z]{2})(?:[-_][a-z0-9]{2,8})*$/i.exec(text.trim())?.[1]
  if (code !== undefined) return code.toUpperCase()
  const words = text.match(/[\p{L}\p{M}]+/gu) ?? []
  const [named, ...others] = new Set(words.flatMap((word) => NAMES[normalizeName(word)] ?? []))
  return named === undefined || others.length > 0 || words.length > MOST_WORDS ? text : named
}
