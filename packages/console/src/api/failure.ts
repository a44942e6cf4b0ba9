/** A failed request is a RegistrarError, whatever has gone wrong. */
import { RegistrarError } from 'registrar-client'

/** The status is that of a request that is not signed in. */
export function accessEnded(): RegistrarError {
  return new RegistrarError({
    status: 401,
    code: 'access_ended',
    message: 'The session of Cloudflare Access has ended.',
  })
}

/** Pages and texts with which Cloudflare answers instead of the service. */
type EdgeCode = 'edge_challenge' | 'edge_blocked' | 'edge_rate_limited' | 'edge_quota'

/** True for a response below 500 that Cloudflare has made itself: every error of the API is JSON. */
export function isOfEdge({ status, headers }: Response): boolean {
  const isJson = headers.get('Content-Type')?.includes('json') === true
  return status >= 400 && status < 500 && !isJson && headers.has('CF-Ray')
}

export async function edgeFailure(response: Response): Promise<RegistrarError> {
  const { status, headers } = response
  const retryAfter = Number(headers.get('Retry-After') ?? Number.NaN)
  return new RegistrarError({
    status,
    code: edgeCodeOf(response, await response.text()),
    message: `Cloudflare has rejected the request before it reached the service (${status}).`,
    ray: headers.get('CF-Ray') ?? undefined,
    retryAfter: Number.isFinite(retryAfter) ? Math.max(retryAfter, 0) : undefined,
  })
}

function edgeCodeOf({ status, headers }: Response, text: string): EdgeCode {
  if (headers.get('cf-mitigated') === 'challenge') return 'edge_challenge'
  if (status !== 429) return 'edge_blocked'
  // 1027: the requests of the Free plan for this day are used up. 1015: a rule limits the requests.
  return /\b1027\b/.test(text) ? 'edge_quota' : 'edge_rate_limited'
}

/** Returns what a failed request threw; anything but a RegistrarError means that there was no response. */
export function toFailure(error: unknown): RegistrarError {
  if (error instanceof RegistrarError) return error
  return new RegistrarError({
    status: 0,
    code: 'no_response',
    message: error instanceof Error ? error.message : String(error),
  })
}
