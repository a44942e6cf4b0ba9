// Runs before the commands that a newcomer tries first. It is JavaScript, because without the package `node` the machine's
// own Node runs it, and Node 20 cannot run TypeScript.
import { existsSync } from 'node:fs'

if (!existsSync('node_modules/node')) {
  console.error('The packages are not installed. Run `npm ci` first.')
  process.exit(1)
}
