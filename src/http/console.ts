import { fileIn, FOREVER, serveAsset } from './assets.ts'
import { Hono } from './hono.ts'

/** Only files and requests of this origin. The console's components add style elements and attributes to the page. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The operators' console: static files from packages/console/ that call the same API as everybody else. */
export const operatorConsole = new Hono()
  .get('/console', (c) => serveAsset(c, '/console/index.html', { policy, caching: 'no-cache' }))
  .get('/console/', (c) => c.redirect('/console'))
  .get('/console/assets/:file', (c) => serveAsset(c, fileIn(c, '/console/assets'), { policy, caching: FOREVER }))
