import type { Context } from 'hono'
import type { AppEnv } from '../context.ts'
import { ApiError } from '../errors.ts'
import { Hono } from './hono.ts'

/**
 * Scripts and requests from our own origin alone, and no inline script. Scalar writes its styles into the page as it
 * starts, which 'unsafe-inline' allows for styles; fonts and pictures may only be our own or data: ones.
 */
const REFERENCE_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Their names hold a hash of what is in them. */
const FOREVER = 'public, max-age=31536000, immutable'

/** The document and its reference page: static assets, passed through the Worker for their 404s and 405s. */
export const docs = new Hono<AppEnv>()
  .get('/', (c) => c.redirect('/docs'))
  .get('/docs', (c) => serveAsset(c, '/docs/index.html', REFERENCE_POLICY))
  .get('/docs/:file{[\\w.-]+\\.(?:js|css|svg)}', (c) => serveAsset(c, c.req.path, REFERENCE_POLICY))
  .get('/docs/chunks/:file{[\\w.-]+\\.js}', (c) => serveAsset(c, c.req.path, REFERENCE_POLICY, FOREVER))
  .get('/openapi.json', (c) => serveAsset(c, '/openapi.json', REFERENCE_POLICY))

/** A file that scripts/build-assets.ts has gathered, or a 304 where the browser has it; throws 404 where there is none. */
async function serveAsset(c: Context<AppEnv>, path: string, policy: string, caching?: string): Promise<Response> {
  const known = c.req.header('If-None-Match')
  const asset = await c.env.ASSETS.fetch(new URL(path, 'https://assets.invalid'), {
    headers: known === undefined ? {} : { 'If-None-Match': known },
  })
  if (!asset.ok && asset.status !== 304) throw new ApiError('route_not_found')
  const headers = new Headers(asset.headers)
  headers.set('Content-Security-Policy', policy)
  if (caching !== undefined) headers.set('Cache-Control', caching)
  return new Response(asset.body, { status: asset.status, headers })
}
