/** The languages of the console, by the tags that `Intl` and the document's `lang` get. */
export const LANGUAGES = {
  en: 'English',
  es: 'Español',
  'pt-BR': 'Português (Brasil)',
  'pt-PT': 'Português (Portugal)',
} as const
export type Language = keyof typeof LANGUAGES

/** Returns the language of a browser's tag, such as `es-MX`. Portuguese outside of Brazil follows that of Portugal. */
export function languageOf(tag: string | null): Language | undefined {
  const [language, ...rest] = tag?.toLowerCase().split('-') ?? []
  if (language === 'pt') return rest.length === 0 || rest.includes('br') ? 'pt-BR' : 'pt-PT'
  return language === 'en' || language === 'es' ? language : undefined
}
