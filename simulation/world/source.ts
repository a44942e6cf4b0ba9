/** The Worker's own sources: its entry point and its migrations. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The Worker's entry point. */
export const ENTRY = new URL('../../src/index.ts', import.meta.url).href

const RELEASES = join(import.meta.dirname, '..', 'releases')

/** The versions that `npm run keep-release` has kept. */
export function listReleases(): string[] {
  return existsSync(RELEASES) ? readdirSync(RELEASES) : []
}

/** The entry point of such a version, which is bundled with the small limits. */
export function entryOfRelease(version: string): string {
  return pathToFileURL(join(RELEASES, version, 'index.js')).href
}

/** The text of all migrations. */
export function readMigrations(): string {
  const directory = join(import.meta.dirname, '..', '..', 'drizzle')
  return readdirSync(directory)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .map((file) => readFileSync(join(directory, file), 'utf8').replaceAll('--> statement-breakpoint', ''))
    .join('\n')
}
