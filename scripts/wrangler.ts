import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The program that wrangler's launcher starts. Without the launcher, a signal has one process less to pass through. */
export const WRANGLER = join(
  dirname(createRequire(import.meta.url).resolve('wrangler/package.json')),
  'wrangler-dist/cli.js',
)
