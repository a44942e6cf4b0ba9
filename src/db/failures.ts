/**
 * What D1's errors mean. They carry no code: the messages are those of
 * https://developers.cloudflare.com/d1/observability/debug-d1/ and some that were seen in production.
 */

/** Why D1 cannot answer: the code of the log line. */
type Failure = 'd1_connection_lost' | 'd1_overloaded' | 'd1_timed_out' | 'd1_full' | 'd1_exporting' | 'd1_no_answer'

/** The database cannot answer for the moment: a 503. What was sent may or may not have been done. */
export class Unavailable extends Error {
  readonly failure: Failure

  constructor(failure: Failure, cause?: unknown) {
    super(failure, { cause })
    this.failure = failure
  }
}

/** In this order: the message of a time-out ends in `which caused object to be reset`. */
const FAILURES: [Failure, RegExp][] = [
  ['d1_timed_out', /exceeded timeout which caused object to be reset/i],
  ['d1_overloaded', /D1 DB is overloaded|Too many requests queued|exceeded its (memory|CPU time) limit/i],
  ['d1_full', /Exceeded maximum DB size|database or disk is full/i],
  ['d1_exporting', /long-running export|being exported|export is in progress/i],
  [
    'd1_connection_lost',
    /Network connection lost|storage caused object to be reset|reset because its code was updated|Cannot resolve D1 DB due to transient issue|client disconnected|internal error; reference = /i,
  ],
]

/** Undefined for what nobody can name: a defect. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof Unavailable) return error.failure
  const message = error instanceof Error ? error.message : String(error)
  return FAILURES.find(([, pattern]) => pattern.test(message))?.[0]
}
