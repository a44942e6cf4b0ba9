/** The store in the URL. Only screens under `/s/$store` may use it. */
import { useParams } from '@tanstack/react-router'

export function useStore(): string {
  const { store } = useParams({ strict: false })
  if (store === undefined) throw new Error('useStore must be used under /s/$store')
  return store
}
