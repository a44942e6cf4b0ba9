/** Why a row of an import fails, in the operator's language. */
import { detailText } from '../../forms/error-text.ts'
import type { Reason } from '../../import/engine.ts'
import type { Words } from '../../words/index.tsx'

export function reasonText(reason: Reason, words: Words): string {
  const { column, about } = reason
  const text = [about, withoutAbout(reason, words)].filter(Boolean).join(': ')
  return column === '' ? text : `${column}: ${text}`
}

function withoutAbout({ code, field = '', row, explanation }: Reason, words: Words): string {
  const own: Record<string, string> = words.import.rowProblems
  if (code === undefined) return explanation
  if (code === 'repeated') return words.import.repeatedIn(row ?? 0)
  // In a file a day is enough, also where the service needs a time.
  if (field.endsWith('access_due_date')) return words.import.rowProblems.not_date
  return Object.hasOwn(own, code) ? (own[code] ?? explanation) : detailText(code, { field }, words)
}
