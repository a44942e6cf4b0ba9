/** What the Worker is deployed with, read from its own configuration, so that nothing is told twice. */
import { join } from 'node:path'
import { readConfig } from '../scripts/wrangler-config.ts'

export const CONFIG = readConfig({ config: join(import.meta.dirname, '..', 'wrangler.toml') })
