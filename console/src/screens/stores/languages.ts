import { useLanguage } from '../../words/index.tsx'

const TAGS = ['ES', 'PT', 'EN'] as const

/** What a store's users get who are created without a language. */
export type StoreLanguage = (typeof TAGS)[number]

export function isStoreLanguage(tag: string | null): tag is StoreLanguage {
  return TAGS.some((known) => known === tag)
}

/** Named in the reader's language, as the browser knows it. */
export function useStoreLanguages(): { value: StoreLanguage; label: string }[] {
  const { language } = useLanguage()
  const names = new Intl.DisplayNames([language], { type: 'language' })
  return TAGS.map((value) => ({ value, label: `${names.of(value.toLowerCase()) ?? value} (${value})` }))
}
