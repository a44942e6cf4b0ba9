import type { Schemas } from './types.ts'

/**
 * The code of an error: one of the API, of the client itself (`no_response`, `timeout`, `unreadable`), or one that was
 * added to the API later.
 */
export type ErrorCode =
  | Schemas['ErrorCode']
  | 'no_response'
  | 'timeout'
  | 'unreadable'
  | (string & Record<never, never>)

/** One invalid field of a request. */
export interface Detail {
  field: string
  value?: string
  explanation: string
}

interface Parts {
  status: number
  code: ErrorCode
  message: string
  details?: Detail[]
  requestId?: string | undefined
  existingId?: string | undefined
  retryAfter?: number | undefined
  ray?: string | undefined
  cause?: unknown
}

/** A failed request: an error of the API, or no usable response. */
export class RegistrarError extends Error {
  override name = 'RegistrarError'
  /** 0 if there was no response. */
  readonly status: number
  readonly code: ErrorCode
  readonly details: Detail[]
  /** Quote it when you ask for help. */
  readonly requestId: string | undefined
  /** The id of the existing record that a code such as `email_taken` refers to. */
  readonly existingId: string | undefined
  /** In seconds; undefined if the service asks for no pause. */
  readonly retryAfter: number | undefined
  /**
   * Cloudflare's number of the request, also if it never reached the service. Quote it if there is no `requestId`.
   */
  readonly ray: string | undefined

  constructor({ status, code, message, details = [], requestId, existingId, retryAfter, ray, cause }: Parts) {
    super(message, { cause })
    this.status = status
    this.code = code
    this.details = details
    this.requestId = requestId
    this.existingId = existingId
    this.retryAfter = retryAfter
    this.ray = ray
  }

  /** True if the same request may succeed later. After all but a 429 it is unknown whether a change was made. */
  get isTemporary(): boolean {
    // A success that cannot be read comes from something in between, such as the page of a proxy, and so does a 408 or a 425.
    return this.status < 300 || [408, 425, 429].includes(this.status) || this.status >= 500
  }
}

/** Returns the error that a response stands for. `body` is undefined if it is not JSON. */
export function errorOf({ status, statusText, headers }: Response, body: unknown): RegistrarError {
  const retryAfter = Number(headers.get('Retry-After') ?? Number.NaN)
  return new RegistrarError({
    // A browser hides the status of a redirect.
    status: status || 302,
    // The update of an access on v1 returns no code, and its type says the same. Cloudflare's own type is an address (RFC 9457).
    code: textIn(body, 'code') ?? /^\w+$/.exec(textIn(body, 'type') ?? '')?.[0] ?? 'unreadable',
    message: textIn(body, 'message') ?? `${status} ${textIn(body, 'title') ?? statusText}`.trim(),
    details: detailsIn(body),
    requestId: headers.get('X-Request-Id') ?? undefined,
    existingId: headers.get('X-Existing-Id') ?? undefined,
    ray: headers.get('CF-Ray') ?? undefined,
    // A proxy in front of the service may send a date instead of seconds, which is ignored.
    retryAfter: Number.isFinite(retryAfter) ? Math.max(retryAfter, 0) : undefined,
  })
}

/** `details` is an object on 400 and 410, and a list on 422. */
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
