/** `npm run backup` and `npm run restore` with the real wrangler, on local databases in copies of the project. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { BACKUP_END, hasEnd } from './backup-end.ts'
import { STATE, STORE, tokenFile } from './demo.ts'
import { freePort } from './free-port.ts'
import { databases } from './local-database.ts'
import { VARS } from './local-secrets.ts'
import { copyProject } from './project-copy.ts'
import { startService } from './service.ts'

const [source, target] = [copyProject({ withConsole: true }), copyProject({ withConsole: true })]
process.on('exit', () => [source, target].forEach((folder) => rmSync(folder, { recursive: true, force: true })))
const FILE = join(source, 'backup.sql')

/** Text that wrangler's own export changes, and some that it does not. */
const TEXTS = [
  'Line\nbreak \\n kept',
  'a\r\nb \\r \\n',
  "it's",
  '\\n alone',
  'José 🎓 \u2028 \u2029 \u0085',
  "'; drop table users; --\n\\n",
]
const [name, last_name, external_id, phone, avatar] = TEXTS
const CREATE = {
  name,
  last_name,
  email: 'ada.backup@example.com',
  external_id,
  phone,
  avatar,
  custom_fields: { field1: TEXTS[5], field2: 9_007_199_254_740_991 },
}

function run(folder: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}

/** The names of the file and of those that it is made from. */
function filesOfBackup(): string[] {
  return readdirSync(source).filter((name) => name.startsWith('backup.sql'))
}

/** Runs a backup, and returns what it prints and the modes that the files with its data had meanwhile. */
async function backUp(): Promise<{ output: string; modes: string[] }> {
  const modes = new Set<string>()
  const watch = setInterval(() => {
    for (const file of filesOfBackup()) {
      const found = statSync(join(source, file), { throwIfNoEntry: false })
      if (found && found.size > 0) modes.add((found.mode & 0o777).toString(8))
    }
  }, 10)
  const child = spawn(process.execPath, ['scripts/backup.ts', FILE, '--local'], {
    cwd: source,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const printed = text(child.stdout)
  const [status] = await once(child, 'exit')
  clearInterval(watch)
  assert.equal(status, 0)
  return { output: await printed, modes: [...modes] }
}

/** Every row of every table, in an order of its own. */
function rowsIn(folder: string) {
  const [file = ''] = databases(join(folder, STATE))
  using database = new DatabaseSync(file, { readOnly: true })
  const tables = database
    .prepare(
      "select name from sqlite_master where type = 'table' and name not glob '_cf_*' and name not glob 'sqlite_*' and name <> 'd1_migrations' order by name",
    )
    .all()
  return Object.fromEntries(
    tables.map(({ name }) => {
      const query = database.prepare(`select * from "${String(name)}"`)
      query.setReadBigInts(true)
      return [
        name,
        query
          .all()
          .map((row) => JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}n` : value)))
          .toSorted(),
      ]
    }),
  )
}

async function create(origin: string, token: string, key: string, body: object = CREATE) {
  const response = await fetch(`${origin}/v1/stores/${STORE}/users`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'X-Idempotency-Key': key },
    body: JSON.stringify(body),
  })
  return { status: response.status, text: await response.text(), replayed: response.headers.get('Idempotent-Replayed') }
}

await test('a backup brings every row into an empty database, byte for byte, and the service goes on from it', async () => {
  let service = await startService(await freePort(), source)
  const admin = /^ADMIN_TOKEN="?(\w+)/m.exec(readFileSync(join(source, VARS), 'utf8'))?.[1]
  for (const key of Object.keys(CREATE.custom_fields)) {
    const { status } = await fetch(`${service.origin}/admin/stores/${STORE}/custom_fields/${key}`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${admin}` },
    })
    assert.ok(status < 300)
  }
  const own = await fetch(`${service.origin}/admin/stores`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${admin}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ id: 'own', name: 'Own', language: 'EN', place: 'own' }),
  })
  assert.equal(own.status, 201)
  const created = await create(service.origin, service.token, 'backup-1')
  assert.equal(created.status, 201, created.text)
  await service.stop()
  const before = rowsIn(source)

  // An earlier backup, which others may read; it is empty, so that its own mode does not count.
  writeFileSync(FILE, '', { mode: 0o644 })
  const { output, modes } = await backUp()
  assert.deepEqual(modes, ['600'])
  assert.match(output, /Stores with a database of their own: 1\. The file has no data of them/)
  assert.equal(statSync(FILE).mode & 0o777, 0o600)

  const restore = run(target, 'scripts/restore.ts', FILE, '--local')
  assert.equal(restore.status, 0, restore.output)
  assert.deepEqual(rowsIn(target), before)
  const again = run(target, 'scripts/restore.ts', FILE, '--local')
  assert.equal(again.status, 1)
  assert.match(
    again.output,
    /^The local database\.\nThe database is not empty: it has stores: 1, users: \d+, events: \d+\./,
  )

  const moved = run(target, 'scripts/after-restore.ts', '--local')
  assert.equal(moved.status, 0, moved.output)
  for (const file of [VARS, tokenFile(STATE)]) copyFileSync(join(source, file), join(target, file))
  service = await startService(await freePort(), target)
  assert.deepEqual(await create(service.origin, service.token, 'backup-1'), { ...created, replayed: 'true' })
  const next = await create(service.origin, service.token, 'backup-2', { ...CREATE, email: 'grace@example.com' })
  assert.equal(next.status, 201, next.text)
  assert.ok(Number(JSON.parse(next.text).id) > Number(JSON.parse(created.text).id) + 2 ** 24)
  await service.stop()
})

await test('a backup ends with a line of its own, without which nothing is restored', async () => {
  const text = readFileSync(FILE, 'utf8')
  for (const [end, has] of [
    ['', true],
    [`${BACKUP_END}\n`, false],
    ['\n', false],
  ] as const) {
    const file = join(target, 'cut.sql')
    writeFileSync(file, text.slice(0, text.length - end.length))
    assert.equal(await hasEnd(file), has)
    if (has) continue
    const { status, output } = run(target, 'scripts/restore.ts', file, '--local')
    assert.equal(status, 1)
    assert.match(output, /cut\.sql lacks its last line: it was cut off, or is no backup\. Nothing was changed\./)
  }
  writeFileSync(join(target, 'empty.sql'), '')
  assert.equal(await hasEnd(join(target, 'empty.sql')), false)
})

await test('a backup that is interrupted leaves no rows behind, and an earlier backup as it was', async () => {
  const earlier = readFileSync(FILE, 'utf8')
  const child = spawn(process.execPath, ['scripts/backup.ts', FILE, '--local'], { cwd: source, stdio: 'ignore' })
  const exit = once(child, 'exit')
  while (filesOfBackup().length < 2) await sleep(20)
  child.kill('SIGTERM')
  assert.deepEqual(await exit, [130, null])
  assert.deepEqual(filesOfBackup(), ['backup.sql'])
  assert.equal(readFileSync(FILE, 'utf8'), earlier)
})

await test('names a file that does not exist', () => {
  const { status, output } = run(source, 'scripts/restore.ts', 'missing.sql', '--local')
  assert.equal(status, 1)
  assert.match(output, /There is no file missing\.sql/)
})

await test('takes an option without its value, or one that npm has kept, not for production', () => {
  // With another folder than the project's, wrangler would look for an account.
  for (const [env, ...args] of [
    [{}, 'FILE', '--env'],
    [{}, 'FILE', '--env', '--local'],
    [{ npm_config_env: 'staging' }, 'FILE'],
  ] as const) {
    for (const command of ['backup', 'restore']) {
      const argv = [`scripts/${command}.ts`, ...args]
      const { status, stderr } = spawnSync(process.execPath, argv, {
        encoding: 'utf8',
        env: { ...process.env, ...env },
      })
      assert.equal(status, 1)
      assert.match(stderr, new RegExp(`^(?:npm has kept --env for itself.*: )?npm run ${command} -- `))
    }
  }
})
