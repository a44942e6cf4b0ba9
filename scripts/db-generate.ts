/** `npm run db:generate -- --name WHAT_IT_ADDS`: writes a migration from src/db/schema/, and lists it for the objects of stores. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { MIGRATION_FILES, migrationFiles } from './generated-files.ts'

const { status } = spawnSync('drizzle-kit', ['generate', ...process.argv.slice(2)], { stdio: 'inherit' })
if (status === 0) writeFileSync(MIGRATION_FILES, migrationFiles())
process.exitCode = status ?? 1
