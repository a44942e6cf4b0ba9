import { useLanguage } from '../../words/index.tsx'

const TAGS = ['ES', 'PT', 'EN'] as const

/** The language of users who are created without one. */
export type StoreLanguage = (typeof TAGS)[number]

export function isStoreLanguage(tag: string | null): tag is StoreLanguage {
  return TAGS.some((known) => known === tag)
}

/** Returns the languages with names in the operator's own language. */
export function useStoreLanguages(): { value: StoreLanguage; label: string }[] {
  const { language } = useLanguage()
  const names = new Intl.DisplayNames([language], { type: 'language' })
  return TAGS.map((value) => ({ value, label: `${names.of(value.toLowerCase()) ?? value} (${value})` }))
}
