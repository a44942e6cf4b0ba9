import { type Language, useLanguage } from '../words/index.tsx'

/** To make a format takes longer than to render the rest of a table's row, so each is made once. */
const formats = new Map<Language, Intl.NumberFormat>()

function formatOf(language: Language): Intl.NumberFormat {
  const format =
    formats.get(language) ?? new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 })
  formats.set(language, format)
  return format
}

/** Shows a progress from 0 to 100 as the operator's language writes it. */
export function Percent({ of: progress }: { of: number }) {
  const { language } = useLanguage()
  return <>{formatOf(language).format(progress / 100)}</>
}
