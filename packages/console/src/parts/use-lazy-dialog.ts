import { useState } from 'react'

/**
 * Opens a dialog whose code is loaded when it is first opened. The dialog stays mounted once it was opened, or it could
 * not return the focus.
 */
export function useLazyDialog<T>() {
  const [subject, setSubject] = useState<T>()
  const [wasOpened, setOpened] = useState(false)
  return {
    /** What the dialog is about; undefined while it is closed. */
    subject,
    wasOpened,
    open: (opened: T) => {
      setSubject(opened)
      setOpened(true)
    },
    close: () => setSubject(undefined),
  }
}
