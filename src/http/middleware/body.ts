import type { Context, MiddlewareHandler } from '../hono.ts'
import { ApiError } from '../errors/api-error.ts'
import { CLIENT_DISCONNECTED, malformedBody, NOT_UTF8 } from '../errors/malformed-body.ts'
import { MAX_BATCH_BYTES, MAX_BODY_BYTES, withCommas } from '../../limits.ts'
import { waitAtMost } from '../../lib/pause.ts'

/** How much of a rejected body is read and dropped before the response is sent. */
const MAX_DROPPED_BYTES = 16 * 1024 * 1024

/** How long a rejected body is read: a client that declares a body and sends none still gets its response after this. */
export const DROP_BODY_MS = 2000

/**
 * Reads the body, and rejects a wrong media type (415) and a body that is too large (413). Its content is validated later.
 */
export function receiveBody(): MiddlewareHandler {
  return async function receiveBody(c, next) {
    const limit = c.get('route')?.endsWith('/batch') ? MAX_BATCH_BYTES : MAX_BODY_BYTES
    setBodyText(c, decode(await readBody(c.req.raw, limit)))
    // An upload may take longer than the disorder that the feed expects (src/modules/events/feed-conditions.ts).
    c.set('now', Date.now())
    // Hono's validator would not see a JSON body, and treat it as an empty object.
    if (c.req.header('Content-Type')?.includes(',')) c.req.raw = withOneContentType(c.req.raw)
    await next()
  }
}

/** Puts the text where Hono looks for the body first: the stream has been read, so validators would find no body. */
export function setBodyText(c: Context, text: string): void {
  Object.assign(c.req.bodyCache, { text: Promise.resolve(text) })
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return NOT_UTF8
    throw error
  }
}

async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  const { headers } = request
  if (headers.has('Content-Encoding')) throw new ApiError('unsupported_media_type')
  const mediaType = contentType(headers)?.split(';', 1)[0]?.trim().toLowerCase()
  const declared = Number(headers.get('Content-Length') ?? NaN)
  if (declared > 0) {
    if (mediaType !== 'application/json') throw new ApiError('unsupported_media_type')
    if (declared > limit) throw tooLarge(limit)
    return new Uint8Array(await request.arrayBuffer().catch(disconnected))
  }
  const { body } = request
  return body === null || declared === 0 ? new Uint8Array() : readChunks(body, mediaType, limit)
}

/** Two headers arrive as `a, b`. Equal ones count as one. */
function contentType(headers: Headers): string | undefined {
  const value = headers.get('Content-Type') ?? undefined
  const [first, ...others] = new Set(value?.split(',').map((each) => each.trim().toLowerCase()))
  return others.length === 0 ? first : value
}

function withOneContentType(request: Request): Request {
  const headers = new Headers(request.headers)
  const value = contentType(headers)
  if (value !== undefined) headers.set('Content-Type', value)
  return new Request(request.url, { method: request.method, headers })
}

function tooLarge(limit: number): ApiError {
  return new ApiError('payload_too_large', { message: `The body is over ${withCommas(limit)} bytes.` })
}

/** Only the connection can fail while a body is read. Nobody reads the response; the log must not show a defect. */
function disconnected(cause: unknown): never {
  throw malformedBody('', { failure: CLIENT_DISCONNECTED, cause })
}

/** Reads a body of undeclared length. A body that is too large is read on, as `dropUnreadBody` does. */
async function readChunks(
  body: ReadableStream<Uint8Array>,
  mediaType: string | undefined,
  limit: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      size += chunk.byteLength
      if (size <= limit) chunks.push(chunk)
      if (size > MAX_DROPPED_BYTES) break
    }
  } catch (cause) {
    return disconnected(cause)
  }
  if (size > 0 && mediaType !== 'application/json') throw new ApiError('unsupported_media_type')
  if (size > limit) throw tooLarge(limit)
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

/**
 * Reads and drops a body that was rejected before it was read, up to a size and a time. Without this, a client that
 * writes its whole body before it reads the response would see a reset connection instead of the 401 or 429.
 */
export function dropUnreadBody(): MiddlewareHandler {
  return async function dropUnreadBody(c, next) {
    await next()
    const { raw } = c.req
    if (raw.bodyUsed || raw.body === null || raw.body.locked) return
    await waitAtMost(DROP_BODY_MS, dropBody(raw.body))
  }
}

async function dropBody(body: ReadableStream<Uint8Array>): Promise<void> {
  let size = 0
  try {
    for await (const chunk of body) {
      size += chunk.byteLength
      if (size > MAX_DROPPED_BYTES) break
    }
  } catch {
    // The client has closed the connection, so there is nobody to respond to.
  }
}
