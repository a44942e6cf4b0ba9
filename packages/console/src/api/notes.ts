import { notifications } from '@mantine/notifications'
import { useCallback } from 'react'
import { useWords } from '../words/index.tsx'

/** Returns a function that shows a short notification in a corner of the screen. */
export function useNote(): (message: string, kind?: 'good' | 'bad') => void {
  const { common } = useWords()
  return useCallback(
    (message, kind = 'good') => {
      notifications.show({
        message,
        color: kind === 'good' ? 'teal' : 'red',
        closeButtonProps: { 'aria-label': common.close },
      })
    },
    [common],
  )
}
