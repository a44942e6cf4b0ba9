/**
 * Collects the files that the ASSETS binding serves: our pages, the OpenAPI document, the console, and Scalar's API
 * reference. Scalar has two standalone builds. This takes the one in modules, which loads its test client and icons on
 * demand.
 */
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buildConsole } from './build-console.ts'

const root = join(import.meta.dirname, '..')
const target = join(root, 'dist/assets')
const scalar = join(root, 'node_modules/@scalar/api-reference/dist/browser')

await mkdir(join(target, 'docs'), { recursive: true })
await cp(join(root, 'src/assets'), target, { recursive: true })
for (const name of ['standalone.esm.js', 'chunks']) {
  await cp(join(scalar, name), join(target, 'docs', name), {
    recursive: true,
    filter: (path) => !path.endsWith('.map'),
  })
}
await buildConsole()
