/** Text that is being typed and belongs to the URL. It gets there once the operator pauses. */
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'

/** Shorter than this, and each letter of a fast typist would send a request. */
const TYPING_MS = 80

interface Typed<T> {
  /** What the inputs show. */
  typed: T
  /** Shows the text now, and passes `settled` on after the pause. */
  type: (typed: T, settled?: T) => void
  /** Ends the pause now. */
  flush: () => void
}

/** `value` is what the URL has, a text or an object of texts. */
export function useTyped<T>(value: T, onChange: (value: T) => void): Typed<T> {
  const key = JSON.stringify(value)
  const [typed, setTyped] = useState(value)
  const [last, setLast] = useState(key)
  const [sent, setSent] = useState<string[]>([])
  if (key !== last) {
    setLast(key)
    setSent(sent.slice(sent.indexOf(key) + 1))
    // A text that these inputs have not sent comes from a link or the back button, and replaces what was typed.
    if (!sent.includes(key)) setTyped(value)
  }
  const settle = useDebouncedCallback((settled: T) => {
    const settledKey = JSON.stringify(settled)
    if (settledKey === key) return
    setSent([...sent, settledKey])
    onChange(settled)
  }, TYPING_MS)
  return {
    typed,
    type: (next, settled = next) => {
      setTyped(next)
      settle(settled)
    },
    flush: settle.flush,
  }
}
