import type { Page } from '../domain/pages.ts'

export function toPage<Row, Json>({ rows, next }: Page<Row>, toJson: (row: Row) => Json) {
  return { data: rows.map(toJson), next }
}
