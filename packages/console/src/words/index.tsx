/** Provides the texts in the operator's language. Each language has its own file. */
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react'
import { en } from './en.ts'
import { type Language, languageOf } from './languages.ts'
import type { Words } from './words.ts'

export type { Words } from './words.ts'
export { LANGUAGES, type Language } from './languages.ts'

/**
 * English is part of the first download. The other languages are loaded when they are chosen, together with their names
 * of months for the date picker.
 */
const loaders: Record<Language, () => Promise<Words>> = {
  en: () => Promise.resolve(en),
  es: async () => {
    const [{ es }] = await Promise.all([import('./es.ts'), import('dayjs/locale/es')])
    return es
  },
  'pt-BR': async () => {
    const [{ pt }] = await Promise.all([import('./pt.ts'), import('dayjs/locale/pt-br')])
    return pt
  },
  'pt-PT': async () => {
    const [{ ptPT }] = await Promise.all([import('./pt-pt.ts'), import('dayjs/locale/pt')])
    return ptPT
  },
}
const KEY = 'registrar.language'
const ENGLISH: Pick<LanguageState, 'words' | 'language'> = { language: 'en', words: en }

interface LanguageState {
  words: Words
  language: Language
  choose: (language: Language) => void
}

const WordsContext = createContext<LanguageState>({ words: en, language: 'en', choose: () => {} })

export function useWords(): Words {
  return useContext(WordsContext).words
}

export function useLanguage(): Pick<LanguageState, 'language' | 'choose'> {
  return useContext(WordsContext)
}

interface WordsProviderProps {
  children: ReactNode
  /** Shown until the texts are loaded, with English ones. */
  fallback: ReactNode
}

export function WordsProvider({ children, fallback }: WordsProviderProps) {
  const [chosen, setChosen] = useState<Language>(preferredLanguage)
  const [loaded, setLoaded] = useState(chosen === 'en' ? ENGLISH : undefined)
  useEffect(() => {
    let isCurrent = true
    async function change() {
      const loadedState = await loadWords(chosen)
      if (!isCurrent) return
      document.documentElement.lang = loadedState.language
      setLoaded(loadedState)
    }
    void change()
    return () => {
      isCurrent = false
    }
  }, [chosen])
  const choose = useCallback((language: Language) => {
    localStorage.setItem(KEY, language)
    setChosen(language)
  }, [])
  const state = useMemo(() => loaded && { ...loaded, choose }, [loaded, choose])
  return state ? <WordsContext value={state}>{children}</WordsContext> : fallback
}

/**
 * Falls back to English if the language cannot be loaded, for example because a new version was deployed and its old
 * file is gone. Otherwise the page would stay empty.
 */
async function loadWords(language: Language): Promise<Pick<LanguageState, 'words' | 'language'>> {
  try {
    return { language, words: await loaders[language]() }
  } catch {
    return ENGLISH
  }
}

/** Returns the language that was chosen before, or else the first supported language of the browser. */
function preferredLanguage(): Language {
  return (
    [localStorage.getItem(KEY), ...navigator.languages].map(languageOf).find((known) => known !== undefined) ?? 'en'
  )
}
