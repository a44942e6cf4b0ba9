import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'

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
      if (key !== KEY || ctrlKey || metaKey || altKey || isTyping) return
      const search = document.querySelector<HTMLInputElement>('input[type=search]')
      if (search) search.focus()
      else if (store === undefined) return
      else void navigate({ to: '/s/$store/users', params: { store }, state: { isSearching: true } })
      event.preventDefault()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [navigate, store])
}
