/**
 * `fetch` of a Worker as Cloudflare carries it out: for a host that cannot be reached it returns a response of Cloudflare's own,
 * where workerd throws (https://developers.cloudflare.com/workers/platform/known-issues/; cloudflare/miniflare, issue 145).
 * What the statuses mean: support/troubleshooting/http-status-codes/cloudflare-5xx-errors.
 */
import { type Request, Response } from 'miniflare'

const STATUSES: [RegExp, number, string][] = [
  // The name does not exist.
  [/^(?:ENOTFOUND|EAI_\w+)$/, 530, 'error code: 1016'],
  [/^ECONNREFUSED$/, 521, 'error code: 521'],
  [/^(?:EHOSTUNREACH|ENETUNREACH)$/, 523, 'error code: 523'],
  // The TLS handshake has failed.
  [/^(?:EPROTO|ERR_SSL_\w+)$/, 525, 'error code: 525'],
  // The certificate is not trusted.
  [/CERT|SIGNATURE/, 526, 'error code: 526'],
  // The connection has ended without a response.
  [/^/, 520, 'error code: 520'],
]

/** What Miniflare calls for each request that a Worker or an object sends. */
export async function outbound(request: Request): Promise<Response> {
  const { method, url, headers } = request
  try {
    const body = method === 'GET' ? undefined : await request.arrayBuffer()
    const sent = { method, headers: Object.fromEntries(headers), redirect: 'manual' as const, ...(body && { body }) }
    const received = await fetch(url, sent)
    const text = [204, 304].includes(received.status) ? null : await received.text()
    return new Response(text, { status: received.status, headers: Object.fromEntries(received.headers) })
  } catch (error) {
    const [, status, text] = STATUSES.find(([code]) => code.test(codeOf(error))) ?? []
    return new Response(text, { status: status ?? 520, headers: { server: 'cloudflare' } })
  }
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : ''
}
