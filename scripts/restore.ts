/**
 * `npm run restore -- FILE`: fills an empty database with the rows of a backup (docs/backup-and-restore.md). It migrates the
 * database first. Afterwards `npm run after-restore` moves the numbers forward.
 */
import { statSync } from 'node:fs'
import { hasEnd } from './backup-end.ts'
import { d1, fail, placeOf, rowsOf } from './d1-command.ts'
import { answerHelp } from './help.ts'
import { goOnWithoutReader } from './signals.ts'

const USAGE = `npm run restore -- FILE [options]

  --env staging   the environment of wrangler.toml; production if omitted
  --local         the local database instead of Cloudflare's
  --without-end   takes a file that version 3.1.0 has written

The database must be empty. FILE is what \`npm run backup\` has written.`

const WITHOUT_END = '--without-end'

answerHelp(USAGE)
goOnWithoutReader()
const args = process.argv.slice(2)
const { file, place } = placeOf(
  'restore',
  args.filter((each) => each !== WITHOUT_END),
  USAGE,
)
if (!statSync(file, { throwIfNoEntry: false })?.isFile()) fail(`There is no file ${file}.`)
if (!args.includes(WITHOUT_END) && !(await hasEnd(file)))
  fail(`${file} lacks its last line: it was cut off, or is no backup. Nothing was changed. Version 3.1.0 wrote no such line:
only for a file of that version, add ${WITHOUT_END}, and compare the numbers at the end with what you expect.`)
// Before the migrations, because a database that is not empty may be one that this command is not meant for.
if (rowsOf("select 1 from sqlite_master where name = 'users'", place).length > 0) requireEmpty(count())
console.log('Migrating …')
d1(['migrations', 'apply', 'DB'], place)
console.log('Importing …')
d1(['execute', 'DB', '--yes', `--file=${file}`], place)
console.log(`The database has ${textOf(count())}.
Now run \`npm run after-restore\`, before anybody writes.`)

type Counts = Record<'stores' | 'users' | 'events', number>

function count(): Counts {
  const [counts] = rowsOf<Counts>(
    'select (select count(*) from stores) as stores, (select count(*) from users) as users, (select count(*) from events) as events',
    place,
  )
  return counts ?? fail('The database has not said how many rows it has.')
}

function isEmpty({ stores, events }: Counts): boolean {
  return stores === 0 && events === 0
}

function textOf({ stores, users, events }: Counts): string {
  return `stores: ${stores}, users: ${users}, events: ${events}`
}

function requireEmpty(found: Counts): void {
  if (isEmpty(found)) return
  fail(`The database is not empty: it has ${textOf(found)}. A backup is restored into an empty one, which then replaces it.
If a restore was interrupted, these may be its rows. If the numbers are right, go on with \`npm run after-restore\`. Otherwise
begin with another empty database.`)
}
