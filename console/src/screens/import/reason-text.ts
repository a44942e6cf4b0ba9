/** Why a row of an import fails, in the operator's language. */
import { detailText } from '../../forms/error-text.ts'
import type { Reason } from '../../import/engine.ts'
import type { Words } from '../../words/index.tsx'

export function reasonText({ column, code, field, about, explanation }: Reason, words: Words): string {
  const text = [about, withoutAbout(code, field, explanation, words)].filter(Boolean).join(': ')
  return column === '' ? text : `${column}: ${text}`
}

function withoutAbout(code: string | undefined, field: string | undefined, explanation: string, words: Words): string {
  const own: Record<string, string> = words.import.rowProblems
  if (code === undefined) return explanation
  return Object.hasOwn(own, code) ? (own[code] ?? explanation) : detailText(code, { field: field ?? '' }, words)
}
