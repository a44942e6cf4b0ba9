/**
 * Notices that the service does not respond, or that the session of Cloudflare Access has ended, from the requests that
 * the screens make anyway. It repeats these until the service responds to all of them.
 */
import { type Query, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { toFailure } from './failure.ts'

const RETRY_MS = 5_000

/**
 * True for a failure that says nothing about the request: the service, or the way to it, is down. Statuses from 520 are
 * those of Cloudflare's edge, which also shows a page with status 500 for a Worker that crashed. A 500 of the API itself
 * is no outage: the request id of the one request that failed must stay visible.
 */
function isOutage(error: unknown): boolean {
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

export type Trouble = 'outage' | 'access_ended'

function troubleOf(error: unknown): Trouble | undefined {
  if (isOutage(error)) return 'outage'
  return hasAccessEnded(error) ? 'access_ended' : undefined
}

export function useTrouble(): Trouble | undefined {
  const client = useQueryClient()
  const [trouble, setTrouble] = useState<Trouble>()
  // A query forgets its error as soon as it is read again. Without this record, the message would flicker.
  const [troubled] = useState(() => new Map<Query, Trouble>())
  useEffect(
    () =>
      client.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated') return
        const { action, query } = event
        if (action.type !== 'success' && action.type !== 'error') return
        const found = action.type === 'error' ? troubleOf(action.error) : undefined
        troubled.delete(query)
        if (found) troubled.set(query, found)
        // A query of a screen that was left is not read again, so it could never end the trouble.
        for (const other of troubled.keys()) if (!other.isActive()) troubled.delete(other)
        setTrouble(found ?? [...troubled.values()].at(-1))
      }),
    [client, troubled],
  )
  useEffect(() => {
    if (trouble === undefined) return undefined
    const timer = setInterval(() => {
      const isShown = [...troubled.keys()].some((query) => query.isActive())
      // If the screen that failed was left, any other query of the page finds out whether the service is back.
      const predicate = (query: Query) => !isShown || troubled.has(query)
      // A response that takes longer than the interval must not be canceled, or it would never arrive.
      void client.refetchQueries({ type: 'active', predicate }, { cancelRefetch: false })
    }, RETRY_MS)
    return () => clearInterval(timer)
  }, [client, trouble, troubled])
  return trouble
}
