/** The Worker's own configuration, so that the simulation cannot differ from what is deployed. */
import { join } from 'node:path'
import { readConfig } from '../../../scripts/wrangler-config.ts'

export const CONFIG = readConfig({ config: join(import.meta.dirname, '..', '..', '..', 'wrangler.toml') })
