/**
 * The errors of requests that end an import. Each has the reason as a code, so that the console can use its own words
 * instead of the English message.
 */
import { type Detail, RegistrarError } from 'registrar-client'
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

/** Nobody listens at the address of the first request. */
export class NoService extends Error {
  override name = 'NoService'

  constructor(url: string) {
    super(`Nothing listens at ${url}. Start the service, or correct --url.`)
  }
}

export type RefusedReason =
  /** `error` is the code of the API's error, or `unreadable` if the body is not the API's. `ray` is there if it is not the API's error. */
  | { code: 'response'; status: number; error: string; ray?: string }
  | { code: 'other_store'; store: string; expected: string }
  | { code: 'missing_scopes'; scopes: string[] }
  | { code: 'results'; results: number; rows: number }

/** The service rejects the whole request, so sending it again would return the same error. */
export class Refused extends Error {
  override name = 'Refused'
  readonly reason: RefusedReason
  /** That of the response; undefined if it was a success that the import cannot use. */
  readonly status: number | undefined
  /** The invalid fields. */
  readonly details: Detail[]

  constructor(given: RegistrarError | Exclude<RefusedReason, { code: 'response' }>) {
    const isRejection = given instanceof RegistrarError
    super(isRejection ? messageOf(given) : refusedText(given))
    this.reason = isRejection ? responseReason(given) : given
    this.status = isRejection ? given.status : undefined
    this.details = isRejection ? given.details : []
  }
}

/** With a request id, nobody needs Cloudflare's number. */
function responseReason({ status, code, requestId, ray }: RegistrarError): RefusedReason {
  return { code: 'response', status, error: code, ...(requestId === undefined && ray !== undefined && { ray }) }
}

function messageOf({ status, code, message, details, ray }: RegistrarError): string {
  if (code === 'unreadable' && ray !== undefined)
    return `Cloudflare has rejected the request before it reached the service: ${message} (CF-Ray: ${ray}). Send this number to the operator of the service.`
  return `The service returned ${status} ${code}: ${message}${details.length > 0 ? ` ${JSON.stringify(details)}` : ''}`
}

function refusedText(reason: Exclude<RefusedReason, { code: 'response' }>): string {
  if (reason.code === 'other_store')
    return `The token belongs to the store "${reason.store}", not to "${reason.expected}".`
  if (reason.code === 'results') return `The service returned ${reason.results} results for ${reason.rows} rows.`
  const { scopes } = reason
  return `The token lacks the ${scopes.length > 1 ? 'scopes' : 'scope'} ${scopes.join(', ')}.`
}
