/** The extension of an access, which a paid renewal asks for (contract, section 9). */
import { EXTENSION } from '../../../src/limits.ts'
import { toRow } from '../rows.ts'
import { change } from './accesses.ts'
import { extended } from './calendar.ts'
import { type Call, notFound, type Operation, type Outcome } from './operation.ts'
import { endOf, iso, type State } from './state.ts'
import * as values from './values.ts'

const SPANS = {
  days: values.optional(values.integer(1, EXTENSION.days)),
  months: values.optional(values.integer(1, EXTENSION.months)),
}

/** An access without a date stays as it is. */
function extend(state: State, call: Call): Outcome {
  const access = state.accesses.get(call.id)
  if (!access) return notFound
  const { days, months } = call.body
  const from = Math.max(endOf(access.json), call.now)
  const by = days == null ? { months: Number(months) } : { days: Number(days) }
  const due = from === Infinity ? undefined : extended(from, by, String(state.json['time_zone']))
  const set = due === undefined ? {} : { access_due_date: iso(due) }
  const outcome = change(state, call, 200, set, (changes) => ['product_access.updated', { changes }])
  if (outcome.status !== 200) return outcome
  return { ...outcome, headers: { ...outcome.headers, 'Idempotent-Replayed': null }, record: call.id }
}

export const EXTENSIONS: Record<string, Operation> = {
  'POST /product_accesses/{id}/extend': {
    scope: 'product_accesses:write',
    role: 'office',
    body: SPANS,
    check: (body) => (Object.keys(SPANS).every((name) => toRow(body)[name] != null) ? ['months'] : []),
    required: (body) => (Object.keys(SPANS).some((name) => body[name] != null) ? [] : ['days']),
    key: 'extend',
    perform: extend,
  },
}
