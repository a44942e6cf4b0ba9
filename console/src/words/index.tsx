/** The words of the console: a file for each language, and the compiler sees to it that none lacks one. */
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react'
import { en } from './en.ts'

export type Words = typeof en
export const LANGUAGES = { en: 'English' } as const
export type Language = keyof typeof LANGUAGES

/** English comes with the page; the others are fetched when they are chosen. */
const load: Record<Language, () => Promise<Words>> = {
  en: () => Promise.resolve(en),
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
  const [language, setLanguage] = useState<Language>(preferredLanguage)
  const [words, setWords] = useState<Words>()
  useEffect(() => {
    let isCurrent = true
    async function change() {
      const loaded = await load[language]()
      if (!isCurrent) return
      document.documentElement.lang = language
      setWords(loaded)
    }
    void change()
    return () => {
      isCurrent = false
    }
  }, [language])
  const choose = useCallback((chosen: Language) => {
    localStorage.setItem(KEY, chosen)
    setLanguage(chosen)
  }, [])
  const spoken = useMemo(() => words && { words, language, choose }, [words, language, choose])
  return spoken && <WordsContext value={spoken}>{children}</WordsContext>
}

/** The one chosen before, else the first of the browser's that we have. */
function preferredLanguage(): Language {
  const wanted = [localStorage.getItem(KEY), ...navigator.languages].map((tag) => tag?.slice(0, 2))
  return wanted.find(isLanguage) ?? 'en'
}

function isLanguage(tag: string | undefined): tag is Language {
  return tag !== undefined && Object.hasOwn(LANGUAGES, tag)
}
