/** Strong entity tags, `"<id>-<event>"`: the record and the event of its last change (RFC 9110, 8.8.3 and 13.1.1). */
import { numberOf } from '../db/ids.ts'

export function toEtag(id: number, changedBy: number): string {
  return `"${numberOf(id)}-${numberOf(changedBy)}"`
}
