/**
 * `npm run deploy`: creates the database if it is missing, migrates, deploys, and generates the secrets that the Worker
 * lacks. Every step can be repeated. `wrangler deploy` creates what else is missing. It would create the database, too, but
 * in no particular place, and the new Worker would run before it has its tables.
 */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { experimental_readRawConfig } from 'wrangler'
import { findSettingProblems, placeOf } from './check-settings.ts'
import { answerHelp } from './help.ts'
import { secretNames, writeSecrets } from './local-secrets.ts'
import { findTaken } from './npm-options.ts'
import { goOnWithoutReader } from './signals.ts'
import { readConfig } from './wrangler-config.ts'
import { argumentsFor, flagsOf, isSet, type Option, parseOptions, valueOf } from './wrangler-options.ts'
import { WRANGLER } from './wrangler.ts'

const USAGE = `npm run deploy -- [options]

  --env staging     the environment of wrangler.toml; production if omitted
  --location weur   where a new database is placed: weur, eeur, wnam, enam, apac or oc
  --jurisdiction eu where a new database must stay: eu, us or fedramp
  --dry-run         builds and changes nothing

All options of wrangler deploy are accepted, and passed to each step that knows them.`

answerHelp(USAGE)
goOnWithoutReader()
let step: string | undefined
const taken = findTaken('deploy', ['dry-run', 'env', 'name'])
if (taken !== undefined) fail(taken)
const options = explained(readOptions)
const configPath = resolve(valueOf(options, 'cwd') ?? '.', valueOf(options, 'config') ?? 'wrangler.toml')
const config = explained(() => readConfig({ config: configPath, env: valueOf(options, 'env') }))
requireSettings()
// In Workers Builds, and so with the Deploy button, wrangler deploys to the Worker that the build belongs to.
const worker = process.env['WRANGLER_CI_OVERRIDE_NAME'] ?? valueOf(options, 'name') ?? config.name ?? ''

if (isSet(options, 'dry-run')) {
  begin('Build without changes')
  run('deploy')
  process.exit(0)
}
console.log(`Deploying the Worker ${worker} (${config.targetEnvironment || 'production'})`)
begin('Build')
ask('deploy', ['--dry-run'], ['dry-run']).orFail()
begin('Database')
createDatabase()
begin('Migrations')
run('d1 migrations apply', ['DB', '--remote'])
requireMigrations()
begin('Deploy')
deploy()
begin('Secrets')
createSecrets()

/** The options of `wrangler deploy`, and those of `wrangler d1 create` that choose the place of a new database. */
function readOptions(): Option[] {
  const flags = new Map(flagsOf('deploy'))
  for (const [name, flag] of flagsOf('d1 create')) {
    if (name === 'location' || name === 'jurisdiction') flags.set(name, flag)
  }
  const given = parseOptions(process.argv.slice(2), flags)
  const env = valueOf(given, 'env') ?? process.env['CLOUDFLARE_ENV'] ?? ''
  // Always passed: wrangler warns about a command without --env if wrangler.toml has environments.
  return [...given.filter(({ flag }) => flag.name !== 'env'), { flag: { name: 'env' }, values: [env] }]
}

function explained<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
  }
}

/** Nothing else would notice these before callers do. WORKER_NAME may differ: the deployment sets it to the name in `--name`. */
function requireSettings(): void {
  const place = placeOf(config.targetEnvironment)
  const problems = explained(() => findSettingProblems({ config: configPath })).filter(
    (problem) => problem.startsWith(`${place}: `) && !problem.includes('vars.WORKER_NAME'),
  )
  if (problems.length > 0) fail(`wrangler.toml has settings that would do harm in production:\n${problems.join('\n')}`)
}

function createDatabase(): void {
  const lookUp = ask('d1 info', ['DB', '--json'])
  if (!lookUp.output.includes("Couldn't find a")) {
    lookUp.orFail()
    return
  }
  const name = config.d1_databases.find(({ binding }) => binding === 'DB')?.database_name
  if (name === undefined) fail('wrangler.toml has no database_name for the database DB.')
  ask('d1 create', [name, '--update-config=false']).orFail()
  console.log(`Created the database ${name}.`)
}

/** wrangler asks before it migrates, and to decline is no error for it. */
function requireMigrations(): void {
  const listed = ask('d1 migrations list', ['DB', '--remote']).orFail()
  if (!listed.includes('No migrations to apply'))
    fail('The migrations were not applied, and the new Worker needs them.')
}

function deploy(): void {
  // An attempt that failed may have created a namespace, so the next one needs a configuration with its id.
  const deployed = () => {
    const file = writeConfig()
    process.once('exit', () => rmSync(file, { force: true }))
    return show('deploy', [`--config=${file}`], ['config'])
  }
  if (!deployed() && !(removeConsumer() && deployed())) fail('wrangler deploy failed.')
}

/**
 * Writes a copy of the configuration into the same folder, because `wrangler deploy` accepts ids only there. It creates a
 * missing KV namespace before it uploads the Worker, and finds it again only through a Worker that was uploaded: after a
 * failed upload, it would stop because the title is taken. So the copy has the ids of the namespaces that exist, and that of
 * the database: without it, wrangler looks for the one that the Worker has now, and stops if that is lost. It also has the
 * name in `--name`: rate limits are counted under it, and the deployments of an account share their namespaces.
 */
function writeConfig(): string {
  const namespaces: { id: string; title: string }[] = JSON.parse(ask('kv namespace list').orFail())
  const ids = new Map(namespaces.map(({ id, title }) => [title, id]))
  const { rawConfig } = experimental_readRawConfig({ config: configPath })
  const target = config.targetEnvironment ? rawConfig.env?.[config.targetEnvironment] : rawConfig
  for (const namespace of target?.kv_namespaces ?? []) {
    // The title that wrangler gives it.
    const id = ids.get(`${worker}-${namespace.binding.toLowerCase().replaceAll('_', '-')}`)
    if (id !== undefined) namespace.id ??= id
  }
  const { uuid }: { uuid: string } = JSON.parse(ask('d1 info', ['DB', '--json']).orFail())
  for (const database of target?.d1_databases ?? []) if (database.binding === 'DB') database.database_id ??= uuid
  if (target) target.vars = { ...target.vars, WORKER_NAME: worker }
  const file = join(dirname(configPath), '.wrangler.deploy.json')
  writeFileSync(file, JSON.stringify(rawConfig))
  return file
}

/**
 * Version 2.0 was the consumer of a queue, and Cloudflare rejects the upload of a Worker without a handler for its queue.
 * Returns whether there was such a consumer.
 */
function removeConsumer(): boolean {
  const queue = `${config.name}-webhooks`
  // With `--env`, even an empty one, wrangler does not find a consumer in the default environment.
  const { isDone } = ask('queues consumer remove', [queue, worker], ['env'])
  if (isDone) console.log(`The Worker ${worker} is no longer a consumer of the queue ${queue}. Deploying again.`)
  return isDone
}

/**
 * Runs after the deployment, because a secret for a Worker that does not exist would create an empty Worker. Until then
 * the new service responds with 404 under /admin and with 503 elsewhere.
 */
function createSecrets(): void {
  // With `--name` and `--env` together, `wrangler secret` means another Worker than `wrangler deploy`.
  const named = [`--name=${worker}`, '--env=']
  const listed = ask('secret list', ['--format=json', ...named], ['name', 'env']).orFail()
  const missing = secretNames().filter((name) => !listed.includes(`"${name}"`))
  if (missing.length === 0) return
  const names = missing.join(' and ')
  if (isCi()) {
    console.log(
      `The Worker ${worker} has no ${names}. A secret that is generated here would be lost with this machine. Run:`,
    )
    for (const name of missing)
      console.log(`openssl rand -hex 32 | npx wrangler secret put ${name} --name ${worker} --env ''`)
    return
  }
  const generated = Object.fromEntries(missing.map((name) => [name, randomBytes(32).toString('hex')]))
  const file = keep(generated)
  ask('secret bulk', named, ['name', 'env'], JSON.stringify(generated)).orFail()
  console.log(`Generated ${names} of the Worker ${worker}. Cloudflare never shows a secret again: the values are in
${file}, which only you can read. Put them into your password manager and remove the file.`)
}

/** Runs before the upload: an upload that was cut off may have arrived. A repeated run replaces the lines in the file. */
function keep(generated: Record<string, string>): string {
  const file = `.secrets.${worker}`
  const before = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
  const lines = Object.entries({ ...before, ...generated }).map(([name, value]) => `${name}=${value}\n`)
  writeSecrets(file, lines.join(''))
  return file
}

function isCi(): boolean {
  return !['', 'false', '0'].includes(process.env['CI'] ?? '')
}

function begin(name: string): void {
  step = name
  console.log(`\n${name}`)
}

function run(command: string, rest: string[] = []): void {
  if (!show(command, rest)) fail(`wrangler ${command} failed.`)
}

/**
 * Runs a command interactively: its output is shown at once, and it may ask. Options in `except` are not passed. Returns
 * whether it has succeeded.
 */
function show(command: string, rest: string[], except: string[] = []): boolean {
  const { status } = spawnSync(process.execPath, argvOf(command, rest, except), { stdio: 'inherit', env: envOf() })
  return status === 0
}

/** Runs a command whose output is shown only if it fails. It asks nothing. */
function ask(command: string, rest: string[] = [], except: string[] = [], input = '') {
  const argv = argvOf(command, rest, except)
  const child = spawnSync(process.execPath, argv, { input, encoding: 'utf8', env: envOf() })
  const output = `${child.stdout}${child.stderr}`
  const isDone = child.status === 0
  const orFail = (): string => (isDone ? child.stdout : fail(output))
  return { output, isDone, orFail }
}

function argvOf(command: string, rest: string[], except: string[]): string[] {
  const passed = options.filter(({ flag }) => !except.includes(flag.name))
  return [WRANGLER, ...command.split(' '), ...rest, ...argumentsFor(command, passed)]
}

function envOf(): NodeJS.ProcessEnv {
  return { ...process.env, WRANGLER_HIDE_BANNER: 'true' }
}

function fail(message: string): never {
  const isLoggedOut = /CLOUDFLARE_API_TOKEN environment variable|Not logged in/.test(message)
  const isRefused = /Authentication error|Invalid access token/.test(message)
  console.error(isLoggedOut ? 'You are not logged in to Cloudflare.' : message.trim())
  if (isLoggedOut || isRefused) {
    console.error('Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN to a token that is valid for this account.')
  }
  if (step !== undefined) {
    console.error(`
Stopped at the step "${step}". The steps before it are complete. The same command can be run again at any time: it creates
only what is missing.`)
  }
  process.exit(1)
}
