/**
 * `npm run restore -- FILE`: fills an empty database with the rows of a backup (docs/backup-and-restore.md). It migrates the
 * database first. Afterwards `npm run after-restore` moves the numbers forward.
 */
import { existsSync } from 'node:fs'
import { hasEnd } from './backup-end.ts'
import { d1, fail, placeOf, rowsOf } from './d1-command.ts'
import { answerHelp } from './help.ts'
import { goOnWithoutReader } from './signals.ts'

const USAGE = `npm run restore -- FILE [options]

  --env staging   the environment of wrangler.toml; production if omitted
  --local         the local database instead of Cloudflare's

The database must be empty. FILE is what \`npm run backup\` has written.`

answerHelp(USAGE)
goOnWithoutReader()
const { file, place } = placeOf(process.argv.slice(2), USAGE)
if (!existsSync(file)) fail(`There is no file ${file}.`)
console.log('Migrating …')
d1(['migrations', 'apply', 'DB'], place)
const [found] = rowsOf<{ count: number }>(
  'select (select count(*) from events) + (select count(*) from stores) as count',
  place,
)
if (found?.count !== 0)
  fail('The database is not empty. A backup is restored into an empty one, which then replaces it.')
console.log('Importing …')
d1(['execute', 'DB', '--yes', `--file=${file}`], place)
const [kept] = rowsOf<{ stores: number; users: number; events: number }>(
  'select (select count(*) from stores) as stores, (select count(*) from users) as users, (select count(*) from events) as events',
  place,
)
console.log(`The database has ${kept?.stores} stores, ${kept?.users} users and ${kept?.events} events.
Now run \`npm run after-restore\`, before anybody writes.`)
if (!(await hasEnd(file)))
  console.log(`
The file does not say where it ends: either version 3.1.0 has written it, or it was cut off. So compare these numbers with what
you expect.`)
