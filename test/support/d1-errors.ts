/**
 * These are the messages of D1 when it cannot respond, by the code of their log line. They come from
 * https://developers.cloudflare.com/d1/observability/debug-d1/ and from production. A lost connection is worth a
 * retry; after the other errors, a retry would only add load.
 */
export const D1_ERRORS = {
  d1_connection_lost: [
    'D1_ERROR: Network connection lost.',
    'D1_ERROR: D1 DB storage caused object to be reset.',
    'D1_ERROR: D1 DB reset because its code was updated.',
    'D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.',
    'D1_ERROR: The Durable Object client disconnected.',
    'D1_ERROR: internal error; reference = 0123456789abcdef',
  ],
  d1_overloaded: [
    'D1_ERROR: D1 DB is overloaded. Requests queued for too long.',
    'D1_ERROR: D1 DB is overloaded. Too many requests queued.',
    'D1_ERROR: D1 DB exceeded its memory limit and was reset.',
    'D1_ERROR: D1 DB exceeded its CPU time limit and was reset.',
  ],
  d1_timed_out: ['D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.'],
  d1_full: ['D1_ERROR: Exceeded maximum DB size.', 'D1_ERROR: database or disk is full: SQLITE_FULL'],
  d1_plan_limit: ["D1_ERROR: Your account has exceeded D1's free tier daily row read limit."],
  d1_exporting: ['D1_ERROR: Currently processing a long-running export.'],
} as const

const { d1_connection_lost, ...unavailable } = D1_ERRORS

export const RETRYABLE = d1_connection_lost

/** A message of each kind. Those of the first kind are worth a retry. All messages are tried in test/db/batch.test.ts. */
export const [RETRIED] = RETRYABLE
export const [NOT_RETRIED] = D1_ERRORS.d1_overloaded

/** Each message is listed with its code. */
export const UNAVAILABLE = Object.entries(unavailable).flatMap(([code, messages]) =>
  messages.map((message): [message: string, code: string] => [message, code]),
)
