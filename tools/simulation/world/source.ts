/** The Worker's own sources: its entry point and its migrations. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The Worker's entry point. */
export const ENTRY = new URL('../../../src/index.ts', import.meta.url).href

/** The text of all migrations. */
export function readMigrations(): string {
  const directory = join(import.meta.dirname, '..', '..', '..', 'drizzle')
  return readdirSync(directory)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .map((file) => readFileSync(join(directory, file), 'utf8').replaceAll('--> statement-breakpoint', ''))
    .join('\n')
}
