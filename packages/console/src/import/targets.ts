/** What an operator must still choose before the columns of a file can be imported. */
import { NO_FIELD, PRODUCTS, REQUIRED, setBy } from './engine.ts'

export interface MappingProblems {
  missing: string[]
  repeated: string[]
  /** True if there is a column for the status or due date of an access, but none for its product. */
  missesProduct: boolean
  /** Headings that several columns of the file have. A choice is made by heading, so it would hold for all of them. */
  sameHeading: string[]
}

export function problemsOf(columns: string[], rename: Record<string, string>): MappingProblems {
  const chosen = Object.values(rename)
    .filter((field) => field !== NO_FIELD)
    .flatMap(setBy)
  return {
    missing: REQUIRED.filter((field) => !chosen.includes(field)),
    repeated: [...new Set(chosen.filter((field, i) => chosen.indexOf(field) < i))],
    missesProduct: !chosen.includes('product') && PRODUCTS.some((field) => chosen.includes(field)),
    sameHeading: [...new Set(columns.filter((name, i) => columns.indexOf(name) < i))].filter(
      (name) => rename[name] !== NO_FIELD,
    ),
  }
}

export function isComplete({ missing, repeated, missesProduct, sameHeading }: MappingProblems): boolean {
  return missing.length === 0 && repeated.length === 0 && !missesProduct && sameHeading.length === 0
}
