/** What is typed after the search key, before the screen with the search has been loaded. */

interface Early {
  text: string
  /** Whether Enter was pressed at the end. */
  isEntered: boolean
}

const NOTHING: Early = { text: '', isEntered: false }

let early: Early | undefined

/** From now on, `keepKey` keeps what is typed. */
export function expectKeys(): void {
  early = NOTHING
}

/** Keeps the key and returns true, unless nothing is expected or the key is none that writes. After Enter, keys are lost. */
export function keepKey(key: string): boolean {
  const isWriting = key === 'Enter' || key === 'Backspace' || key.length === 1
  if (early === undefined || !isWriting) return false
  if (early.isEntered) return true
  if (key === 'Enter') early = { ...early, isEntered: true }
  else early = { ...early, text: key === 'Backspace' ? early.text.slice(0, -1) : early.text + key }
  return true
}

/** Returns what was kept, and keeps nothing more. */
export function takeKeys(): Early {
  const taken = early ?? NOTHING
  early = undefined
  return taken
}
