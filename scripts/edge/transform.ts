/**
 * How the edge changes the body of a response, and the headers that belong to it. Sources are pages of
 * https://developers.cloudflare.com.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { Readable, type Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib'

export interface Passed {
  status: number
  headers: IncomingHttpHeaders
  body: Readable
  /** Compresses the body on its way. */
  through?: Transform
}

/** speed/optimization/content/compression: these types, statuses and sizes. It does not name text/csv and text/markdown. */
const TYPES =
  /^(?:text\/(?:html|richtext|plain|css|x-script|x-component|x-java-source|x-markdown|javascript|js|xml)|application\/(?:javascript|x-javascript|xml|rss\+xml|vnd\.api\+json|json|xhtml\+xml|wasm|manifest\+json|ld\+json|graphql\+json|geo\+json)|image\/(?:svg\+xml|x-icon|vnd\.microsoft\.icon)|font\/(?:ttf|otf))$/
const STATUSES = new Set([200, 403, 404])
/** In the order in which the plans prefer them: Free, Pro, Enterprise. */
const CODINGS = {
  zstd: { minimum: 50, create: createZstdCompress },
  br: { minimum: 50, create: createBrotliCompress },
  gzip: { minimum: 48, create: createGzip },
}

/** `Cache-Control: no-transform` keeps the edge from any change. */
export async function transformed(passed: Passed, accept?: string): Promise<Passed> {
  if (/\bno-transform\b/.test(passed.headers['cache-control'] ?? '')) return passed
  return compressed(await rewritten(passed), accept)
}

async function compressed(passed: Passed, accept = ''): Promise<Passed> {
  const { status, headers } = passed
  const coding = codingOf(accept)
  if (coding === undefined || headers['content-encoding'] !== undefined) return passed
  if (!STATUSES.has(status) || !TYPES.test(typeOf(headers))) return passed
  const { minimum, create } = CODINGS[coding]
  const { isLarge, body } = await peek(passed.body, minimum)
  if (!isLarge) return { ...passed, body }
  const { 'content-length': _, ...kept } = headers
  const vary = [kept.vary ?? [], 'accept-encoding'].flat().join(', ')
  return {
    status,
    headers: { ...weak(kept), 'content-encoding': coding, vary },
    body,
    through: create(),
  }
}

/** cache/reference/etag-headers: a tag in quotes becomes weak, any other is removed. */
function weak({ etag, ...headers }: IncomingHttpHeaders): IncomingHttpHeaders {
  if (etag?.startsWith('"')) return { ...headers, etag: `W/${etag}` }
  return etag?.startsWith('W/"') ? { ...headers, etag } : headers
}

function codingOf(accept: string): keyof typeof CODINGS | undefined {
  const accepted = new Map(
    accept.split(',').map((each) => {
      const [name = '', ...parameters] = each.toLowerCase().split(';')
      return [name.trim(), !parameters.some((parameter) => /^\s*q=0(?:\.0*)?\s*$/.test(parameter))]
    }),
  )
  return (['zstd', 'br', 'gzip'] as const).find((name) => accepted.get(name) ?? accepted.get('*'))
}

/** Reads until it knows whether the body has so many bytes. wrangler's own server does not announce the length. */
async function peek(body: Readable, minimum: number): Promise<{ isLarge: boolean; body: Readable }> {
  const chunks: Buffer[] = []
  const rest = body.iterator({ destroyOnReturn: true })
  let size = 0
  while (size < minimum) {
    const { done, value } = await rest.next()
    if (done === true) break
    chunks.push(value)
    size += value.length
  }
  async function* whole() {
    yield* chunks
    yield* rest
  }
  return { isLarge: size >= minimum, body: Readable.from(whole(), { objectMode: false }) }
}

const EMAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g
/** Where waf/tools/scrape-shield/email-address-obfuscation leaves addresses as they are. */
const KEPT = /<!--email_off-->[^]*?<!--\/email_off-->|<(script|noscript|textarea|xmp|head)\b[^]*?<\/\1>|<[^>]+>/g
const HIDDEN = '<a href="/cdn-cgi/l/email-protection" class="__cf_email__" data-cfemail="00">[email&#160;protected]</a>'
/** web-analytics/get-started: the edge adds it to every page of a zone with automatic setup. */
const BEACON = '<script defer src="https://static.cloudflareinsights.com/beacon.min.js"></script>'

/** Hides the email addresses of a page, and adds the script of Web Analytics. */
async function rewritten(passed: Passed): Promise<Passed> {
  const { headers, body } = passed
  if (typeOf(headers) !== 'text/html' || headers['content-encoding'] !== undefined) return passed
  const page = (await buffer(body)).toString()
  const kept = [...page.matchAll(KEPT)]
  const starts = [0, ...kept.map(({ index, 0: text }) => index + text.length)]
  const ends = [...kept.map(({ index }) => index), page.length]
  const parts = starts.map((start, i) => page.slice(start, ends[i]).replaceAll(EMAIL, HIDDEN) + (kept[i]?.[0] ?? ''))
  const html = Buffer.from(parts.join('').replace('</body>', `${BEACON}</body>`))
  const changed = { ...weak(headers), 'content-length': String(html.length) }
  return { ...passed, headers: changed, body: Readable.from([html], { objectMode: false }) }
}

function typeOf(headers: IncomingHttpHeaders): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}
