/**
 * Gathers what the ASSETS binding serves: our pages and document, the console, and Scalar's API reference from its
 * package: of its two standalone builds the one in modules, whose test client and icons are loaded when they are wanted.
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
