/**
 * `npm run backup -- FILE`: writes the rows of D1 into a file from which `npm run restore` fills an empty database
 * (docs/backup-and-restore.md). wrangler's export is one consistent state, but on its own it cannot be imported: it creates
 * children before parents, and it changes text that has both a line break and a literal \n. So this keeps its rows only, and
 * adds the exact values of such text.
 */
import { once } from 'node:events'
import { createReadStream, createWriteStream, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { d1, fail, placeOf, rowsOf } from './d1-command.ts'
import { answerHelp } from './help.ts'
import { writeSecrets } from './local-secrets.ts'

const USAGE = `npm run backup -- FILE [options]

  --env staging   the environment of wrangler.toml; production if omitted
  --local         the local database instead of Cloudflare's

Meanwhile the database serves no requests: the service returns 503. The file holds names, emails and password hashes.`

/** Each restore migrates the database itself, so what D1 notes about migrations stays out. */
const NOT_KEPT = /^INSERT INTO "(?:d1_migrations|sqlite_sequence|_cf_\w+)" /
const TRIES = 3

answerHelp(USAGE)
const { file, place } = placeOf(process.argv.slice(2), USAGE)
const exported = `${file}.incomplete`
// Not by `finally`, because a command of wrangler that fails ends the process.
process.on('exit', () => rmSync(exported, { force: true }))
await write(await exportUnchanged())
console.log(`Written: ${file}. Keep it encrypted, and keep TOKEN_KEY: without it, no token of the backup is valid.`)

/** Returns the statements that put back the text which the export has changed. Before and after it, this text is the same. */
async function exportUnchanged(): Promise<string[]> {
  for (let left = TRIES; left > 0; left -= 1) {
    const before = exactText()
    console.log('Exporting …')
    // wrangler would make a file that everybody can read, and an export takes minutes.
    writeSecrets(exported, '')
    d1(['export', 'DB', '--no-schema', '--skip-confirmation', `--output=${exported}`], place)
    if (JSON.stringify(before) === JSON.stringify(exactText())) return before
  }
  return fail(`Text with line breaks has changed during each of ${TRIES} exports. Run it again when less is written.`)
}

/** A statement for each row with text that has a line break beside its own spelling as a backslash and a letter. */
function exactText(): string[] {
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
    const rows = rowsOf<{ sql: string }>(`select ${statement} as sql from "${table}" where ${isChanged}`, place)
    return rows.map(({ sql }) => sql)
  })
}

async function write(exact: string[]): Promise<void> {
  writeSecrets(file, '')
  const output = createWriteStream(file)
  let count = 0
  for await (const line of createInterface({ input: createReadStream(exported), crlfDelay: Infinity })) {
    if (NOT_KEPT.test(line)) continue
    if (!output.write(`${line}\n`)) await once(output, 'drain')
    count += 1
    if (count % 100_000 === 0) console.log(`  ${count} rows`)
  }
  for (const sql of exact) output.write(`${sql}\n`)
  output.end()
  await once(output, 'finish')
}
