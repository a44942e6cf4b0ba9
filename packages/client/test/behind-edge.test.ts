/** The same tests with a proxy in between that does what Cloudflare's edge does. */
import { env } from 'node:process'

env['EDGE'] = '1'
await import('./client.test.ts')
