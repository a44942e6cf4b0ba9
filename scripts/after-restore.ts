/**
 * `npm run after-restore`: run it after D1 was restored to an earlier moment (docs/backup-and-restore.md), before anybody
 * writes. Callers still hold ids that the database has forgotten, and would use them for other records. So this moves
 * the ids of every store past them, and an event `store.restored` marks the gap. It also lists the valid tokens.
 */
import { spawnSync } from 'node:child_process'
import { placeText } from './d1-command.ts'
import { answerHelp } from './help.ts'
import { findTaken } from './npm-options.ts'
import { restoreStatements } from './restore-statements.ts'
import { goOnWithoutReader } from './signals.ts'
import { argumentsFor, flagsOf, isSet, type Option, parseOptions, valueOf } from './wrangler-options.ts'
import { WRANGLER } from './wrangler.ts'

const USAGE = `npm run after-restore -- [options]

  --env staging   the environment of wrangler.toml; production if omitted
  --local         the local database instead of Cloudflare's

All options of wrangler d1 execute are accepted, except those that choose what is executed.`

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

answerHelp(USAGE)
goOnWithoutReader()
const options = readOptions()
console.log(placeText(valueOf(options, 'env') ?? '', isSet(options, 'local')))
const statements = Object.values(restoreStatements({ run: crypto.randomUUID(), now: Date.now() }))
const [, , counts, tokens] = execute(statements)
report(counts.results[0], tokens.results)

function readOptions(): Option[] {
  const taken = findTaken('after-restore', ['env'])
  if (taken !== undefined) return fail(taken)
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

/** Sends all statements in one call and returns the rows of each. */
function execute(sql: string[]): Answers {
  const command = ['d1', 'execute', 'DB', '--json', '--yes', `--command=${sql.join(';')}`]
  const child = spawnSync(process.execPath, [WRANGLER, ...command, ...argumentsFor('d1 execute', options)], {
    encoding: 'utf8',
    env: { ...process.env, WRANGLER_HIDE_BANNER: 'true' },
    maxBuffer: 1024 * 1024 * 1024,
  })
  if (child.status !== 0)
    fail(
      `${child.stdout}${child.stderr}\nRun the command again: a second run leaves a second gap and does no other harm.`,
    )
  return JSON.parse(child.stdout)
}

function report({ stores, moved }: Counts, validTokens: Token[]): void {
  if (moved < stores) {
    fail(`The ids of only ${moved} of ${stores} stores have moved on: others wrote while this ran, or a store has no ids
left. Stop all writers and run the command again.`)
  }
  console.log(`The ids of ${stores - 1} stores, and those of the operators, have moved on.

These ${validTokens.length} tokens are valid now. Revoke again those that were revoked since the restored moment, and rotate again with
"overlap_hours": 0 those that were rotated so. Tokens that were created since then are gone.
`)
  console.log(['store', 'id', 'created', 'last used', 'scopes', 'name'].join('\t'))
  for (const { store, id, name, scopes, created_at, last_used_at } of validTokens) {
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
