/**
 * Notices that the service does not respond, or that the session of Cloudflare Access has ended, from the requests that
 * the screens make anyway. It repeats these until the service responds again.
 */
import { type Query, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Failure, toFailure } from './failure.ts'

const RETRY_MS = 5_000

/**
 * True for a failure that says nothing about the request: the service, or the way to it, is down. Statuses from 520 are
 * those of Cloudflare's edge, which also shows a page with status 500 for a Worker that crashed. A 500 of the API itself
 * is no outage: the request id of the one request that failed must stay visible.
 */
export function isOutage(error: unknown): boolean {
  const { status, code } = toFailure(error)
  const isOfGateway = (status >= 502 && status <= 504) || (status >= 520 && status <= 530)
  return status === 0 || isOfGateway || (status >= 500 && code === 'unreadable')
}

/** True for a failure that the frame reports once for all screens. */
export function isReportedByFrame(error: unknown): boolean {
  return isOutage(error) || hasAccessEnded(error)
}

function hasAccessEnded(error: unknown): boolean {
  return toFailure(error).code === 'access_ended'
}

type Trouble = 'outage' | 'access_ended' | undefined

export function useTrouble(): Trouble {
  const client = useQueryClient()
  const [trouble, setTrouble] = useState<Trouble>()
  useEffect(
    () =>
      client.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated') return
        if (event.action.type === 'error' && isOutage(event.action.error)) setTrouble('outage')
        else if (event.action.type === 'error' && hasAccessEnded(event.action.error)) setTrouble('access_ended')
        // A response that is an error comes from the service too.
        else if (
          event.action.type === 'success' ||
          (event.action.type === 'error' && event.action.error instanceof Failure)
        )
          setTrouble(undefined)
      }),
    [client],
  )
  useEffect(() => {
    if (trouble === undefined) return undefined
    const timer = setInterval(() => void client.refetchQueries({ type: 'active', predicate: hasFailed }), RETRY_MS)
    return () => clearInterval(timer)
  }, [client, trouble])
  return trouble
}

function hasFailed({ state }: Query): boolean {
  return state.status === 'error'
}
