/** The number formats that need no code in a workbook (ECMA-376, 18.8.30). */
import { getFormatFromId } from 'numfmt'

/** The currency of these is that of the machine, so nobody knows what they show but the number. */
const OF_CURRENCY = new Set([5, 6, 7, 8, 42, 44, 63, 64, 65, 66])

export function formatWithId(id: number): string {
  return OF_CURRENCY.has(id) ? '#,##0.00' : getFormatFromId(id)
}
