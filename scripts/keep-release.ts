/**
 * `npm run keep-release`: keeps a database of the release, with a month of history, for the tests of later versions, and its
 * client, which the service serves from then on.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { caller, STATE, STORE, textOf } from './demo.ts'
import { freePort } from './free-port.ts'
import { answerHelp } from './help.ts'
import { databases } from './local-database.ts'
import { VARS } from './local-secrets.ts'
import { copyProject } from './project-copy.ts'
import { startService } from './service.ts'

const USAGE = `npm run keep-release

Keeps the database and the client of the version in package.json, in test/releases/ and packages/client/releases/.`

answerHelp(USAGE)
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const FILE = `test/releases/${version}.sql`
const TARBALL = `registrar-client-${version}.tgz`
const CLIENT = join('packages/client/releases', TARBALL)
/** They belong to no other database. */
const SECRETS = {
  ADMIN_TOKEN: `operator-secret-of-the-kept-release-${version}`,
  TOKEN_KEY: `token-key-of-the-kept-release-${version}`,
}
/** A test of a later version sends it again. */
const CREATE = { key: 'kept-1', body: { name: 'Ada', last_name: 'Byron', email: 'ada.byron@example.com' } }

if (process.argv.length > 2) fail(USAGE)
// Both are never changed again: later versions are tested with the database, and lock files have the hash of the client.
const earlier = [FILE, CLIENT].filter((path) => existsSync(path))
if (earlier.length > 0)
  fail(
    `${earlier.join(' and ')} ${earlier.length === 1 ? 'exists' : 'exist'} already. Set the version of the release first (CONTRIBUTING.md).`,
  )
execFileSync(process.execPath, ['scripts/build-client.ts'], { stdio: 'inherit' })
const project = copyProject()
try {
  writeFileSync(join(project, VARS), `ADMIN_TOKEN=${SECRETS.ADMIN_TOKEN}\nTOKEN_KEY=${SECRETS.TOKEN_KEY}\n`)
  const header = await live()
  mkdirSync('test/releases', { recursive: true })
  writeFileSync(FILE, `${[`-- ${JSON.stringify(header)}`, ...dump()].join('\n')}\n`)
} finally {
  rmSync(project, { recursive: true, force: true })
}
copyFileSync(join('dist', TARBALL), CLIENT)
console.log(`Written: ${FILE} and ${CLIENT}`)

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}

/** Returns what a test needs to use the database. */
async function live() {
  const service = await startService(await freePort(), project)
  const { origin, token } = service
  const send = caller((path, init) => fetch(origin + path, init), token)
  const created = await send('POST', `/v1/stores/${STORE}/users`, CREATE.body, { idempotencyKey: CREATE.key })
  const token_id = textOf(await send('GET', '/v1/token'), 'id')
  await service.stop()
  const created_at = Date.parse(textOf(created, 'created_at'))
  return { ...SECRETS, token, now: Date.now(), create: { ...CREATE, token_id, created_at } }
}

function dump(): string[] {
  const [file = ''] = databases(join(project, STATE))
  using database = new DatabaseSync(file, { readOnly: true })
  const migrations = readdirSync('drizzle').filter((name) => name.endsWith('.sql'))
  const tables = database
    .prepare(
      "select name from sqlite_master where type = 'table' and name not glob '_cf_*' and name not glob 'sqlite_*' and name <> 'd1_migrations'",
    )
    .all()
  return [
    ...migrations.toSorted().map((name) => withoutMarks(readFileSync(join('drizzle', name), 'utf8'))),
    // As wrangler notes which migrations a database has.
    'create table d1_migrations (id integer primary key autoincrement, name text unique, applied_at timestamp default current_timestamp not null);',
    ...migrations.map((name) => `insert into d1_migrations (name) values (${toSql(name)});`),
    ...tables.flatMap(({ name }) => insertsOf(database, String(name))),
  ]
}

function withoutMarks(migration: string): string {
  return migration.replaceAll('--> statement-breakpoint', '').trim()
}

function insertsOf(database: DatabaseSync, table: string): string[] {
  return database
    .prepare(`select * from "${table}"`)
    .all()
    .map((row) => `insert into ${table} (${Object.keys(row).join()}) values (${Object.values(row).map(toSql).join()});`)
}

function toSql(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
}
