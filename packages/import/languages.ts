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

/** A language may be a code in either case, with or without a region, or a name. Any other text is returned unchanged. */
export function languageCode(text: string): string {
  const code = /^([a-z]{2})(?:[-_][a-z0-9]{2,8})*$/i.exec(text.trim())?.[1]
  return code?.toUpperCase() ?? NAMES[normalizeName(text)] ?? text
}
