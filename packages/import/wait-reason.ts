/** Why a request is sent again later. A code says it, so that the console can use its own words instead of English. */
export type WaitReason =
  | { code: 'status'; status: number }
  /** `cause` is the code of Node, such as ECONNREFUSED, or the browser's text. */
  | { code: 'no_answer'; cause: string }
  | { code: 'timeout'; seconds: number }
  | { code: 'not_json' }
  /** The service was reached, and rejects some rows of a batch for now. */
  | { code: 'rows' }

/** Returns the reason in English, as the commands print it. */
export function waitText(reason: WaitReason): string {
  if (reason.code === 'status') return `the service returned ${reason.status}`
  if (reason.code === 'no_answer') return `no answer (${reason.cause})`
  if (reason.code === 'timeout') return `no answer within ${reason.seconds} s`
  return reason.code === 'not_json' ? 'the response is not JSON' : 'some rows are temporarily rejected'
}
