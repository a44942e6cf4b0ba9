/**
 * The errors of requests that end an import. Each has the reason as a code, so that the console can use its own words
 * instead of the English message.
 */
import { isObject } from '../src/json.ts'
import { textIn } from './text-in.ts'
import { type WaitReason, waitText } from './wait-reason.ts'

/** The service was not available for too long. Nothing is lost, and the same command can continue later. */
export class GaveUp extends Error {
  override name = 'GaveUp'
  readonly reason: WaitReason
  readonly minutes: number

  constructor(reason: WaitReason, minutes: number) {
    super(`Gave up: ${waitText(reason)}, for ${minutes} minutes.`)
    this.reason = reason
    this.minutes = minutes
  }
}

export type RefusedReason =
  /** `error` is the code of the API's error; it is empty if the body is not the API's. */
  | { code: 'response'; status: number; error: string }
  | { code: 'other_store'; store: string; expected: string }
  | { code: 'missing_scopes'; scopes: string[] }
  | { code: 'results'; results: number; rows: number }

/** A response that no other attempt would change. */
interface Rejection {
  status: number
  body: unknown
}

/** The service rejects the whole request, so sending it again would return the same error. */
export class Refused extends Error {
  override name = 'Refused'
  readonly reason: RefusedReason

  constructor(given: Rejection | Exclude<RefusedReason, { code: 'response' }>) {
    const isRejection = 'body' in given
    super(isRejection ? messageOf(given) : refusedText(given))
    this.reason = isRejection
      ? { code: 'response', status: given.status, error: textIn(given.body, 'code') ?? '' }
      : given
  }
}

function messageOf({ status, body }: Rejection): string {
  const details = isObject(body) && body['details'] !== undefined ? ` ${JSON.stringify(body['details'])}` : ''
  return `The service returned ${status} ${textIn(body, 'code') ?? ''}: ${textIn(body, 'message') ?? ''}${details}`
}

function refusedText(reason: Exclude<RefusedReason, { code: 'response' }>): string {
  if (reason.code === 'other_store')
    return `The token belongs to the store "${reason.store}", not to "${reason.expected}".`
  if (reason.code === 'results') return `The service returned ${reason.results} results for ${reason.rows} rows.`
  const { scopes } = reason
  return `The token lacks the ${scopes.length > 1 ? 'scopes' : 'scope'} ${scopes.join(', ')}.`
}
