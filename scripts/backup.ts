/**
 * `npm run backup -- FILE`: writes the rows of D1 into a file from which `npm run restore` fills an empty database
 * (docs/backup-and-restore.md). wrangler's export is one consistent state, but on its own it cannot be imported: it creates
 * children before parents, and it changes text that has both a line break and a literal \n. So this keeps its rows only, and
 * adds the exact values of such text.
 */
import { createReadStream, createWriteStream, renameSync, rmSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { BACKUP_END } from './backup-end.ts'
import { d1, fail, placeOf, rowsOf, rowsOfEach } from './d1-command.ts'
import { answerHelp } from './help.ts'
import { writeSecrets } from './local-secrets.ts'
import { endOnSignal, goOnWithoutReader } from './signals.ts'

const USAGE = `npm run backup -- FILE [options]

  --env staging   the environment of wrangler.toml; production if omitted
  --local         the local database instead of Cloudflare's

An earlier FILE is replaced once the new one is complete.
Meanwhile the database serves no requests: the service returns 503. The file holds names, emails and password hashes.`

/** Each restore migrates the database itself, so what D1 notes about migrations stays out. */
const NOT_KEPT = /^INSERT INTO "(?:d1_migrations|sqlite_sequence|_cf_\w+)" /
const TRIES = 3

answerHelp(USAGE)
goOnWithoutReader()
const { file, place } = placeOf('backup', process.argv.slice(2), USAGE)
// With the same names for both, a second backup of this name would cut off the rows of this one.
const exported = `${file}.${process.pid}.incomplete`
const part = `${file}.${process.pid}.part`
// Not by `finally`, because a command of wrangler that fails ends the process.
process.on('exit', () => [exported, part].forEach((path) => rmSync(path, { force: true })))
endOnSignal()
const [own] = rowsOf<{ count: number }>('select count(*) as count from directory', place)
try {
  await write(await exportUnchanged())
} catch (error) {
  // One of the disk: it is full, or the file cannot be written.
  if (!(error instanceof Error && 'syscall' in error)) throw error
  fail(`${error.message}\nThere is no backup.`)
}
console.log(`Written: ${file}. Keep it encrypted, and keep TOKEN_KEY: without it, no token of the backup is valid.`)
if (own !== undefined && own.count > 0)
  console.log(`Stores with a database of their own: ${own.count}. The file has no data of them (docs/places.md).`)

/** Returns the statements that put back the text which the export has changed. Before and after it, this text is the same. */
async function exportUnchanged(): Promise<string[]> {
  const queries = exactTextQueries()
  for (let left = TRIES; left > 0; left -= 1) {
    const before = exactText(queries)
    console.log('Exporting …')
    // wrangler would make a file that everybody can read, and an export takes minutes.
    writeSecrets(exported, '')
    d1(['export', 'DB', '--no-schema', '--skip-confirmation', `--output=${exported}`], place)
    if (JSON.stringify(before) === JSON.stringify(exactText(queries))) return before
  }
  return fail(`Text with line breaks has changed during each of ${TRIES} exports. Run it again when less is written.`)
}

function exactText(queries: string[]): string[] {
  return rowsOfEach<{ sql: string }>(queries, place).flatMap((rows) => rows.map(({ sql }) => sql))
}

/** For each table, a query of statements: one for each row with text that has a line break beside its own spelling as a backslash and a letter. */
function exactTextQueries(): string[] {
  const columns = rowsOf<{ table: string; name: string; isKey: number }>(
    `select m.name as "table", c.name as name, c.pk > 0 as isKey from sqlite_master m join pragma_table_info(m.name) c
      where m.type = 'table' and m.name not glob '_cf_*' and m.name not glob 'sqlite_*' and m.name <> 'd1_migrations'
        and (c.pk > 0 or lower(c.type) = 'text') order by m.name, c.cid`,
    place,
  )
  const tables = Map.groupBy(columns, ({ table }) => table)
  return [...tables].flatMap(([table, all]) => {
    const keys = all.filter(({ isKey }) => isKey === 1).map(({ name }) => name)
    const texts = all.filter(({ isKey }) => isKey === 0).map(({ name }) => name)
    if (texts.length === 0) return []
    const assigned = (names: string[], glue: string) =>
      names
        .map((name) => `'"${name}"' || iif("${name}" is null, '=null', '=' || quote("${name}"))`)
        .join(` || '${glue}' || `)
    const isChanged = texts
      .flatMap((name) => [
        `instr("${name}", char(10)) and instr("${name}", '\\n')`,
        `instr("${name}", char(13)) and instr("${name}", '\\r')`,
      ])
      .join(' or ')
    const statement = `'update "${table}" set ' || ${assigned(texts, ', ')} || ' where ' || ${assigned(keys, ' and ')} || ';'`
    return [`select ${statement} as sql from "${table}" where ${isChanged}`]
  })
}

/** The file exists only when it is complete. */
async function write(exact: string[]): Promise<void> {
  writeSecrets(part, '')
  await pipeline(linesOf(exact), createWriteStream(part))
  renameSync(part, file)
}

async function* linesOf(exact: string[]): AsyncGenerator<string> {
  let count = 0
  for await (const line of linesIn(exported)) {
    if (NOT_KEPT.test(line)) continue
    yield `${line}\n`
    count += 1
    if (count % 100_000 === 0) console.log(`  ${count} rows`)
  }
  for (const sql of [...exact, BACKUP_END]) yield `${sql}\n`
}

/** `node:readline` would end a line at U+2028 and U+2029, too, and names may have these. */
async function* linesIn(path: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of createReadStream(path, 'utf8')) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}
