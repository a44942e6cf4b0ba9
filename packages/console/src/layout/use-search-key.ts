import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { expectKeys, keepKey, takeKeys } from './early-keys.ts'

const KEY = '/'
const TEXT_INPUTS = 'input:not([type=checkbox]):not([type=radio]), textarea, select, [role=dialog]'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The screen of the users begins with the focus in its search. */
    isSearching?: true
  }
}

/** The key leads to the search for users from everywhere in a store. On some keyboards it needs Shift. */
export function useSearchKey(): void {
  const navigate = useNavigate()
  const { store } = useParams({ strict: false })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey, altKey } = event
      const isTyping = target instanceof HTMLElement && target.closest(TEXT_INPUTS) !== null
      if (ctrlKey || metaKey || altKey || isTyping) return
      // Otherwise Enter would press the link that has the focus until the search is there.
      if (keepKey(key)) return event.preventDefault()
      if (key !== KEY) return
      const search = document.querySelector<HTMLInputElement>('input[type=search]')
      if (search) search.focus()
      else if (store === undefined) return
      else {
        expectKeys()
        void navigate({ to: '/s/$store/users', params: { store }, state: { isSearching: true } })
      }
      event.preventDefault()
    }
    // Whoever clicks has something else in mind.
    const drop = () => void takeKeys()
    document.addEventListener('keydown', listen)
    document.addEventListener('pointerdown', drop)
    return () => {
      document.removeEventListener('keydown', listen)
      document.removeEventListener('pointerdown', drop)
    }
  }, [navigate, store])
}
