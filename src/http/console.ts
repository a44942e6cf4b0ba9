import type { AppEnv } from '../context.ts'
import { fileIn, FOREVER, serveAsset } from './assets.ts'
import { Hono } from './hono.ts'

/** Files and requests of our own origin alone. Its components put style elements and attributes into the page. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The operators' console: static files (console/), which call the API as everybody does. */
export const operatorConsole = new Hono<AppEnv>()
  .get('/', (c) => serveAsset(c, '/console/index.html', { policy, caching: 'no-cache' }))
  .get('/icon.svg', (c) => serveAsset(c, '/console/icon.svg', { policy, caching: 'no-cache' }))
  .get('/assets/:file', (c) => serveAsset(c, fileIn(c, '/console/assets'), { policy, caching: FOREVER }))
