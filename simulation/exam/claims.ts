/** Creates with an idempotency key: replays, other requests with the same key, and the key in other operations. */
import type { Caller } from '../reference/operation.ts'
import { claimName } from '../reference/claims.ts'
import type { Random } from '../world/random.ts'
import { toRow, type Row } from '../rows.ts'
import type { Examiner, Prepared } from './examiner.ts'

const NAMES = ['X-Idempotency-Key', 'X-Idempotency-Key', 'Idempotency-Key']

/** The same body, with each of its numbers written with one more digit: another request. */
function withMoreDigits(body: Row): Row {
  const more = (digits: string) => digits.replace(/(\.\d+)?(?=e|$)/, (fraction) => `${fraction || '.'}0`)
  return toRow(
    JSON.parse(JSON.stringify(body), (_key, value, { source }) =>
      typeof value === 'number' ? JSON.rawJSON(more(source)) : value,
    ),
  )
}

/** Sends a create with one of a few keys, sometimes with the body that was sent with it before, or nearly that. */
export function withKey(exam: Examiner, random: Random, caller: Caller, kind: string, prepared: Prepared): Prepared {
  const key = `key-${random.below(5)}`
  const claim = exam.model.claims.get(claimName(caller, kind, key))
  // The order of the fields does not matter.
  const first: Row | undefined = claim && Object.fromEntries(Object.entries(toRow(claim.body)).toReversed())
  const variant = first ? random.weighted({ same: 5, digits: 2, other: 3 }) : 'other'
  const repeated = first && (variant === 'same' ? first : withMoreDigits(first))
  const body = variant === 'other' ? prepared.body : repeated
  return { ...prepared, ...(body && { body }), headers: { [random.pick(NAMES)]: key } }
}
