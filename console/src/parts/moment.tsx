import { useMemo } from 'react'
import { useLanguage, useWords } from '../words/index.tsx'

const FULL = { dateStyle: 'medium', timeStyle: 'medium' } as const
const SHORT = { dateStyle: 'medium', timeStyle: 'short' } as const

/** Shows a time in the operator's time zone, and in UTC as a tooltip. */
export function Moment({ at, empty }: { at: string | null | undefined; empty?: string }) {
  const words = useWords()
  const { language } = useLanguage()
  const format = useMemo(() => new Intl.DateTimeFormat(language, SHORT), [language])
  if (at === null || at === undefined) return <>{empty ?? words.common.none}</>
  const date = new Date(at)
  const utc = new Intl.DateTimeFormat(language, { ...FULL, timeZone: 'UTC' }).format(date)
  return (
    <time dateTime={at} title={words.common.utc(utc)}>
      {format.format(date)}
    </time>
  )
}
