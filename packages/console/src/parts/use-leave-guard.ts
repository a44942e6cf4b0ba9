import { useEffect } from 'react'

/**
 * Makes the browser ask before it closes the tab. Without this, work that is under way would be cut off without a
 * warning.
 */
export function useLeaveGuard(isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return undefined
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', preventUnload)
    return () => window.removeEventListener('beforeunload', preventUnload)
  }, [isActive])
}
