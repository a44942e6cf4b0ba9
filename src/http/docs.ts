import type { Context } from 'hono'
import type { AppEnv } from '../context.ts'
import { ApiError } from '../errors.ts'
import { Hono } from './hono.ts'

/** Scripts, styles and requests from our own origin alone; Swagger UI sets style attributes and data: icons. */
const CONTENT_SECURITY_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'"

/** scripts/build-assets.ts gathers them. */
const DOCS_FILES = ['reference.js', 'swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png'].map(
  (file) => `/docs/${file}`,
)

/** The document and its reference page: static assets, passed through the Worker for their 404s and 405s. */
export const docs = new Hono<AppEnv>()
  .get('/', (c) => c.redirect('/docs'))
  .get('/docs', (c) => serveAsset(c, '/docs/index.html'))
  .on('GET', DOCS_FILES, (c) => serveAsset(c, c.req.path))
  .get('/openapi.json', (c) => serveAsset(c, '/openapi.json'))

async function serveAsset(c: Context<AppEnv>, path: string): Promise<Response> {
  const asset = await c.env.ASSETS.fetch(new URL(path, 'https://assets.invalid'))
  if (!asset.ok) throw new ApiError('route_not_found')
  const headers = { ...Object.fromEntries(asset.headers), 'Content-Security-Policy': CONTENT_SECURITY_POLICY }
  return c.newResponse(asset.body, { headers })
}
