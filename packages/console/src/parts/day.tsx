import { useLanguage } from '../words/index.tsx'

/** A day in UTC, such as the last one on which a token was used. The service keeps no time of day. */
export function Day({ of: day, empty }: { of: string | null; empty: string }) {
  const { language } = useLanguage()
  if (day === null) return empty
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
  return <time dateTime={day}>{format.format(new Date(day))}</time>
}
