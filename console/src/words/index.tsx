/** The words of the console: a file for each language, and the compiler sees to it that none lacks one. */
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react'
import { en } from './en.ts'
import type { Words } from './words.ts'

export type { Words } from './words.ts'
export const LANGUAGES = { en: 'English', es: 'Español', pt: 'Português' } as const
export type Language = keyof typeof LANGUAGES

/** English comes with the page; the others are fetched when they are chosen, with the names of months for the pickers. */
const load: Record<Language, () => Promise<Words>> = {
  en: () => Promise.resolve(en),
  es: async () => {
    const [{ es }] = await Promise.all([import('./es.ts'), import('dayjs/locale/es')])
    return es
  },
  pt: async () => {
    const [{ pt }] = await Promise.all([import('./pt.ts'), import('dayjs/locale/pt-br')])
    return pt
  },
}
const KEY = 'registrar.language'

interface Spoken {
  words: Words
  language: Language
  choose: (language: Language) => void
}

const WordsContext = createContext<Spoken>({ words: en, language: 'en', choose: () => {} })

export function useWords(): Words {
  return useContext(WordsContext).words
}

export function useLanguage(): Pick<Spoken, 'language' | 'choose'> {
  return useContext(WordsContext)
}

export function WordsProvider({ children }: { children: ReactNode }) {
  const [wanted, setWanted] = useState<Language>(preferredLanguage)
  const [loaded, setLoaded] = useState<Pick<Spoken, 'words' | 'language'>>()
  useEffect(() => {
    let isCurrent = true
    async function change() {
      const spoken = await wordsOf(wanted)
      if (!isCurrent) return
      document.documentElement.lang = spoken.language
      setLoaded(spoken)
    }
    void change()
    return () => {
      isCurrent = false
    }
  }, [wanted])
  const choose = useCallback((chosen: Language) => {
    localStorage.setItem(KEY, chosen)
    setWanted(chosen)
  }, [])
  const spoken = useMemo(() => loaded && { ...loaded, choose }, [loaded, choose])
  return spoken && <WordsContext value={spoken}>{children}</WordsContext>
}

/** In English where the language cannot be fetched, as when the service has been renewed in the meantime. */
async function wordsOf(language: Language): Promise<Pick<Spoken, 'words' | 'language'>> {
  try {
    return { language, words: await load[language]() }
  } catch {
    return { language: 'en', words: en }
  }
}

/** The one chosen before, else the first of the browser's that we have. */
function preferredLanguage(): Language {
  const wanted = [localStorage.getItem(KEY), ...navigator.languages].map((tag) => tag?.slice(0, 2))
  return wanted.find(isLanguage) ?? 'en'
}

function isLanguage(tag: string | undefined): tag is Language {
  return tag !== undefined && Object.hasOwn(LANGUAGES, tag)
}
