import { TextInput } from '@mantine/core'
import { SearchIcon } from '@primer/octicons-react'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useEffectEvent, useRef } from 'react'
import { fillPage, type List } from '../../api/pages.ts'
import { useTyped } from '../../forms/use-typed.ts'
import { takeKeys } from '../../layout/early-keys.ts'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import type { User } from './draft.ts'
import { findExactly, hasLetters, withFirst } from './search.ts'

/** The API's limit for an external id, the longest text that can be searched for. */
const MAX_LENGTH = 255

interface Props {
  value: string
  search: (text: string) => List<User>
  /** Called with each letter. */
  onType: (text: string) => void
  /** Called once the operator pauses. */
  onChange: (text: string) => void
}

/** Finds users while the operator types. Enter opens the first one. */
export function FindUsers({ value, search, onType, onChange }: Props) {
  const { users } = useWords()
  const { typed: text, type, flush } = useTyped(value, onChange)
  const opening = useOpenFirst(search)
  const input = useRef<HTMLInputElement>(null)
  const { isSearching } = useLocation().state
  const change = (typed: string) => {
    opening.stop()
    onType(typed.trim())
    type(typed, typed.trim())
  }
  const enter = (typed: string) => {
    if (!hasLetters(typed)) return
    flush()
    void opening.open(typed.trim())
  }
  const begin = useEffectEvent(() => {
    input.current?.focus()
    const { text: early, isEntered } = takeKeys()
    if (early !== '') change(early)
    if (isEntered) enter(early)
  })
  useEffect(() => {
    if (isSearching) begin()
  }, [isSearching])
  return (
    <TextInput
      ref={input}
      type="search"
      label={users.search}
      description={users.searchHint}
      value={text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      onKeyDown={({ key, nativeEvent }) => {
        if (key === 'Enter' && !nativeEvent.isComposing) enter(text)
      }}
      maxLength={MAX_LENGTH}
      leftSection={<SearchIcon size={16} aria-hidden />}
      maw={480}
      autoComplete="off"
    />
  )
}

/** Opens the first match. Typing on stops this, or the screen would change under the operator's hands. */
function useOpenFirst(search: (text: string) => List<User>) {
  const store = useStore()
  const navigate = useNavigate()
  const controller = useRef<AbortController>(undefined)
  const stop = useCallback(() => controller.current?.abort(), [])
  useEffect(() => stop, [stop])
  return {
    stop,
    open: async (text: string) => {
      stop()
      const { signal } = (controller.current = new AbortController())
      try {
        const [exact, { data }] = await Promise.all([
          findExactly(store, text, signal),
          fillPage(search(text), { after: undefined, signal, size: 1 }),
        ])
        const [first] = withFirst(exact, data)
        if (first && !signal.aborted) await navigate({ to: '/s/$store/users/$id', params: { store, id: first.id } })
      } catch {
        // The list sends the same search and shows its failure.
      }
    },
  }
}
