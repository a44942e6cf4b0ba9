/**
 * `npm run after-restore`: after D1 was put back to an earlier moment (docs/backup-and-restore.md), before anybody writes.
 * The database no longer knows the numbers that it gave out since then, but callers do: so every store's numbers move
 * on, and an event `store.restored` marks the gap. Lists the tokens that are good now, for people to compare.
 */
import { spawnSync } from 'node:child_process'
import { restoreStatements } from './restore-statements.ts'
import { argumentsFor, flagsOf, type Option, parseOptions, valueOf } from './wrangler-options.ts'
import { WRANGLER } from './wrangler.ts'

const USAGE = `npm run after-restore -- [options]

  --env staging   the environment of wrangler.toml; production when left out
  --local         the local database instead of Cloudflare's

All options of wrangler d1 execute are taken, but those that say what is executed.`

interface Token {
  store: string | null
  id: number
  name: string
  scopes: string
  created_at: number
  last_used_at: number | null
}

interface Counts {
  stores: number
  moved: number
}

type Answers = [events: unknown, stores: unknown, counts: { results: [Counts] }, tokens: { results: Token[] }]

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  console.log(USAGE)
  process.exit(0)
}
const options = readOptions()
const statements = Object.values(restoreStatements({ run: crypto.randomUUID(), now: Date.now() }))
const [, , counts, tokens] = execute(statements)
report(counts.results[0], tokens.results)

function readOptions(): Option[] {
  try {
    const flags = new Map(
      [...flagsOf('d1 execute')].filter(([, { name }]) => !['command', 'file', 'json', 'yes'].includes(name)),
    )
    const given = parseOptions(process.argv.slice(2), flags)
    const isPlaced = given.some(({ flag }) => flag.name === 'local' || flag.name === 'remote')
    const remote: Option[] = isPlaced ? [] : [{ flag: { name: 'remote' }, values: [] }]
    const env = valueOf(given, 'env') ?? process.env['CLOUDFLARE_ENV'] ?? ''
    return [...given.filter(({ flag }) => flag.name !== 'env'), ...remote, { flag: { name: 'env' }, values: [env] }]
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
  }
}

/** All of them in one call, and the rows of each. */
function execute(sql: string[]): Answers {
  const command = ['d1', 'execute', 'DB', '--json', '--yes', `--command=${sql.join(';')}`]
  const child = spawnSync(process.execPath, [WRANGLER, ...command, ...argumentsFor('d1 execute', options)], {
    encoding: 'utf8',
    env: { ...process.env, WRANGLER_HIDE_BANNER: 'true' },
    maxBuffer: 1024 * 1024 * 1024,
  })
  if (child.status !== 0)
    fail(`${child.stdout}${child.stderr}\nRun the command again: twice leaves two gaps, and does no other harm.`)
  return JSON.parse(child.stdout)
}

function report({ stores, moved }: Counts, tokens: Token[]): void {
  if (moved < stores) {
    fail(`Only ${moved} of ${stores} sequences of numbers have moved on: others wrote while this ran, or a store has no
numbers left. Let nobody write, and run the command again.`)
  }
  console.log(`The numbers of ${stores - 1} stores, and those of the operators, have moved on.

These ${tokens.length} tokens are good now. Revoke again what was revoked since the restored moment, and rotate again with
"overlap_hours": 0 what was rotated so. What was made since then is gone.
`)
  console.log(['store', 'id', 'made', 'last used', 'scopes', 'name'].join('\t'))
  for (const { store, id, name, scopes, created_at, last_used_at } of tokens) {
    console.log(
      [store ?? '(operator)', id, dayOf(created_at), dayOf(last_used_at), scopes, JSON.stringify(name)].join('\t'),
    )
  }
}

function dayOf(time: number | null): string {
  return time === null ? 'never' : new Date(time).toISOString().slice(0, 10)
}

function fail(message: string): never {
  console.error(message.trim())
  process.exit(1)
}
