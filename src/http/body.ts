import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../context.ts'
import { ApiError } from '../errors.ts'
import { MAX_BATCH_BYTES, MAX_BODY_BYTES, MAX_DROPPED_BYTES } from '../limits.ts'
import { servedRoute } from './served.ts'

/**
 * Receives the body: 415 and 413 come before the token is looked at. What it holds is judged later (validate.ts).
 */
export function receiveBody(): MiddlewareHandler<AppEnv> {
  return async function receiveBody(c, next) {
    const limit = servedRoute(c)?.endsWith('/batch') ? MAX_BATCH_BYTES : MAX_BODY_BYTES
    const text = decode(await readBody(c.req.raw, limit))
    Object.assign(c.req.bodyCache, { text: Promise.resolve(text) })
    await next()
  }
}

/** It stays in the text, and JSON.parse refuses it. */
const BYTE_ORDER_MARK = '\uFEFF'
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Bytes that are not UTF-8 become a text that is neither JSON nor empty, as no body would be. */
function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return BYTE_ORDER_MARK
    throw error
  }
}

async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  const { headers } = request
  if (headers.has('Content-Encoding')) throw new ApiError('unsupported_media_type')
  const mediaType = headers.get('Content-Type')?.split(';', 1)[0]?.trim().toLowerCase()
  const declared = Number(headers.get('Content-Length') ?? NaN)
  if (declared > 0) {
    if (mediaType !== 'application/json') throw new ApiError('unsupported_media_type')
    if (declared > limit) throw tooLarge(limit)
    return new Uint8Array(await request.arrayBuffer())
  }
  const { body } = request
  return body === null || declared === 0 ? new Uint8Array() : readChunks(body, mediaType, limit)
}

function tooLarge(limit: number): ApiError {
  return new ApiError('payload_too_large', { message: `The body is over ${limit.toLocaleString('en')} bytes.` })
}

/**
 * A body of undeclared length: the first byte tells that there is one, the count when there are too many. What is
 * refused is read on and dropped for a while: a client that writes before it reads would else see a cut connection.
 */
async function readChunks(
  body: ReadableStream<Uint8Array>,
  mediaType: string | undefined,
  limit: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size <= limit) chunks.push(chunk)
    if (size > MAX_DROPPED_BYTES) break
  }
  if (size > 0 && mediaType !== 'application/json') throw new ApiError('unsupported_media_type')
  if (size > limit) throw tooLarge(limit)
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}
