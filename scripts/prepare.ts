/**
 * Prepares what `wrangler dev` needs to serve requests: secrets, a migrated database and a demo store. `npm run dev`
 * calls this before it starts wrangler. A plain `npx wrangler dev` calls it from its build command (prepare-build.ts).
 */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fillHistory } from './demo-history.ts'
import { STATE, tokenFile } from './demo.ts'
import { foreignDatabase, isBusy, unusedDatabase } from './local-database.ts'
import { completeSecrets, findProblem, missingSecrets, VARS, writeSecrets } from './local-secrets.ts'
import { argumentsFor, type Option, valueOf } from './wrangler-options.ts'
import { WRANGLER } from './wrangler.ts'

/** Its message explains to the developer why the service cannot start. */
export class NotPrepared extends Error {
  override name = 'NotPrepared'
}

export interface Prepared {
  secrets: NodeJS.Dict<string>
  /** Why there is no demo store. */
  problem: string | undefined
}

/** Keeps each lock alive: a connection that is collected as garbage would release it. */
const locks: DatabaseSync[] = []

/**
 * Throws NotPrepared. The data stays locked until this process ends, so that a second start cannot share it. `meanwhile` runs
 * beside the migrations, which are another process.
 */
export async function prepare(options: readonly Option[], meanwhile = async () => {}): Promise<Prepared> {
  const state = valueOf(options, 'persist-to') ?? STATE
  requireWritable(...(missingSecrets().length === 0 ? [] : [VARS]), 'dist', '.wrangler', state)
  try {
    lock(state)
    requireOwnMigrations(state)
    const given = givenVars(options)
    const secrets = { ...completeSecrets(), ...given }
    const problem = findProblem(secrets, given)
    const other = meanwhile()
    migrate(options, state)
    const empty = problem === undefined ? unusedDatabase(state) : undefined
    if (empty !== undefined) writeSecrets(tokenFile(state), fill(empty, secrets))
    await other
    return { secrets, problem }
  } catch (error) {
    throw isBusy(error) ? inUse(state) : error
  }
}

/** The variables of the command line, such as `--var TOKEN_KEY:…`, which wrangler prefers to those of files. */
function givenVars(options: readonly Option[]): NodeJS.Dict<string> {
  const vars = options.filter(({ flag }) => flag.name === 'var').flatMap(({ values }) => values)
  const pairs = vars.map((each) => each.split(':'))
  return Object.fromEntries(pairs.map(([name = '', ...value]) => [name, value.join(':')]))
}

function requireWritable(...paths: string[]): void {
  for (const path of paths) {
    let existing = resolve(path)
    while (!existsSync(existing)) existing = dirname(existing)
    try {
      accessSync(existing, constants.W_OK)
    } catch {
      throw new NotPrepared(`${existing} is read-only: the local service writes its data there.`)
    }
  }
}

/** The operating system releases the lock when this process ends, however it ends. A file with a process id would stay. */
function lock(state: string): void {
  mkdirSync(state, { recursive: true })
  const file = new DatabaseSync(join(state, 'dev.lock'))
  file.exec('begin exclusive')
  locks.push(file)
}

function requireOwnMigrations(state: string): void {
  const foreign = foreignDatabase(state)
  if (foreign === undefined) return
  throw new NotPrepared(`The local database belongs to another version: ${foreign}.
Nothing was changed. Start that version, or remove the local data and start again:

rm -r ${state}
`)
}

function migrate(options: readonly Option[], state: string): void {
  const rest = argumentsFor('d1 migrations apply', options)
  const argv = [WRANGLER, 'd1', 'migrations', 'apply', 'DB', ...rest, '--local']
  const child = spawnSync(process.execPath, argv, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  const output = `${child.stdout}${child.stderr}`
  if (output.includes('SQLITE_BUSY')) throw inUse(state)
  if (child.status !== 0) throw new NotPrepared(output)
}

/** Returns the token of the demo store. */
function fill(file: string, { TOKEN_KEY = '' }: NodeJS.Dict<string>): string {
  using database = new DatabaseSync(file)
  return fillHistory(database, { key: TOKEN_KEY, now: Date.now() })
}

function inUse(state: string): NotPrepared {
  return new NotPrepared(
    `The local data in ${state} is in use: stop the other \`npm run dev\` or \`wrangler dev\`, or use --persist-to DIR.`,
  )
}
