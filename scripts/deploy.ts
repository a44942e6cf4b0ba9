/**
 * `npm run deploy`: makes what is missing, migrates, deploys, and makes both secrets where the Worker has none. The
 * tables exist before the Worker that needs them, on a new account too, so the database is made here rather than by
 * `wrangler deploy`, and so are the queues, of which it makes none that is only consumed. Every step can be repeated.
 */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { queuesOf, readConfig, secretNames } from './wrangler-config.ts'
import { argumentsFor, flagsOf, isSet, type Option, parseOptions, valueOf } from './wrangler-options.ts'
import { WRANGLER } from './wrangler.ts'

const USAGE = `npm run deploy -- [options]

  --env staging     the environment of wrangler.toml; production when left out
  --location weur   where a new database is placed: weur, eeur, wnam, enam, apac or oc
  --jurisdiction eu where a new database and new queues must stay: eu, us or fedramp
  --dry-run         builds, and changes nothing

All options of wrangler deploy are taken, and passed on to each step that knows them.`

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  console.log(USAGE)
  process.exit(0)
}
let step: string | undefined
const options = readOptions()
const config = readConfig({
  config: resolve(valueOf(options, 'cwd') ?? '.', valueOf(options, 'config') ?? 'wrangler.toml'),
  env: valueOf(options, 'env'),
})
const worker = valueOf(options, 'name') ?? config.name ?? ''

if (isSet(options, 'dry-run')) {
  begin('Build, and change nothing')
  run('deploy')
  process.exit(0)
}
begin('Build')
ask('deploy', ['--dry-run']).orFail()
begin('Database')
makeDatabase()
begin('Migrations')
run('d1 migrations apply', ['DB', '--remote'])
begin('Queues')
const { webhooks, dead } = queuesOf(config)
// The second one is where the first one's consumer sends to.
for (const queue of [dead, webhooks]) makeQueue(queue)
begin('Deploy')
run('deploy')
begin('Secrets')
makeSecrets()

/** Those of `wrangler deploy`, and those that say where something new is made. */
function readOptions(): Option[] {
  const flags = new Map(flagsOf('deploy'))
  for (const [name, flag] of flagsOf('d1 create')) {
    if (name === 'location' || name === 'jurisdiction') flags.set(name, flag)
  }
  try {
    const given = parseOptions(process.argv.slice(2), flags)
    const env = valueOf(given, 'env') ?? process.env['CLOUDFLARE_ENV'] ?? ''
    // Said in any case: where a file has environments, wrangler warns of a command that names none.
    return [...given.filter(({ flag }) => flag.name !== 'env'), { flag: { name: 'env' }, values: [env] }]
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
  }
}

function makeDatabase(): void {
  const lookUp = ask('d1 info', ['DB', '--json'])
  if (!lookUp.output.includes("Couldn't find a")) {
    lookUp.orFail()
    return
  }
  const name = config.d1_databases.find(({ binding }) => binding === 'DB')?.database_name
  if (name === undefined) fail('wrangler.toml gives the database DB no database_name.')
  ask('d1 create', [name, '--update-config=false']).orFail()
  console.log(`Made the database ${name}.`)
}

/** Looked up first: to make one that exists is an error. */
function makeQueue(queue: string): void {
  const lookUp = ask('queues info', [queue])
  if (!lookUp.output.includes(`Queue "${queue}" does not exist`)) {
    lookUp.orFail()
    return
  }
  ask('queues create', [queue]).orFail()
  console.log(`Made the queue ${queue}.`)
}

/**
 * After the deployment, because a secret of a Worker that is not there yet makes an empty one. Until then the service
 * answers what it has no secret for with 404 and 503.
 */
function makeSecrets(): void {
  const listed = ask('secret list', ['--format=json']).orFail()
  const missing = secretNames().filter((name) => !listed.includes(`"${name}"`))
  if (missing.length === 0) return
  const names = missing.join(' and ')
  if (isCi()) {
    console.log(`The Worker ${worker} has no ${names}, and a secret that is made here would be lost with this machine.`)
    for (const name of missing)
      console.log(`openssl rand -hex 32 | npx wrangler secret put ${name} --name ${worker} --env ''`)
    return
  }
  const made = Object.fromEntries(missing.map((name) => [name, randomBytes(32).toString('hex')]))
  const file = keep(made)
  ask('secret bulk', [], JSON.stringify(made)).orFail()
  console.log(`Made ${names} of the Worker ${worker}. Cloudflare shows a secret to nobody: what was set is in ${file},
which only you can read. Put it into your password manager, and remove the file.`)
}

/** Before they are sent: a secret whose upload was cut off may have arrived. Made again, it replaces the line here. */
function keep(made: Record<string, string>): string {
  const file = `.secrets.${worker}`
  const before = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
  const lines = Object.entries({ ...before, ...made }).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(file, lines.join(''), { mode: 0o600 })
  chmodSync(file, 0o600)
  return file
}

function isCi(): boolean {
  return !['', 'false', '0'].includes(process.env['CI'] ?? '')
}

function begin(name: string): void {
  step = name
  console.log(`\n${name}`)
}

/** A command whose output is shown as it comes, and which may ask. */
function run(command: string, rest: string[] = []): void {
  const { status } = spawnSync(process.execPath, argvOf(command, rest), { stdio: 'inherit', env: envOf() })
  if (status !== 0) fail(`wrangler ${command} failed.`)
}

/** A command whose output is shown only when it fails. It asks nothing. */
function ask(command: string, rest: string[] = [], input = '') {
  const child = spawnSync(process.execPath, argvOf(command, rest), { input, encoding: 'utf8', env: envOf() })
  const output = `${child.stdout}${child.stderr}`
  const orFail = (): string => (child.status === 0 ? child.stdout : fail(output))
  return { output, orFail }
}

/** `wrangler secret` makes another Worker's name of `--name` and `--env` than `wrangler deploy`: it is told the name alone. */
function argvOf(command: string, rest: string[]): string[] {
  const isSecret = command.startsWith('secret ')
  const passed = options.filter(({ flag }) => !isSecret || (flag.name !== 'env' && flag.name !== 'name'))
  const named = isSecret ? [`--name=${worker}`, '--env='] : []
  return [WRANGLER, ...command.split(' '), ...rest, ...argumentsFor(command, passed), ...named]
}

function envOf(): NodeJS.ProcessEnv {
  return { ...process.env, WRANGLER_HIDE_BANNER: 'true' }
}

function fail(message: string): never {
  const isLoggedOut = /CLOUDFLARE_API_TOKEN environment variable|Not logged in/.test(message)
  const isRefused = /Authentication error|Invalid access token/.test(message)
  console.error(isLoggedOut ? 'You are not logged in to Cloudflare.' : message.trim())
  if (isLoggedOut || isRefused) {
    console.error('Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN to a token that is good for this account.')
  }
  if (step !== undefined) {
    console.error(`
Stopped at the step "${step}". What came before it is done and stays. The same command can be run again at any time:
it makes only what is missing.`)
  }
  process.exit(1)
}
