/** Gathers what the ASSETS binding serves: our page and document, the reference from its package, and the console. */
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buildConsole } from './build-console.ts'

const root = join(import.meta.dirname, '..')
const target = join(root, 'dist/assets')

await mkdir(join(target, 'docs'), { recursive: true })
await cp(join(root, 'src/assets'), target, { recursive: true })
await buildConsole()
