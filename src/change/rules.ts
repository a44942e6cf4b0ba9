/**
 * Rules decide how a request ends. A use case lists them in the order of the contract; the first that holds gives the
 * outcome, and a request that no rule stops is `allowed`.
 *
 * Rules are conditions on one row: the request, joined with everything it is about (src/change/authorize.ts). The
 * event of a change is inserted only if none of them holds, and the outcome is selected by the same list after the writes.
 * So the outcome that is reported cannot differ from the decision.
 */
import { or, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import type { DomainErrorCode } from './errors.ts'

/**
 * `allowed`: the change would be made. `applied`: it was made, by this attempt or an earlier one. `superseded`: a later
 * attempt ran before this one, so nobody waits for the result of this one. `unchanged`: the record already has the new
 * values. `replayed`: the idempotency key was used by the same request. Otherwise the code of an error.
 */
export type Outcome = 'allowed' | 'applied' | 'superseded' | 'unchanged' | 'replayed' | DomainErrorCode

export interface Rule<O extends Outcome = Outcome> {
  outcome: O
  /** A condition on a row that is missing is null, and the rule does not hold. */
  when: SQL | undefined
  /** What the error needs besides its code, such as the id of the user who has the email. */
  details: Record<string, SQLWrapper>
}

export function rule<const O extends Outcome>(
  outcome: O,
  when: SQL | undefined,
  details: Record<string, SQLWrapper> = {},
): Rule<O> {
  return { outcome, when, details }
}

/**
 * The condition under which the event is inserted. As the condition of `iif`, SQLite evaluates the rules in their order and
 * only up to the first that holds: a caller who is rejected causes no look-up for the rules after that.
 */
export function noneHolds(rules: readonly Rule[]): SQL {
  return sql`iif(${or(...rules.map(({ when }) => when))}, 0, 1)`
}

/** The outcome of the first rule that holds. */
export function outcomeOf<O extends Outcome>(rules: readonly Rule<O>[]): SQL<O | 'allowed'> {
  const branches = rules.map(({ outcome, when }) => sql`when ${when} then ${outcome}`)
  return sql`case ${sql.join(branches, sql` `)} else 'allowed' end`
}

/**
 * The details of the first rule that holds, as a JSON object. Those of the others are not computed. Most rules have none, so
 * those that follow each other share a branch, and those after the last one with details need none.
 */
export function detailsOf(rules: readonly Rule[]): SQL<string> {
  const branches: SQL[] = []
  let withoutDetails: (SQL | undefined)[] = []
  for (const { when, details } of rules) {
    const pairs = Object.entries(details).map(([name, value]) => sql`${name}, ${value}`)
    if (pairs.length === 0) {
      withoutDetails.push(when)
      continue
    }
    if (withoutDetails.length > 0) branches.push(sql`when ${or(...withoutDetails)} then '{}'`)
    withoutDetails = []
    branches.push(sql`when ${when} then json_object(${sql.join(pairs, sql`, `)})`)
  }
  return branches.length === 0 ? sql`'{}'` : sql`case ${sql.join(branches, sql` `)} else '{}' end`
}
