/**
 * What the edge answers instead of the Worker. A request asks for one of them by its header `Edge-Answer`, because their causes
 * cannot be brought about here. Sources are pages of https://developers.cloudflare.com, unless another is named.
 */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: string
}

const HTML = 'text/html; charset=UTF-8'
const PLAIN = 'text/plain; charset=UTF-8'

const KNOWN: Record<string, { status: number; type: string; title: string; headers?: Record<string, string> }> = {
  // cloudflare-challenges/challenge-types/challenge-pages/detect-response
  challenge: { status: 403, type: HTML, title: 'Just a moment...', headers: { 'cf-mitigated': 'challenge' } },
  // waf/custom-rules/create-dashboard: the action "Block"
  block: { status: 403, type: HTML, title: 'Attention Required! | Cloudflare' },
  // waf/tools/browser-integrity-check; the text is that of issue 134 of source-cooperative/data.source.coop
  '1010': { status: 403, type: PLAIN, title: 'Access denied' },
  // changelog/post/2026-03-12-retry-after-header-for-1xxx-errors
  '1015': { status: 429, type: HTML, title: 'You are being rate limited', headers: { 'retry-after': '30' } },
  // workers/observability/errors, these three
  '1027': { status: 429, type: HTML, title: 'This website has been temporarily rate limited' },
  '1101': { status: 500, type: HTML, title: 'Worker threw exception' },
  '1102': { status: 503, type: HTML, title: 'Worker exceeded resource limits' },
  // support/troubleshooting/http-status-codes/cloudflare-5xx-errors, and issue 206 of source-cooperative/data.source.coop
  '520': { status: 520, type: PLAIN, title: 'Web server is returning an unknown error' },
  // Made of what the Worker responds with such a status: auroraxo/docrot-api, release 1.4.0
  '502': { status: 502, type: PLAIN, title: 'Bad gateway' },
  '504': { status: 504, type: PLAIN, title: 'Gateway time-out' },
  // workers/platform/limits: a body of more than 100 MB, a URL of more than 16 KB
  '413': { status: 413, type: HTML, title: 'Payload Too Large' },
  '414': { status: 414, type: HTML, title: 'URI Too Long' },
}

/** For a name that is not one of the answers: 400, with their names. */
export function answerFor(name: string, { ray, accept = '' }: { ray: string; accept?: string | undefined }): Answer {
  const known = KNOWN[name]
  if (known === undefined) {
    const body = `Edge-Answer is one of ${Object.keys(KNOWN).join(', ')}.\n`
    return { status: 400, headers: { 'content-type': PLAIN }, body }
  }
  const { status, type, title, headers } = known
  // fundamentals/reference/error-responses: JSON for those that ask for it first, but not for challenges and blocks.
  const [json] = /^application\/(?:problem\+)?json\b/.exec(accept) ?? []
  if (json !== undefined && /^[15]\d/.test(name)) {
    const problem = { type: `https://developers.cloudflare.com/support/#${name}`, title: `Error ${name}: ${title}` }
    const body = { ...problem, status, instance: ray, error_code: Number(name), ray_id: ray, cloudflare_error: true }
    return { status, headers: { ...headers, 'content-type': `${json}; charset=utf-8` }, body: JSON.stringify(body) }
  }
  const page = `<!DOCTYPE html><title>${title}</title><h1>${title}</h1><p>Error ${name}</p><p>Ray ID: ${ray}</p>`
  return {
    status,
    headers: { ...headers, 'content-type': type },
    body: type === HTML ? page : `error code: ${name}`,
  }
}
