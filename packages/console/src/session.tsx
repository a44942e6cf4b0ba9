/**
 * Who is signed in: with a token, which only the open tabs keep, or without one through Cloudflare Access. The API says
 * who it is.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { api, bodyOf, onSessionEnded, type Schemas } from './api/client.ts'
import { toFailure } from './api/failure.ts'
import { type Trouble, useTrouble } from './api/outage.ts'
import { forgetToken, forgetTokenInAllTabs, joinOtherTabs, storedToken, storeToken } from './api/token.ts'
import { may, type Right } from './rights.ts'

interface Session {
  /** `unknown` until the service has said whether the console needs a token. */
  state: 'unknown' | 'signed_in' | 'signed_out'
  /** Why the state is still unknown; null while the service is asked. */
  problem: Error | null
  askAgain: () => void
  /** What keeps requests from the service, whoever is signed in. */
  trouble: Trouble | undefined
  /** True if the service has rejected the token during the session. The sign-in screen then says why it appears. */
  wasRejected: boolean
  /** Undefined until the API has returned the operator. */
  operator: Schemas['CallingOperator'] | undefined
  /** False until the API has returned the operator. */
  can: (right: Right) => boolean
  /** True for an operator of all stores. For the others, everything that is not about one store would be 403. */
  seesAllStores: boolean
  signIn: (token: string) => Promise<void>
  signOut: () => void
}

/** How the operator is signed in: with the token, or with the assertion that Cloudflare Access adds. */
type Means = { token: string } | 'access' | 'none'

/** Cloudflare Access serves this path on every domain that it protects. */
const ACCESS_LOGOUT = '/cdn-cgi/access/logout'

const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession must be used inside SessionProvider')
  return session
}

export function SessionProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient()
  const [means, setMeans] = useState<Means | undefined>(meansAtStart)
  const [wasRejected, setWasRejected] = useState(false)
  // This is here and not in the frame, which is rendered later and would miss that the first request fails.
  const trouble = useTrouble()
  const {
    data: operator,
    error,
    refetch,
  } = useQuery({
    // Without a token, the response says whether Cloudflare Access identifies the operator.
    queryKey: ['operator', means ?? 'access'],
    queryFn: () => bodyOf(api.GET('/admin/operator')),
    enabled: means !== 'none',
    staleTime: Infinity,
  })
  // The first response decides for the session. Otherwise a later one could replace the form that asks for a token while
  // somebody types into it.
  if (means === undefined && operator !== undefined) setMeans('access')
  else if (means === undefined && needsToken(error)) setMeans('none')

  const session = useMemo<Session>(() => {
    const isSignedIn = means !== undefined && means !== 'none'
    const current = isSignedIn ? operator : undefined
    return {
      state: means === undefined ? 'unknown' : isSignedIn ? 'signed_in' : 'signed_out',
      problem: error,
      askAgain: () => void refetch(),
      trouble,
      wasRejected,
      operator: current,
      can: (right) => may(current?.role, right),
      seesAllStores: current?.stores === null,
      signIn: async (token) => {
        const headers = { Authorization: `Bearer ${token}` }
        const found = await bodyOf(api.GET('/admin/operator', { headers }))
        storeToken(token)
        client.setQueryData(['operator', { token }], found)
        setMeans({ token })
        setWasRejected(false)
      },
      signOut: () => {
        forgetTokenInAllTabs()
        setMeans('none')
        client.clear()
        if (means === 'access') globalThis.location.assign(ACCESS_LOGOUT)
      },
    }
  }, [means, wasRejected, operator, error, refetch, trouble, client])

  useEffect(
    () =>
      joinOtherTabs({
        onToken: (token) => {
          storeToken(token)
          setMeans({ token })
        },
        onSignedOut: () => {
          forgetToken()
          setMeans('none')
          client.clear()
        },
      }),
    [client],
  )

  useEffect(
    () =>
      onSessionEnded(() => {
        // A 401 while nobody is signed in is a failed sign-in, and the form reports it. Handling it here would show
        // "sign in again" as well.
        if (means === undefined || means === 'none') return
        forgetToken()
        setMeans('none')
        client.clear()
        setWasRejected(true)
      }),
    [means, client],
  )
  return <SessionContext value={session}>{children}</SessionContext>
}

/**
 * True if the API says that the request is not signed in. After any other failure the operator may well be signed in by
 * Cloudflare Access, and has no token for the form that would appear.
 */
function needsToken(error: unknown): boolean {
  const { status, code } = toFailure(error)
  const isOfService = code !== 'access_ended' && code !== 'unreadable' && !code.startsWith('edge_')
  return [401, 403, 404].includes(status) && isOfService
}

function meansAtStart(): Means | undefined {
  const token = storedToken()
  return token === null ? undefined : { token }
}
