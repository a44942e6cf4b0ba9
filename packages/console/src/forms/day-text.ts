/** A day as somebody types it: 31/01/2027, 31 de janeiro de 2027, Jan 31, 2027 or 2027-01-31. */
import type { Language } from '../words/languages.ts'
import { foldText } from './matches.ts'

const ENOUGH_OF_A_MONTH = 3

/**
 * Returns the day as 2027-01-31, or undefined if the text is none. Of two numbers that could both be the month, the day
 * comes first, except in English, where nobody can know.
 */
export function dayFromText(text: string, language: Language): string | undefined {
  const parts = (foldText(text).match(/\p{L}+|\d+/gu) ?? []).filter((part) => part !== 'de')
  const [a = '', b = '', c = '', ...rest] = parts
  if (rest.length > 0) return undefined
  if (/^\d{4}$/.test(a)) return dayOf(a, b, c)
  if (!/^\d{4}$/.test(c)) return undefined
  const [monthOfA, monthOfB] = [monthOf(a, language), monthOf(b, language)]
  if (monthOfB !== undefined) return dayOf(c, monthOfB, a)
  if (monthOfA !== undefined) return dayOf(c, monthOfA, b)
  if (language !== 'en' || Number(a) > 12) return dayOf(c, b, a)
  return Number(b) > 12 || a === b ? dayOf(c, a, b) : undefined
}

function monthOf(part: string, language: Language): string | undefined {
  if (part.length < ENOUGH_OF_A_MONTH || /\d/.test(part)) return undefined
  const format = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' })
  const month = Array.from({ length: 12 }, (_, i) => i).find((i) =>
    foldText(format.format(Date.UTC(2027, i))).startsWith(part.replace(/^sept$/, 'sep')),
  )
  return month === undefined ? undefined : String(month + 1)
}

/** Undefined for a day that the month does not have. */
function dayOf(year: string, month: string, day: string): string | undefined {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text) ? text : undefined
}
