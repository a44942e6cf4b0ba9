import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import { fillPage } from '../../api/pages.ts'
import { useStore } from '../../store.ts'
import { useWords } from '../../words/index.tsx'
import { searchUsers } from './search.ts'

/** Shorter than this, and each letter of a fast typist would send a request. */
const TYPING_MS = 80
/** The API's limit for an external id, the longest text that can be searched for. */
const MAX_LENGTH = 255

/** Finds users while the operator types. Enter opens the first one. */
export function FindUsers({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const { users } = useWords()
  const [text, setText] = useState(value)
  const [last, setLast] = useState(value)
  const [sent, setSent] = useState<string[]>([])
  if (value !== last) {
    setLast(value)
    setSent(sent.slice(sent.indexOf(value) + 1))
    // A text that this input has not sent comes from a link or the back button, and replaces what was typed.
    if (!sent.includes(value)) setText(value)
  }
  const settle = useDebouncedCallback((typed: string) => {
    if (typed === value) return
    setSent([...sent, typed])
    onChange(typed)
  }, TYPING_MS)
  const opening = useOpenFirst()
  return (
    <TextInput
      type="search"
      label={users.search}
      description={users.searchHint}
      value={text}
      onChange={({ currentTarget }) => {
        opening.stop()
        setText(currentTarget.value)
        settle(currentTarget.value.trim())
      }}
      onKeyDown={({ key, nativeEvent }) => {
        if (key !== 'Enter' || nativeEvent.isComposing || text.trim() === '') return
        settle.flush()
        void opening.open(text.trim())
      }}
      maxLength={MAX_LENGTH}
      leftSection={<IconSearch size={16} aria-hidden />}
      maw={480}
      autoComplete="off"
    />
  )
}

/** Opens the first match. Typing on stops this, or the screen would change under the operator's hands. */
function useOpenFirst() {
  const store = useStore()
  const navigate = useNavigate()
  const controller = useRef<AbortController>(undefined)
  const stop = useCallback(() => controller.current?.abort(), [])
  useEffect(() => stop, [stop])
  return {
    stop,
    open: async (q: string) => {
      stop()
      const { signal } = (controller.current = new AbortController())
      try {
        const { data } = await fillPage(searchUsers(store, { q }), { after: undefined, signal, size: 1 })
        const [first] = data
        if (first && !signal.aborted) await navigate({ to: '/s/$store/users/$id', params: { store, id: first.id } })
      } catch {
        // The list sends the same search and shows its failure.
      }
    },
  }
}
