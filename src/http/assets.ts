import type { Context } from './hono.ts'
import { ApiError } from './errors/api-error.ts'

/** How long a browser may keep a file whose name contains a hash of its content. */
const UNCHANGING_FILE_SECONDS = 365 * 24 * 60 * 60

/** For files whose names contain a hash of their content. */
export const FOREVER = `public, max-age=${UNCHANGING_FILE_SECONDS}, immutable`

const LOCAL = 'http://localhost:8787'

interface Serving {
  policy: string
  /** If omitted, the `Cache-Control` of the asset is kept. */
  caching?: string
  /** Replaces the address for which the documentation is written, that of a local service. */
  origin?: string
}

/** A file that scripts/build-assets.ts has collected, or 304 if the browser has it. Throws `route_not_found` if there is none. */
export async function serveAsset(c: Context, path: string, { policy, caching, origin }: Serving): Promise<Response> {
  const known = c.req.header('If-None-Match')
  const asset = await c.env.ASSETS.fetch(new URL(path, 'https://assets.invalid'), {
    headers: known === undefined ? {} : { 'If-None-Match': known },
  })
  if (!asset.ok && asset.status !== 304) throw new ApiError('route_not_found')
  const headers = new Headers(asset.headers)
  headers.set('Content-Security-Policy', policy)
  if (caching !== undefined) headers.set('Cache-Control', caching)
  const type = headers.get('Content-Type') ?? ''
  // Cloudflare would hide the email addresses of the examples, and add a script that the policy blocks.
  if (type.startsWith('text/html')) headers.append('Cache-Control', 'no-transform')
  const isText = /^(?:text\/(?:html|markdown|plain)|application\/json)\b/.test(type)
  const isRewritten = origin !== undefined && isText && asset.status === 200
  if (isRewritten) headers.delete('Content-Length')
  const body = isRewritten ? (await asset.text()).replaceAll(LOCAL, origin) : asset.body
  return c.newResponse(body, asset.status === 304 ? 304 : 200, Object.fromEntries(headers))
}

/** The path of the file in the folder. The name is escaped, so it cannot lead to another folder. */
export function fileIn(c: Context, folder: string): string {
  return `${folder}/${encodeURIComponent(c.req.param('file') ?? '')}`
}
