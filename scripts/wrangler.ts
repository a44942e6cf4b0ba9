import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The program that wrangler's launcher starts: started without it, there is one process less to signal. */
export const WRANGLER = join(
  dirname(createRequire(import.meta.url).resolve('wrangler/package.json')),
  'wrangler-dist/cli.js',
)
