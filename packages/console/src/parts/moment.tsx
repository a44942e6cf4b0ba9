import { type Language, useLanguage, useWords } from '../words/index.tsx'

/** To make a format takes longer than to render the rest of a table's row, so each is made once. */
const formats = new Map<Language, ReturnType<typeof makeFormats>>()

function makeFormats(language: Language) {
  return {
    local: new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }),
    utc: new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' }),
  }
}

function formatsOf(language: Language) {
  const known = formats.get(language) ?? makeFormats(language)
  formats.set(language, known)
  return known
}

/** Shows a time in the operator's time zone, and in UTC as a tooltip. */
export function Moment({ at, empty }: { at: string | null | undefined; empty?: string }) {
  const words = useWords()
  const { language } = useLanguage()
  if (at === null || at === undefined) return <>{empty ?? words.common.none}</>
  const date = new Date(at)
  const { local, utc } = formatsOf(language)
  return (
    <time dateTime={at} title={words.common.utc(utc.format(date))}>
      {local.format(date)}
    </time>
  )
}
