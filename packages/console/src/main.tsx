import './signed-in-link.ts'
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { focusManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { toFailure } from './api/failure.ts'
import { removeOldRuns } from './import/saved-runs.ts'
import { Loading } from './parts/loading.tsx'
import classes from './layout/frame.module.css'
import { router } from './router.tsx'
import { SessionProvider } from './session.tsx'
import { cssVariables, theme } from './theme.ts'
import { WordsProvider } from './words/index.tsx'

const MAX_RETRIES = 3
/**
 * If the service asks for a longer wait, the failure is shown at once with a button. A screen that only shows its
 * loader for so long seems broken.
 */
const MAX_AUTOMATIC_WAIT_SECONDS = 5

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // Other failures are not retried: what the service has rejected once, it rejects again.
      retry: (count, error) => {
        const { status, retryAfter = 0 } = toFailure(error)
        if (retryAfter > MAX_AUTOMATIC_WAIT_SECONDS) return false
        return count < MAX_RETRIES && (status === 0 || status === 429 || status >= 500)
      },
      retryDelay: (count, error) => 1_000 * (toFailure(error).retryAfter ?? 2 ** count),
    },
  },
})

// By default only another tab counts. Whoever comes back from another window must see what a colleague has changed, too.
focusManager.setEventListener((onFocus) => {
  const notice = () => onFocus()
  window.addEventListener('visibilitychange', notice)
  window.addEventListener('focus', notice)
  return () => {
    window.removeEventListener('visibilitychange', notice)
    window.removeEventListener('focus', notice)
  }
})

// An import that nobody has opened since is deleted all the same, because it holds people's data.
removeOldRuns().catch(reportError)

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <WordsProvider fallback={<Loading />}>
          <Notifications className={classes['notifications'] ?? ''} />
          <SessionProvider>
            <RouterProvider router={router} />
          </SessionProvider>
        </WordsProvider>
      </MantineProvider>
    </QueryClientProvider>
  </StrictMode>,
)
