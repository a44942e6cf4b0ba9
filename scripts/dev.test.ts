/** `npm run dev`, and a plain `wrangler dev`, in copies of the project: what they create, and what they leave alone. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { parseEnv } from 'node:util'
import { STATE, tokenFile } from './demo.ts'
import { reader } from './dev-log.ts'
import { freePort } from './free-port.ts'
import { databases } from './local-database.ts'
import { copyProject } from './project-copy.ts'
import { startService } from './service.ts'
import { WRANGLER } from './wrangler.ts'

const TOKEN_FILE = tokenFile(STATE)
const [PORT, OTHER_PORT] = [await freePort(), await freePort()]
const project = copyProject()
process.on('exit', () => rmSync(project, { recursive: true, force: true }))
const vars = join(project, '.dev.vars')

await test('adds the missing secrets to .dev.vars, and keeps the rest byte for byte', async () => {
  writeFileSync(vars, '# mine\r\nOTHER="a b"\nADMIN_TOKEN=\nLAST=1', { mode: 0o644 })
  const service = await startService(PORT, project)
  assert.equal(await service.stop(), 0)
  const [, adminToken, tokenKey] =
    /^# mine\r\nOTHER="a b"\nADMIN_TOKEN=([0-9a-f]{64})\nLAST=1\nTOKEN_KEY=([0-9a-f]{64})\n$/.exec(
      readFileSync(vars, 'utf8'),
    ) ?? []
  assert.ok(adminToken !== undefined && adminToken !== tokenKey, readFileSync(vars, 'utf8'))
  assert.equal(statSync(vars).mode & 0o777, 0o600, 'others could read the file before')
})

await test('uses the local database again, in which the demo store has a month of history', async () => {
  change("update stores set suspended_at = 1 where slug = 'demo'; update custom_fields set label = 'Mine'")
  const before = [readFileSync(vars, 'utf8'), readFileSync(join(project, TOKEN_FILE), 'utf8'), countRows()]
  const service = await startService(PORT, project)
  const { days } = await statsOf(service.origin)
  assert.equal(await service.stop(), 0)
  assert.deepEqual(
    [readFileSync(vars, 'utf8'), readFileSync(join(project, TOKEN_FILE), 'utf8'), countRows()],
    before,
    'a second start changes nothing, even if the demo store is suspended',
  )
  change("update stores set suspended_at = null where slug = 'demo'")
  assert.equal(days.length, 30)
  assert.ok(days.filter(({ users_created, accesses_granted }) => users_created + accesses_granted > 0).length > 20)
})

await test('while a service runs', async (context) => {
  const first = await startService(PORT, project)

  await context.test('refuses a second start on the same data, and leaves the first one running', async () => {
    const second = start('--port', String(OTHER_PORT))
    const { ok } = await fetch(`${first.origin}/health`)
    assert.equal(second.status, 1)
    assert.match(second.stderr, /^The local data in \.wrangler\/state is in use: [^\n]+\n$/)
    assert.equal(ok, true)
  })

  await context.test('a second one with --persist-to leaves the token of the first one unchanged', async () => {
    const other = mkdtempSync(join(tmpdir(), 'registrar-data-'))
    try {
      const second = await startService(OTHER_PORT, project, ['--persist-to', other])
      const created = [await createUser(first.token, PORT), await createUser(second.token, OTHER_PORT)]
      await second.stop()
      assert.equal(read(project, TOKEN_FILE), first.token)
      assert.notEqual(first.token, second.token)
      assert.deepEqual(
        created.map(({ status }) => status),
        [201, 201],
      )
    } finally {
      rmSync(other, { recursive: true })
    }
  })

  assert.equal(await first.stop(), 0)
})

await test('recognizes a database whose migration no longer exists, and one whose migration has changed', () => {
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
  writeFileSync(initial, text)
})

await test('says in a sentence why there is no demo store, such as a short secret on the command line', async () => {
  const argv = ['scripts/dev.ts', '--port', String(PORT), '--var', 'TOKEN_KEY:short']
  const child = spawn(process.execPath, argv, { cwd: project, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()).includes('Ctrl-C stops') && child.kill('SIGINT'))
  const code = await new Promise((resolve) => child.on('exit', resolve))
  assert.ok(output.includes('without a demo store: TOKEN_KEY of --var must have at least 32 characters.\n'), output)
  assert.equal(code, 0, output)
})

for (const [args, message] of [
  [['--prot', '9000'], /^The option --prot is not known\.\n$/],
  [['--port'], /^The option --port needs a value\.\n$/],
  [['--port', 'abc'], /^--port abc is not a port: [^\n]+\n$/],
  [['--port', '65536'], /^--port 65536 is not a port: [^\n]+\n$/],
] as const) {
  await test(`exits with one line when it is called with ${args.join(' ')}`, () => {
    const { status, stderr } = start(...args)
    assert.equal(status, 1)
    assert.match(stderr, message)
  })
}

await test('says that dashes are missing when npm has kept the option', () => {
  // npm keeps --port for itself and passes on the number.
  const { status, stderr } = spawnSync('npm', ['run', 'dev', '--port', String(PORT)], {
    cwd: project,
    encoding: 'utf8',
  })
  assert.equal(status, 1)
  assert.match(stderr, /^npm has kept --port for itself\. Write two dashes before it: npm run dev -- --port …$/m)
})

for (const command of ['build', 'smoke', 'screenshots']) {
  await test(`npm run ${command} asks for \`npm ci\` while the packages are not installed`, () => {
    const clone = copyProject()
    try {
      rmSync(join(clone, 'node_modules'))
      const { status, stderr } = spawnSync('npm', ['run', command], { cwd: clone, encoding: 'utf8' })
      assert.equal(status, 1)
      assert.match(
        stderr,
        /^The packages are not installed, or not those of package-lock\.json\. Run `npm ci` first\.$/m,
      )
    } finally {
      rmSync(clone, { recursive: true })
    }
  })
}

await test('exits with one line in a folder that is read-only', (context) => {
  const readOnly = copyProject()
  try {
    chmodSync(readOnly, 0o555)
    // Root may write everywhere, so root runs this as another user.
    const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
    const options = { cwd: readOnly, encoding: 'utf8', env: { ...process.env, HOME: readOnly }, ...user } as const
    if (spawnSync(process.execPath, ['--eval', "import('wrangler')"], options).status !== 0)
      return context.skip('the other user cannot read the packages')
    const argv = ['scripts/dev.ts', '--port', String(PORT)]
    const { status, stderr } = spawnSync(process.execPath, argv, options)
    assert.equal(status, 1)
    assert.match(stderr, /^\/[^\n]+ is read-only: [^\n]+\n$/)
  } finally {
    chmodSync(readOnly, 0o755)
    rmSync(readOnly, { recursive: true })
  }
})

await test('a plain `wrangler dev` on a fresh clone has secrets, a database and the demo store', async () => {
  const clone = copyProject()
  try {
    const first = await startWrangler(clone)
    const before = [read(clone, '.dev.vars'), read(clone, TOKEN_FILE)]
    const created = await createUser(read(clone, TOKEN_FILE))
    await first.stop()
    assert.equal(created.status, 201, first.output())
    assert.match(first.output(), /Preparing the local database/)

    const second = await startWrangler(clone)
    const again = await createUser(read(clone, TOKEN_FILE))
    await second.stop()
    assert.equal(again.status, 422, 'the user is still there')
    assert.deepEqual([read(clone, '.dev.vars'), read(clone, TOKEN_FILE)], before)
    assert.doesNotMatch(second.output(), /Preparing/)
  } finally {
    rmSync(clone, { recursive: true })
  }
})

/** wrangler is a library here, but it tells the build command that its command is "dev". */
const HARNESS = `import { createTestHarness } from 'wrangler'
const server = createTestHarness({ workers: [{ configPath: 'wrangler.toml' }] })
await server.listen()
await server.close()
process.exit()`

for (const [name, argv] of [
  ['a deployment', [WRANGLER, 'deploy', '--dry-run']],
  ['a test harness', ['--input-type=module', '--eval', HARNESS]],
] as const) {
  await test(`${name} prepares nothing`, () => {
    const clone = copyProject()
    try {
      const { status, stdout, stderr } = spawnSync(process.execPath, argv, { cwd: clone, encoding: 'utf8' })
      assert.equal(status, 0, stdout + stderr)
      assert.ok(existsSync(join(clone, 'dist/assets')), 'the build command has run')
      assert.ok(!existsSync(join(clone, '.dev.vars')))
      assert.ok(!existsSync(join(clone, TOKEN_FILE)))
      assert.deepEqual(databases(join(clone, '.wrangler/state')), [])
    } finally {
      rmSync(clone, { recursive: true })
    }
  })
}

await test('prints a line per request, and shows where an error came from', () => {
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
  const job = { kind: 'job', job: 'minutely', expired: 0, counted_events: 0, d1_round_trips: 3 }
  assert.deepEqual(read(JSON.stringify(job)), [], 'a job that had nothing to do')
  assert.deepEqual(read(JSON.stringify({ ...job, expired: 2 })), [
    'kind=job job=minutely expired=2 counted_events=0 d1_round_trips=3',
  ])
  assert.deepEqual(read('something that a developer prints'), ['something that a developer prints'])
})

function openLocal(): DatabaseSync {
  const [file = ''] = databases(join(project, '.wrangler/state'))
  return new DatabaseSync(file)
}

function change(sql: string): void {
  using database = openLocal()
  database.exec(sql)
}

/** The number of rows in each table that the demo store uses, and the labels of its custom fields. */
function countRows(): unknown[] {
  using database = openLocal()
  const tables = ['stores', 'events', 'access_tokens', 'custom_fields', 'users', 'products', 'product_accesses']
  return [
    ...tables.map((table) => database.prepare(`select '${table}' as name, count(*) as count from ${table}`).get()),
    ...database.prepare('select label from custom_fields').all(),
  ]
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
  const argv = ['scripts/dev.ts', ...(args.includes('--port') ? [] : ['--port', String(PORT)]), ...args]
  return spawnSync(process.execPath, argv, { cwd: project, encoding: 'utf8' })
}

/**
 * When wrangler reloads, as it does once the first build has prepared the secrets, it listens again on a port that the system
 * chose for it. Meanwhile another process may have got that port.
 */
const LOST_PORT = /Address already in use \(socket "direct:/

/** Resolves when the service answers. Throws if wrangler ends before, unless it has lost its port: then it starts once more. */
async function startWrangler(
  cwd: string,
  earlierOutput = '',
): Promise<{ output: () => string; stop: () => Promise<void> }> {
  const argv = [WRANGLER, 'dev', '--port', String(PORT), '--show-interactive-dev-session=false']
  const child = spawn(process.execPath, argv, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  let output = earlierOutput
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  while (!(await isHealthy())) {
    if (child.exitCode !== null && earlierOutput === '' && LOST_PORT.test(output)) return startWrangler(cwd, output)
    assert.equal(child.exitCode, null, output)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return {
    output: () => output,
    stop: () => {
      child.kill('SIGINT')
      return ended
    },
  }
}

function isHealthy(): Promise<boolean> {
  return fetch(`http://localhost:${PORT}/health`).then(
    ({ ok }) => ok,
    () => false,
  )
}

function createUser(token: string, port = PORT): Promise<Response> {
  const user = { name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' }
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(user) }
  return fetch(`http://localhost:${port}/v1/stores/demo/users`, init)
}

function read(folder: string, name: string): string {
  return readFileSync(join(folder, name), 'utf8')
}
