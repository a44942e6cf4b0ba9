/**
 * What the errors of D1 mean. They have no code, so they are recognized by their messages: those of
 * https://developers.cloudflare.com/d1/observability/debug-d1/ and some that were seen in production.
 */

/** Why D1 is unavailable: the code in the log line. */
type Unavailability =
  | 'd1_connection_lost'
  | 'd1_overloaded'
  | 'd1_timed_out'
  | 'd1_full'
  | 'd1_exporting'
  | 'd1_no_answer'

type Failure = Unavailability | 'd1_value_too_big'

/** The database is temporarily unavailable (503). Nobody knows whether the batch was committed. */
export class Unavailable extends Error {
  readonly failure: Unavailability

  constructor(failure: Unavailability, cause?: unknown) {
    super(failure, { cause })
    this.failure = failure
  }
}

/** A value or a row exceeds the 2 MB that D1 stores (422). Nothing of the batch was written. */
export class ValueTooBig extends Error {
  readonly failure = 'd1_value_too_big'

  constructor(cause: unknown) {
    super('d1_value_too_big', { cause })
  }
}

/** The order matters: the message of a timeout ends in `which caused object to be reset`, as another one does. */
const FAILURES: [Failure, RegExp][] = [
  ['d1_timed_out', /exceeded timeout which caused object to be reset/i],
  ['d1_overloaded', /D1 DB is overloaded|Too many requests queued|exceeded its (memory|CPU time) limit/i],
  ['d1_full', /Exceeded maximum DB size|database or disk is full/i],
  // A statement that is too long has the code SQLITE_TOOBIG as well, but is a defect.
  ['d1_value_too_big', /string or blob too big/i],
  ['d1_exporting', /long-running export|being exported|export is in progress/i],
  [
    'd1_connection_lost',
    /Network connection lost|storage caused object to be reset|reset because its code was updated|Cannot resolve D1 DB due to transient issue|client disconnected|internal error; reference = /i,
  ],
]

/** Undefined for an error without a name, which is a defect. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof Unavailable) return error.failure
  const message = error instanceof Error ? error.message : String(error)
  return FAILURES.find(([, pattern]) => pattern.test(message))?.[0]
}
