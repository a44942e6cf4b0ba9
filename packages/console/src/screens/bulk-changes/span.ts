/** By how much an access is extended. */

/** The API's limit for `extend_days`. */
export const MAX_DAYS = 3650

/** Months, or a number of days. */
export const SPANS = ['1', '3', '12', 'days'] as const
export type Span = (typeof SPANS)[number]

export interface SpanDraft {
  span: Span
  days: number | string
}

/** Undefined while the number of days is invalid. */
export function spanOf({ span, days }: SpanDraft): { months: number } | { days: number } | undefined {
  if (span !== 'days') return { months: Number(span) }
  return typeof days === 'number' && days >= 1 && days <= MAX_DAYS ? { days } : undefined
}
