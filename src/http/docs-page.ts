import { fileIn, FOREVER, serveAsset } from './assets.ts'
import { echo } from './echo.ts'
import { ApiError } from './errors/api-error.ts'
import { DAY_MS } from '../limits.ts'
import { type Context, Hono } from './hono.ts'

/**
 * Only scripts and requests of this origin, and no inline script. Scalar writes its styles into the page when it starts,
 * so inline styles are allowed. Fonts and images must be of this origin or data: URLs.
 */
const policy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** RFC 9116 wants a date after which nobody relies on the file, less than a year ahead. */
const SECURITY_CONTACT_DAYS = 180

/** The OpenAPI document, the reference, the pages of docs/ and the clients: static assets. The Worker serves them, so that they too have our 404s and 405s. */
export const docs = new Hono()
  .get('/', (c) => c.redirect('/docs'))
  .get('/docs', (c) => serveAsset(c, '/docs/index.html', { policy }))
  .get('/docs/', (c) => c.redirect('/docs'))
  .get('/docs/:file', (c) => {
    const path = pageIn(c)
    // The file of a release never changes: npm keeps its hash and the address that was asked for.
    if (path.endsWith('.tgz')) return serveAsset(c, path, { policy, caching: FOREVER })
    return serveAsset(c, path, { policy, origin: originOf(c) })
  })
  .get('/docs/chunks/:file', (c) => serveAsset(c, fileIn(c, '/docs/chunks'), { policy, caching: FOREVER }))
  .get('/openapi.json', (c) => serveAsset(c, documentFor(c), { policy, origin: originOf(c) }))
  .get('/llms.txt', (c) => serveAsset(c, '/llms.txt', { policy, origin: originOf(c) }))
  .get('/.well-known/security.txt', (c) => c.text(securityText(c)))

/** A name without a dot is that of a page, such as /docs/events. */
function pageIn(c: Context): string {
  const path = fileIn(c, '/docs')
  return path.includes('.') ? path : `${path}.html`
}

function originOf(c: Context): string {
  return new URL(c.req.url).origin
}

/** `?for=integrators` is the document without /admin. Any other value is an error, or a misspelled one would go unnoticed. */
function documentFor(c: Context): string {
  const reader = c.req.query('for')
  if (reader === undefined) return '/openapi.json'
  if (reader === 'integrators') return '/openapi-integrators.json'
  throw new ApiError('invalid_parameter', {
    details: [{ field: 'for', value: echo(['for'], reader), explanation: 'must be integrators' }],
  })
}

/** Throws `route_not_found` if the operator of the service names no contact. */
function securityText(c: Context): string {
  const contact = c.env.SECURITY_CONTACT
  if (contact === '') throw new ApiError('route_not_found')
  const expires = new Date(c.get('now') + SECURITY_CONTACT_DAYS * DAY_MS).toISOString()
  return `Contact: ${contact}\nExpires: ${expires}\nCanonical: ${originOf(c)}/.well-known/security.txt\n`
}
