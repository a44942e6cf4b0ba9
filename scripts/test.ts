/** `npm test`: builds what the Worker serves, and runs the suite. The arguments are Vitest's. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

await import('./build-assets.ts')
const vitest = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs')
const { status } = spawnSync(process.execPath, [vitest, 'run', ...process.argv.slice(2)], { stdio: 'inherit' })
process.exit(status ?? 1)
