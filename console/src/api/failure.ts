/** What the API says when it refuses, as its error bodies have it; or that nothing usable came back. */
export interface Detail {
  field: string
  value?: string
  explanation: string
}

export class Failure extends Error {
  override name = 'Failure'
  /** 0 when no answer came. */
  readonly status: number
  /** Such as `email_taken`; of an answer that is not the API's own, `unreadable`; without an answer, `no_answer`. */
  readonly code: string
  readonly details: Detail[]
  readonly requestId: string | undefined
  /** Seconds, where the answer asks for a pause. */
  readonly retryAfter: number | undefined
  /** The record that is there already, on `email_taken` and the like. */
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

/** Of an answer that is no success. */
export function failureOf(response: Response, body: unknown): Failure {
  const { status, headers } = response
  const retryAfter = Number(headers.get('Retry-After') ?? Number.NaN)
  return new Failure({
    status,
    code: textIn(body, 'code') ?? 'unreadable',
    message: textIn(body, 'message') ?? `${status} ${response.statusText}`.trim(),
    details: detailsIn(body),
    requestId: headers.get('X-Request-Id') ?? undefined,
    // What stands before the service may send a date.
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
    existingId: headers.get('X-Existing-Id') ?? undefined,
  })
}

/** Of a request that threw. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  return new Failure({ status: 0, code: 'no_answer', message: error instanceof Error ? error.message : String(error) })
}

/** A 400 has one detail, a 422 a list. */
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
