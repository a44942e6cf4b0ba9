/** The store that is looked at: the one in the address. */
import { useParams } from '@tanstack/react-router'

export function useStore(): string {
  const { store } = useParams({ strict: false })
  if (store === undefined) throw new Error('useStore stands outside of a store')
  return store
}
