import { type RefObject, useEffect, useRef } from 'react'

/**
 * Moves the focus to the first invalid input of the form after each rejection, which is undefined until there is one.
 * Without the focus, nobody who uses a screen reader or a small screen would notice why nothing is sent.
 */
export function useInvalidFocus(rejection: string | number | undefined): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (rejection !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [rejection])
  return form
}
