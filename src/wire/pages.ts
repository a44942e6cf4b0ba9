import * as z from 'zod'
import type { Page } from '../domain/pages.ts'

/** The schema of a list's answer. */
export function page<S extends z.ZodType>(item: S) {
  const example = { data: [item.meta()?.['example']], next: null }
  return z.object({ data: z.array(item), next: z.string().nullable() }).meta({ example })
}

export function toPage<Row, Json>({ rows, next }: Page<Row>, toJson: (row: Row) => Json) {
  return { data: rows.map(toJson), next }
}
