import * as z from 'zod/mini'
import { ORDERS, type Page } from '../change/pages.ts'
import { oneOf, parseNumber, readAs, recordId, textWhere } from './values.ts'
import { lazy } from '../lib/lazy.ts'
import { PAGE_LIMIT } from '../limits.ts'

export function toPage<Row, Json>({ rows, next }: Page<Row>, toJson: (row: Row) => Json) {
  return { data: rows.map(toJson), next }
}

/** A number in a query; `fallback` if it is omitted. */
export function numberText(min: number, max: number, fallback: number) {
  const isBetween = (value: string) => /^\d{1,3}$/.test(value) && Number(value) >= min && Number(value) <= max
  const text = textWhere(isBetween, `must be a number from ${min} to ${max}`).check(
    z.meta({ override: { type: 'integer', minimum: min, maximum: max, default: fallback }, example: 20 }),
  )
  return z._default(readAs(text, Number), fallback)
}

/** The query of a list. `cursor` parses the `next` of the previous page. */
export function pageQuery<C extends z.ZodMiniType>(cursor: C) {
  return z.object({ limit: numberText(1, PAGE_LIMIT.max, PAGE_LIMIT.default), after: z.optional(cursor) })
}

/** The query of a list that is ordered by id and has no filters. */
export const listQuery = lazy(() => pageQuery(recordId()))

export const listOrder = lazy(() => z.optional(oneOf(ORDERS)))

/** The ids of a filter, separated by commas. */
export const idList = lazy(() =>
  readAs(
    textWhere((text) => parseIds(text) !== undefined, `must be 1 to ${PAGE_LIMIT.max} ids, separated by commas`).check(
      z.meta({ pattern: `^[1-9]\\d{0,15}(,[1-9]\\d{0,15}){0,${PAGE_LIMIT.max - 1}}$`, example: '12,13' }),
    ),
    (text) => parseIds(text) ?? [],
  ),
)

function parseIds(text: string): number[] | undefined {
  const numbers = text.split(',').map(parseNumber)
  const known = numbers.filter((number) => number !== undefined)
  return known.length === numbers.length && known.length <= PAGE_LIMIT.max ? known : undefined
}
