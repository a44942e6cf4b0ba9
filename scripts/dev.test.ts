/** `npm run dev` in a copy of the project: what it does to files that are there before it. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { parseEnv } from 'node:util'
import { TOKEN_FILE } from './demo.ts'
import { reader } from './dev-log.ts'
import { databases } from './local-database.ts'
import { copyProject } from './project-copy.ts'
import { startService } from './service.ts'

const PORT = 9196
const project = copyProject()
process.on('exit', () => rmSync(project, { recursive: true, force: true }))
const vars = join(project, '.dev.vars')

await test('adds the secrets that .dev.vars lacks, and keeps the rest byte for byte', async () => {
  writeFileSync(vars, '# mine\r\nOTHER="a b"\nADMIN_TOKEN=\nLAST=1')
  const service = await startService(PORT, project)
  assert.equal(await service.stop(), 0)
  const [, adminToken, tokenKey] =
    /^# mine\r\nOTHER="a b"\nADMIN_TOKEN=([0-9a-f]{64})\nLAST=1\nTOKEN_KEY=([0-9a-f]{64})\n$/.exec(
      readFileSync(vars, 'utf8'),
    ) ?? []
  assert.ok(adminToken !== undefined && adminToken !== tokenKey, readFileSync(vars, 'utf8'))
})

await test('uses the local database again, in which the demo store has a month of history', async () => {
  const before = [readFileSync(vars, 'utf8'), readFileSync(join(project, TOKEN_FILE), 'utf8'), countRows()]
  const service = await startService(PORT, project)
  const { days } = await statsOf(service.origin)
  assert.equal(await service.stop(), 0)
  assert.deepEqual(
    [readFileSync(vars, 'utf8'), readFileSync(join(project, TOKEN_FILE), 'utf8'), countRows()],
    before,
    'a second start adds nothing',
  )
  assert.equal(days.length, 30)
  assert.ok(days.filter(({ users_created, accesses_granted }) => users_created + accesses_granted > 0).length > 20)
})

await test('recognises a database with a migration that there is no more, and one whose migration has changed', () => {
  rmSync(vars)
  const drizzle = join(project, 'drizzle')
  mkdirSync(join(drizzle, 'away'))
  const initial = join(drizzle, '0000_initial.sql')
  const text = readFileSync(initial, 'utf8')
  renameSync(initial, join(drizzle, 'away/0000_initial.sql'))
  const gone = start()
  assert.equal(gone.status, 1)
  assert.match(gone.stderr, /0000_initial\.sql is no longer in drizzle\/[^]*\nrm -r \.wrangler\/state\n/)

  writeFileSync(initial, text.replace('CREATE TABLE `stores` (', 'CREATE TABLE `stores` (\n\t`more` text,'))
  const changed = start()
  assert.equal(changed.status, 1)
  assert.match(changed.stderr, /has changed since[^]*\nrm -r \.wrangler\/state\n/)
  assert.ok(!existsSync(vars), 'nothing was changed')
})

await test('refuses an option that wrangler dev does not know', () => {
  const { status, stderr } = start('--prot', '9000')
  assert.equal(status, 1)
  assert.match(stderr, /--prot is not known/)
})

await test('makes a line of each request, and shows where an error came from', () => {
  const read = reader()
  const line = {
    method: 'POST',
    route: '/v1/stores/:store_id/users',
    status: 422,
    code: 'email_taken',
    duration_ms: 14,
    d1_round_trips: 1,
  }
  assert.deepEqual(read(JSON.stringify(line)), ['422 POST /v1/stores/:store_id/users 14 ms d1=1 email_taken'])
  const error = { name: 'TypeError', message: 'no', at: ['    at create (users.ts:3:5)'] }
  assert.deepEqual(read(JSON.stringify({ ...line, status: 500, code: 'internal_error', request_id: 'r1', error })), [
    '500 POST /v1/stores/:store_id/users 14 ms d1=1 internal_error r1',
    '    TypeError: no',
    '      at create (users.ts:3:5)',
  ])
  assert.deepEqual(read('[wrangler:info] GET / 200 OK (3ms)'), [])
  assert.deepEqual(read('something that a developer prints'), ['something that a developer prints'])
})

/** Of each table that the demo store has rows in. */
function countRows(): unknown[] {
  const [file = ''] = databases(join(project, '.wrangler/state'))
  using database = new DatabaseSync(file, { readOnly: true })
  const tables = ['stores', 'events', 'access_tokens', 'custom_fields', 'users', 'products', 'product_accesses']
  return tables.map((table) => database.prepare(`select '${table}' as name, count(*) as count from ${table}`).get())
}

interface Stats {
  days: { users_created: number; accesses_granted: number }[]
}

async function statsOf(origin: string): Promise<Stats> {
  const { ADMIN_TOKEN } = parseEnv(readFileSync(vars, 'utf8'))
  const response = await fetch(`${origin}/admin/stores/demo/stats?days=30`, {
    headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
  })
  const stats: Stats = JSON.parse(await response.text())
  return stats
}

function start(...args: string[]) {
  const argv = ['scripts/dev.ts', '--port', String(PORT), ...args]
  return spawnSync(process.execPath, argv, { cwd: project, encoding: 'utf8' })
}
