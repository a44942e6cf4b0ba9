/** Builds the console (packages/console/) into static files. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { build } from 'vite'

const root = join(import.meta.dirname, '..')
const BUILT = join(root, 'dist/assets/console/index.html')
/** What the last build has read: the console takes limits and rules from src/, and a change there needs a new build. */
const READ = join(root, 'dist/console-sources.json')
/** A build that is newer than these and than what it has read is used again. */
const SOURCES = [
  'packages/console/src',
  'packages/console/index.html',
  'packages/console/vite.config.ts',
  'package-lock.json',
]

export async function buildConsole(): Promise<void> {
  if (isUpToDate()) return
  const outputs = [await build({ configFile: join(root, 'packages/console/vite.config.ts'), logLevel: 'warn' })].flat()
  const chunks = outputs.flatMap((built) => ('output' in built ? built.output : []))
  const read = chunks.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
  const own = read.filter((path) => existsSync(path) && !path.includes('/node_modules/'))
  writeFileSync(READ, JSON.stringify(own.map((path) => relative(root, path))))
}

function isUpToDate(): boolean {
  if (!existsSync(READ)) return false
  const read: string[] = JSON.parse(readFileSync(READ, 'utf8'))
  return changedAt(BUILT) > Math.max(...[...SOURCES, ...read].map((path) => changedAt(join(root, path))))
}

/** For a folder, the time of its newest file. 0 if the path does not exist. */
export function changedAt(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return 0
  if (!found.isDirectory()) return found.mtimeMs
  return Math.max(0, ...readdirSync(path).map((name) => changedAt(join(path, name))))
}
