/** `npm run db:generate` and `npm run check:generated` with the real drizzle-kit, in a copy of the project. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, test } from 'node:test'
import { copyProject } from './project-copy.ts'

const project = copyProject()
process.on('exit', () => rmSync(project, { recursive: true, force: true }))

beforeEach(() => {
  for (const name of ['drizzle', 'src/db']) {
    rmSync(join(project, name), { recursive: true })
    cpSync(name, join(project, name), { recursive: true })
  }
})

/** Replaces a text of the schema of stores. */
function change(from: string, to: string): void {
  const file = join(project, 'src/db/schema/stores.ts')
  const text = readFileSync(file, 'utf8')
  assert.ok(text.includes(from), `${from} is not in the schema`)
  writeFileSync(file, text.replace(from, to))
}

function run(script: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { cwd: project, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}

const migrations = (folder: string) =>
  readdirSync(join(folder, 'drizzle')).filter((name) => name.endsWith('.sql')).length

await test('writes a migration that adds a column', () => {
  change('label: text(),', 'label: text(),\n    hint: text(),')
  const { status, output } = run('scripts/db-generate.ts', '--name', 'hint')
  assert.equal(status, 0, output)
  assert.equal(migrations(project), migrations('.') + 1)
})

await test('fails in words if drizzle-kit would ask whether a column was renamed', () => {
  change('label: text(),', 'title: text(),')
  const generated = run('scripts/db-generate.ts', '--name', 'renamed')
  assert.equal(generated.status, 1, generated.output)
  assert.match(generated.output, /wanted to ask a question[^]*only adds/)
  assert.equal(migrations(project), migrations('.'))
  const checked = run('scripts/check-generated.ts')
  assert.equal(checked.status, 1, checked.output)
  assert.match(checked.output, /wanted to ask a question/)
})

await test('fails in words if a change rebuilds a table', () => {
  change('id >> 32 between 1 and 2097151', 'id >> 32 between 1 and 2097150')
  const { status, output } = run('scripts/db-generate.ts', '--name', 'rebuilt')
  assert.equal(status, 1, output)
  assert.match(output, /A migration only adds tables, columns and indexes[^]*git checkout drizzle/)
})
