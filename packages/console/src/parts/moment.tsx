import { localText } from '../../../../src/calendar.ts'
import { type Language, useLanguage, useWords } from '../words/index.tsx'
import { useZone } from '../zone.tsx'

/** To make a format takes longer than to render the rest of a table's row, so each is made once. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(language: Language, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([language, options])
  const format = formats.get(key) ?? new Intl.DateTimeFormat(language, options)
  formats.set(key, format)
  return format
}

/** Shows a time in the time zone of the store, and in UTC as a tooltip. */
export function Moment({ at, empty }: { at: string | null | undefined; empty?: string }) {
  const words = useWords()
  const { language } = useLanguage()
  const timeZone = useZone()
  if (at === null || at === undefined) return <>{empty ?? words.common.none}</>
  const date = new Date(at)
  const utc = formatOf(language, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })
  return (
    <time dateTime={at} title={words.common.utc(utc.format(date))}>
      {formatOf(language, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(date)}
    </time>
  )
}

/** When an access ends, in the zone: the day, and the time unless the day ends then. Other texts stay as they are. */
export function endText(at: string, language: Language, timeZone: string): string {
  const due = Date.parse(at)
  if (Number.isNaN(due)) return at
  const text = localText(due, timeZone)
  const isDay = !text.includes(' ')
  if (isDay) return formatOf(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(text))
  return formatOf(language, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(due)
}

/** Returns a function that writes an instant as its day in the time zone of the store. */
export function useDayText(): (at: string | number) => string {
  const { language } = useLanguage()
  const timeZone = useZone()
  return (at) => formatOf(language, { dateStyle: 'medium', timeZone }).format(new Date(at))
}
