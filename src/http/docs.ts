import type { AppEnv } from '../context.ts'
import { fileIn, FOREVER, serveAsset } from './assets.ts'
import { Hono } from './hono.ts'

/**
 * Scripts and requests from our own origin alone, and no inline script. Scalar writes its styles into the page as it
 * starts, which 'unsafe-inline' allows for styles; fonts and pictures may only be our own or data: ones.
 */
const policy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The document and its reference page: static assets, passed through the Worker for their 404s and 405s. */
export const docs = new Hono<AppEnv>()
  .get('/', (c) => c.redirect('/docs'))
  .get('/docs', (c) => serveAsset(c, '/docs/index.html', { policy }))
  .get('/docs/:file', (c) => serveAsset(c, fileIn(c, '/docs'), { policy }))
  .get('/docs/chunks/:file', (c) => serveAsset(c, fileIn(c, '/docs/chunks'), { policy, caching: FOREVER }))
  .get('/openapi.json', (c) => serveAsset(c, '/openapi.json', { policy }))
