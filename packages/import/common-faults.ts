/** Products that many rows name in vain: one thing to correct, however many rows it has. */
import type { Reason } from './reasons.ts'

export interface CommonFault {
  reason: Reason
  /** How many rows have it. */
  count: number
  /** The number of the first one. */
  line: number
}

export interface CommonFaults {
  /** `rows` have these reasons, the first of them in this line. */
  add: (line: number, reasons: readonly Reason[], rows?: number) => void
  /** Those of several rows, with the most frequent one first. */
  list: () => CommonFault[]
  /** Whether all reasons of a row are said for several rows. */
  coverAll: (reasons: readonly Reason[]) => boolean
}

export function commonFaults(): CommonFaults {
  const faults = new Map<string, CommonFault>()
  return {
    add(line, reasons, rows = 1) {
      // A row may name the same product twice.
      for (const [key, reason] of new Map(reasons.map((each) => [keyOf(each), each]))) {
        const known = faults.get(key)
        if (known) {
          known.count += rows
          // Rows do not come in the order of the file.
          known.line = Math.min(known.line, line)
        } else if (key !== '') faults.set(key, { reason, count: rows, line })
      }
    },
    list: () =>
      [...faults.values()].filter(({ count }) => count > 1).toSorted((a, b) => b.count - a.count || a.line - b.line),
    coverAll: (reasons) => reasons.every((reason) => (faults.get(keyOf(reason))?.count ?? 0) > 1),
  }
}

/** Is empty for a reason that is about one row. */
function keyOf({ column, code = '', field = '', about }: Reason): string {
  const isProduct = field === 'product' || /^product_accesses\.\d+(?:\.slug)?$/.test(field)
  return isProduct && about !== undefined ? JSON.stringify([column, code, about]) : ''
}
