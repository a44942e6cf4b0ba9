import type { Context } from 'hono'
import type { AppEnv } from '../context.ts'
import { ApiError } from '../errors.ts'
import { UNCHANGING_FILE_SECONDS } from '../limits.ts'
import { Hono } from './hono.ts'

/** Files and requests of our own origin alone. Its components put style elements and attributes into the page. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/** The names of the built files hold a hash of what is in them. */
const FOREVER = `public, max-age=${UNCHANGING_FILE_SECONDS}, immutable`

/** The operators' console: static files (console/), which call the API as everybody does. */
export const operatorConsole = new Hono<AppEnv>()
  .get('/', (c) => serveFile(c, '/console/index.html', 'no-cache'))
  .get('/icon.svg', (c) => serveFile(c, '/console/icon.svg', 'no-cache'))
  .get('/assets/:file', (c) => serveFile(c, `/console/assets/${encodeURIComponent(c.req.param('file'))}`, FOREVER))

async function serveFile(c: Context<AppEnv>, path: string, caching: string): Promise<Response> {
  const asset = await c.env.ASSETS.fetch(new URL(path, 'https://assets.invalid'))
  if (!asset.ok) throw new ApiError('route_not_found')
  const headers = {
    ...Object.fromEntries(asset.headers),
    'cache-control': caching,
    'content-security-policy': CONTENT_SECURITY_POLICY,
  }
  return c.newResponse(asset.body, { headers })
}
