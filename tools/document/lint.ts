/** `npm run check:openapi`: two linters read the OpenAPI document, and must find nothing. */
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { installTools } from './install.ts'

const LINTERS = [
  ['@redocly/cli/bin/cli.js', 'lint', '--extends=recommended'],
  ['@stoplight/spectral-cli/dist/index.js', 'lint', '--fail-severity=hint', '--ruleset=.spectral.yaml'],
]

const folder = installTools()
const document = resolve('src/assets/openapi.json')
for (const [program = '', ...args] of LINTERS) {
  const argv = [join(folder, 'node_modules', program), ...args, document]
  if (spawnSync(process.execPath, argv, { stdio: 'inherit' }).status !== 0) process.exitCode = 1
}
