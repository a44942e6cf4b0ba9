/** Builds the console (console/) into static files, and the types of the API that it is compiled with. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTypes, { astToString } from 'openapi-typescript'
import { build } from 'vite'

const root = join(import.meta.dirname, '..')
const DOCUMENT = join(root, 'src/assets/openapi.json')
const TYPES = join(root, 'console/src/api/schema.d.ts')
const BUILT = join(root, 'dist/assets/console/index.html')
/** The sources of the console. A build that is newer than all of them is used again. */
const SOURCES = ['console/src', 'console/index.html', 'console/vite.config.ts', 'import', 'package-lock.json']

export async function buildConsole(): Promise<void> {
  await generateTypes()
  if (changedAt(BUILT) > Math.max(...SOURCES.map((path) => changedAt(join(root, path))))) return
  await build({ configFile: join(root, 'console/vite.config.ts'), logLevel: 'warn' })
}

export async function generateTypes(): Promise<void> {
  if (changedAt(TYPES) > changedAt(DOCUMENT)) return
  const types = astToString(await openapiTypes(readFileSync(DOCUMENT, 'utf8'), { silent: true }))
  mkdirSync(join(TYPES, '..'), { recursive: true })
  writeFileSync(TYPES, types)
}

/** For a folder, the time of its newest file. 0 if the path does not exist. */
function changedAt(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return 0
  if (!found.isDirectory()) return found.mtimeMs
  return Math.max(0, ...readdirSync(path).map((name) => changedAt(join(path, name))))
}
