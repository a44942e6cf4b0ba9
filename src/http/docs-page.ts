import { fileIn, FOREVER, serveAsset } from './assets.ts'
import { type Context, Hono } from './hono.ts'

/**
 * Only scripts and requests of this origin, and no inline script. Scalar writes its styles into the page when it starts,
 * so inline styles are allowed. Fonts and images must be of this origin or data: URLs.
 */
const policy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The OpenAPI document, the reference and the pages of docs/: static assets. The Worker serves them, so that they too have our 404s and 405s. */
export const docs = new Hono()
  .get('/', (c) => c.redirect('/docs'))
  .get('/docs', (c) => serveAsset(c, '/docs/index.html', { policy }))
  .get('/docs/', (c) => c.redirect('/docs'))
  .get('/docs/:file', (c) => serveAsset(c, pageIn(c), { policy, origin: originOf(c) }))
  .get('/docs/chunks/:file', (c) => serveAsset(c, fileIn(c, '/docs/chunks'), { policy, caching: FOREVER }))
  .get('/openapi.json', (c) => serveAsset(c, '/openapi.json', { policy, origin: originOf(c) }))

/** A name without a dot is that of a page, such as /docs/events. */
function pageIn(c: Context): string {
  const path = fileIn(c, '/docs')
  return path.includes('.') ? path : `${path}.html`
}

function originOf(c: Context): string {
  return new URL(c.req.url).origin
}
