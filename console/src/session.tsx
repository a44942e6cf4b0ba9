/**
 * Who is signed in: with a token, which only the open tabs keep, or without one through Cloudflare Access. The API says
 * who it is.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { api, bodyOf, onSessionEnded, type Schemas } from './api/client.ts'
import { forgetToken, forgetTokenInAllTabs, joinOtherTabs, storedToken, storeToken } from './api/token.ts'

interface Session {
  /** `unknown` until the service has said whether the console needs a token. */
  state: 'unknown' | 'signed_in' | 'signed_out'
  /** True if the service has rejected the token during the session. The sign-in screen then says why it appears. */
  wasRejected: boolean
  /** Undefined until the API has returned the operator. */
  operator: Schemas['CallingOperator'] | undefined
  /** True for an admin or the root. A viewer's changes would fail with 403, so no screen offers them to a viewer. */
  canChange: boolean
  /** True for an operator of all stores. For the others, everything that is not about one store would be 403. */
  seesAllStores: boolean
  isRoot: boolean
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
  const { data: operator } = useQuery({
    queryKey: ['operator', means],
    queryFn: () => bodyOf(api.GET('/admin/operator')),
    enabled: means !== undefined && means !== 'none',
    staleTime: Infinity,
  })

  const session = useMemo<Session>(() => {
    const isSignedIn = means !== undefined && means !== 'none'
    const current = isSignedIn ? operator : undefined
    return {
      state: means === undefined ? 'unknown' : isSignedIn ? 'signed_in' : 'signed_out',
      wasRejected,
      operator: current,
      canChange: current?.role === 'admin' || current?.role === 'root',
      seesAllStores: current?.stores === null,
      isRoot: current?.role === 'root',
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
  }, [means, wasRejected, operator, client])

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

  useEffect(() => {
    let isCurrent = true
    async function tryAccess() {
      const found = await bodyOf(api.GET('/admin/operator')).catch(() => undefined)
      if (!isCurrent || storedToken() !== null) return
      if (found !== undefined) client.setQueryData(['operator', 'access'], found)
      setMeans(found === undefined ? 'none' : 'access')
    }
    if (means === undefined) void tryAccess()
    return () => {
      isCurrent = false
    }
  }, [means, client])

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

function meansAtStart(): Means | undefined {
  const token = storedToken()
  return token === null ? undefined : { token }
}
