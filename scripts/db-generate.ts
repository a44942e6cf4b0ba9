/** `npm run db:generate -- --name WHAT_IT_ADDS`: writes a migration from src/db/schema/, and lists it for the objects of stores. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findRemoval, findUnanswered } from './drizzle-output.ts'
import { answerHelp } from './help.ts'
import { MIGRATION_FILES, migrationFiles } from './generated-files.ts'

const FOLDER = 'drizzle'
const migrations = () => readdirSync(FOLDER).filter((name) => name.endsWith('.sql'))

answerHelp(`npm run db:generate -- --name what_it_adds

Writes a migration of what has changed in src/db/schema/. All options of drizzle-kit generate are accepted.`)
const before = new Set(migrations())
const { status, stdout, stderr } = spawnSync('drizzle-kit', ['generate', ...process.argv.slice(2)], {
  encoding: 'utf8',
})
process.stdout.write(stdout)
process.stderr.write(stderr)
if (status !== 0) process.exit(status ?? 1)
const unanswered = findUnanswered(stdout + stderr)
if (unanswered !== undefined) fail(unanswered)
for (const name of migrations().filter((each) => !before.has(each))) {
  const removal = findRemoval(readFileSync(join(FOLDER, name), 'utf8'))
  if (removal !== undefined) fail(`${removal}\nUndo it with \`git checkout ${FOLDER}\` and \`git clean -f ${FOLDER}\`.`)
}
writeFileSync(MIGRATION_FILES, migrationFiles())

function fail(message: string): never {
  console.error(`\n${message}`)
  process.exit(1)
}
