/** A failed request: either the error body of the API, or no usable response. */
export interface Detail {
  field: string
  value?: string
  explanation: string
}

export class Failure extends Error {
  override name = 'Failure'
  /** 0 if there was no response. */
  readonly status: number
  /**
   * The API's error code, such as `email_taken`; `unreadable` if the body is not the API's, `no_response` without a
   * response, and `access_ended` if Cloudflare Access asks for a new sign-in.
   */
  readonly code: string
  readonly details: Detail[]
  readonly requestId: string | undefined
  /** In seconds; undefined if the response has no Retry-After. */
  readonly retryAfter: number | undefined
  /** The id of the existing record that a code such as `email_taken` refers to. */
  readonly existingId: string | undefined

  constructor(parts: { status: number; code: string; message: string } & Partial<Failure>) {
    super(parts.message)
    this.status = parts.status
    this.code = parts.code
    this.details = parts.details ?? []
    this.requestId = parts.requestId
    this.retryAfter = parts.retryAfter
    this.existingId = parts.existingId
  }
}

/** Returns the failure that a response with an error status stands for. */
export function failureOf(response: Response, body: unknown): Failure {
  const { status, headers } = response
  const retryAfter = Number(headers.get('Retry-After') ?? Number.NaN)
  return new Failure({
    status,
    code: textIn(body, 'code') ?? 'unreadable',
    message: textIn(body, 'message') ?? `${status} ${response.statusText}`.trim(),
    details: detailsIn(body),
    requestId: headers.get('X-Request-Id') ?? undefined,
    // A proxy in front of the service may send a date instead of seconds, which is ignored.
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
    existingId: headers.get('X-Existing-Id') ?? undefined,
  })
}

/** The status is that of a request that is not signed in. */
export function accessEnded(): Failure {
  return new Failure({ status: 401, code: 'access_ended', message: 'The session of Cloudflare Access has ended.' })
}

/** Returns what a failed request threw; anything but a Failure means that there was no response. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  return new Failure({
    status: 0,
    code: 'no_response',
    message: error instanceof Error ? error.message : String(error),
  })
}

/** `details` is an object on 400 and an array on 422. */
function detailsIn(body: unknown): Detail[] {
  const details = isRecord(body) ? body['details'] : undefined
  return (Array.isArray(details) ? details : [details]).flatMap((detail) => {
    const [field, explanation, value] = ['field', 'explanation', 'value'].map((key) => textIn(detail, key))
    return field === undefined || explanation === undefined
      ? []
      : [{ field, explanation, ...(value !== undefined && { value }) }]
  })
}

function textIn(value: unknown, key: string): string | undefined {
  const found = isRecord(value) ? value[key] : undefined
  return typeof found === 'string' ? found : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
