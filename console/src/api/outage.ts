/**
 * Notices that the service does not respond, from the requests that the screens make anyway, and repeats these until it
 * responds again.
 */
import { type Query, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Failure, toFailure } from './failure.ts'

const RETRY_MS = 5_000

/** True for a failure that says nothing about the request: the service, or the way to it, is down. */
export function isOutage(error: unknown): boolean {
  const { status } = toFailure(error)
  return status === 0 || (status >= 502 && status <= 504)
}

export function useOutage(): boolean {
  const client = useQueryClient()
  const [isDown, setDown] = useState(false)
  useEffect(
    () =>
      client.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated') return
        if (event.action.type === 'error' && isOutage(event.action.error)) setDown(true)
        // A response that is an error comes from the service too.
        else if (
          event.action.type === 'success' ||
          (event.action.type === 'error' && event.action.error instanceof Failure)
        )
          setDown(false)
      }),
    [client],
  )
  useEffect(() => {
    if (!isDown) return undefined
    const timer = setInterval(() => void client.refetchQueries({ type: 'active', predicate: hasFailed }), RETRY_MS)
    return () => clearInterval(timer)
  }, [client, isDown])
  return isDown
}

function hasFailed({ state }: Query): boolean {
  return state.status === 'error'
}
