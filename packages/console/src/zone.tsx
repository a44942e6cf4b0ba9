/**
 * The time zone in which days are counted and times shown: that of the store, or outside of a store that of the browser.
 * The zone of the operator's computer would give a colleague in another one another day.
 */
import { Text } from '@mantine/core'
import { Outlet } from '@tanstack/react-router'
import { createContext, useContext } from 'react'
import { isSameZone, isTimeZone } from '../../../src/calendar.ts'
import { useStoreRecord } from './api/stores.ts'
import { FailureNote } from './parts/failure-note.tsx'
import { Loading } from './parts/loading.tsx'
import { useStore } from './store.ts'
import { useWords } from './words/index.tsx'

const own = Intl.DateTimeFormat().resolvedOptions().timeZone
/** Some systems name an offset, which no store may have as its zone. */
export const BROWSER_ZONE = isTimeZone(own) ? own : 'UTC'

const ZoneContext = createContext(BROWSER_ZONE)

export function useZone(): string {
  return useContext(ZoneContext)
}

/** The screens of a store. None is shown before the zone is known, or a form could begin with the days of another one. */
export function StoreScreens() {
  const { moments } = useWords()
  const { data: store, error, refetch } = useStoreRecord(useStore())
  if (!store) return error ? <FailureNote error={error} retry={() => void refetch()} /> : <Loading />
  const { time_zone: zone } = store
  if (!isKnown(zone)) return <Text>{moments.unknownZone(zone)}</Text>
  return (
    <ZoneContext value={zone}>
      {!isSameZone(zone, BROWSER_ZONE) && (
        <Text size="xs" c="dimmed" mb="xs" role="note">
          {moments.otherZone(zone, BROWSER_ZONE)}
        </Text>
      )}
      <Outlet />
    </ZoneContext>
  )
}

/** The browser may be older than the zone. It would show no time at all. */
function isKnown(zone: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
