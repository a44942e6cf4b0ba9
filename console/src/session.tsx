/** Who is signed in. Only the token is kept, in this tab; the API says whose it is. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { api, bodyOf, onSessionEnded, type Schemas } from './api/client.ts'
import { forgetToken, storedToken, storeToken } from './api/token.ts'

interface Session {
  isSignedIn: boolean
  /** True if the service has rejected the token during the session. The sign-in screen then says why it appears. */
  wasRejected: boolean
  /** Undefined until the API has returned the operator. */
  operator: Schemas['CallingOperator'] | undefined
  /** True for an admin or the root. A viewer's changes would fail with 403, so no screen offers them to a viewer. */
  canChange: boolean
  isRoot: boolean
  signIn: (token: string) => Promise<void>
  signOut: () => void
}

const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession must be used inside SessionProvider')
  return session
}

export function SessionProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient()
  const [token, setToken] = useState(storedToken)
  const [isRefused, setWasRejected] = useState(false)
  const { data: operator } = useQuery({
    queryKey: ['operator', token],
    queryFn: () => bodyOf(api.GET('/admin/operator')),
    enabled: token !== null,
    staleTime: Infinity,
  })

  const session = useMemo<Session>(() => {
    const role = token === null ? undefined : operator?.role
    return {
      isSignedIn: token !== null,
      wasRejected: isRefused,
      operator: token === null ? undefined : operator,
      canChange: role === 'admin' || role === 'root',
      isRoot: role === 'root',
      signIn: async (candidate) => {
        const headers = { Authorization: `Bearer ${candidate}` }
        const operator = await bodyOf(api.GET('/admin/operator', { headers }))
        storeToken(candidate)
        client.setQueryData(['operator', candidate], operator)
        setToken(candidate)
        setWasRejected(false)
      },
      signOut: () => {
        forgetToken()
        setToken(null)
        client.clear()
      },
    }
  }, [token, isRefused, operator, client])

  useEffect(
    () =>
      onSessionEnded(() => {
        // A 401 while nobody is signed in is a failed sign-in, and the form reports it. Handling it here would show
        // "sign in again" as well.
        if (token === null) return
        session.signOut()
        setWasRejected(true)
      }),
    [session, token],
  )
  return <SessionContext value={session}>{children}</SessionContext>
}
