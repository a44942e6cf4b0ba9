/** Who is signed in. The token stays in this tab; who it belongs to is asked of the API. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { api, bodyOf, onSessionEnded, type Schemas } from './api/client.ts'
import { forgetToken, storedToken, storeToken } from './api/token.ts'

interface Session {
  isSignedIn: boolean
  /** The service has ceased to take the token; nobody signed out. */
  isRefused: boolean
  /** Undefined until the API has said who it is. */
  operator: Schemas['CallingOperator'] | undefined
  /** An admin or the root; a viewer sees everything and changes nothing. */
  canChange: boolean
  isRoot: boolean
  signIn: (token: string) => Promise<void>
  signOut: () => void
}

const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession stands outside of SessionProvider')
  return session
}

export function SessionProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient()
  const [token, setToken] = useState(storedToken)
  const [isRefused, setIsRefused] = useState(false)
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
      isRefused,
      operator: token === null ? undefined : operator,
      canChange: role === 'admin' || role === 'root',
      isRoot: role === 'root',
      signIn: async (candidate) => {
        const headers = { Authorization: `Bearer ${candidate}` }
        const found = await bodyOf(api.GET('/admin/operator', { headers }))
        storeToken(candidate)
        client.setQueryData(['operator', candidate], found)
        setToken(candidate)
        setIsRefused(false)
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
        // A refused attempt to sign in ends no session.
        if (token === null) return
        session.signOut()
        setIsRefused(true)
      }),
    [session, token],
  )
  return <SessionContext value={session}>{children}</SessionContext>
}
