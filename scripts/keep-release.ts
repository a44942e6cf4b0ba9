/** `npm run keep-release`: keeps a database of the release, with a month of history, for the tests of later versions. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crmKey } from './demo-month.ts'
import { livePast, type Past } from './demo-past.ts'
import { PEOPLE } from './demo-people.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const DATABASE = `test/releases/${version}.sql`

mkdirSync('test/releases', { recursive: true })
writeFileSync(DATABASE, await dumpDatabase())
console.log(`Written: ${DATABASE}`)

/** The first line has what a test needs to use the database. The secrets belong to no other database. */
async function dumpDatabase(): Promise<string> {
  const secrets = {
    ADMIN_TOKEN: `operator-secret-of-the-kept-release-${version}`,
    TOKEN_KEY: `token-key-of-the-kept-release-${version}`,
  }
  const now = Date.now()
  const past = await livePast({ secrets, now })
  const migrations = readdirSync('drizzle').filter((name) => name.endsWith('.sql'))
  const lines = [
    `-- ${JSON.stringify({ ...secrets, token: past.token, now, create: lastCreateOf(past) })}`,
    ...migrations.toSorted().map((name) => readFileSync(join('drizzle', name), 'utf8').trim()),
    // As wrangler notes which migrations a database has.
    'create table d1_migrations (id integer primary key autoincrement, name text unique, applied_at timestamp default current_timestamp not null);',
    ...migrations.map((name) => `insert into d1_migrations (name) values (${toSql(name)});`),
    ...past.tables.flatMap(insertsOf),
  ]
  return `${lines.join('\n').replaceAll('--> statement-breakpoint', '')}\n`
}

/** What a client would send again: the newest create with an idempotency key. Ids have the store in their upper bits. */
function lastCreateOf(past: Past) {
  const [claim] = rowsOf(past, 'idempotency_keys').toSorted((a, b) => Number(b['created_at']) - Number(a['created_at']))
  const user = rowsOf(past, 'users').find(({ id }) => id === claim?.['record_id'])
  const i = PEOPLE.findIndex(({ email }) => email === user?.['email'])
  if (claim === undefined || i < 0) throw new Error('the demo store has no create with an idempotency key')
  const token_id = String(Number(claim['caller_id']) % 2 ** 32)
  return { key: crmKey(i), body: PEOPLE[i], token_id, created_at: claim['created_at'] }
}

function rowsOf({ tables }: Past, name: string): Record<string, string | number | null>[] {
  const { columns = [], rows = [] } = tables.find((table) => table.name === name) ?? {}
  return rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i] ?? null])))
}

function insertsOf({ name, columns, rows }: Past['tables'][number]): string[] {
  return rows.map((row) => `insert into ${name} (${columns.join()}) values (${row.map(toSql).join()});`)
}

function toSql(value: string | number | null): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
}
