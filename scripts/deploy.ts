/**
 * `npm run deploy`: creates the missing resources, migrates, deploys, and generates the secrets that the Worker lacks.
 * Every step can be repeated. `wrangler deploy` could create resources too, but it would create the database after the
 * Worker that needs its tables, and a second KV namespace after a failed upload.
 */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { experimental_readRawConfig } from 'wrangler'
import { answerHelp } from './help.ts'
import { secretNames } from './local-secrets.ts'
import { readConfig, routesOf } from './wrangler-config.ts'
import { argumentsFor, flagsOf, isSet, type Option, parseOptions, valueOf } from './wrangler-options.ts'
import { WRANGLER } from './wrangler.ts'

const USAGE = `npm run deploy -- [options]

  --env staging     the environment of wrangler.toml; production if omitted
  --location weur   where a new database is placed: weur, eeur, wnam, enam, apac or oc
  --jurisdiction eu where a new database must stay: eu, us or fedramp
  --dry-run         builds and changes nothing

All options of wrangler deploy are accepted, and passed to each step that knows them.`

answerHelp(USAGE)
let step: string | undefined
const options = explained(readOptions)
const configPath = resolve(valueOf(options, 'cwd') ?? '.', valueOf(options, 'config') ?? 'wrangler.toml')
const config = explained(() => readConfig({ config: configPath, env: valueOf(options, 'env') }))
requireOwnRoutes()
// In Workers Builds, and so with the Deploy button, wrangler deploys to the Worker that the build belongs to.
const worker = process.env['WRANGLER_CI_OVERRIDE_NAME'] ?? valueOf(options, 'name') ?? config.name ?? ''

if (isSet(options, 'dry-run')) {
  begin('Build without changes')
  run('deploy')
  process.exit(0)
}
begin('Build')
ask('deploy', ['--dry-run'], ['dry-run']).orFail()
begin('Database')
createDatabase()
begin('Migrations')
run('d1 migrations apply', ['DB', '--remote'])
requireMigrations()
begin('KV')
const namespaces = findOrCreateNamespaces()
begin('Deploy')
deployWith(namespaces)
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

/** An environment inherits the routes of the top level, and its deployment would take them from production. */
function requireOwnRoutes(): void {
  if (!config.targetEnvironment) return
  const ofProduction = routesOf(readConfig({ config: configPath }))
  const taken = routesOf(config).filter((route) => ofProduction.includes(route))
  if (taken.length === 0) return
  fail(`The environment ${config.targetEnvironment} has ${taken.join(', ')} of the top level of wrangler.toml: its deployment would take
what production serves. Give [env.${config.targetEnvironment}] routes of its own, or \`routes = []\` and \`workers_dev = true\`.`)
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

/** The ids of the namespaces that have none in the configuration, by binding. `wrangler deploy` uses the same titles. */
function findOrCreateNamespaces(): Map<string, string> {
  const ids = new Map<string, string>()
  for (const { binding, id } of config.kv_namespaces) {
    const title = `${worker}-${binding.toLowerCase().replaceAll('_', '-')}`
    if (id === undefined) ids.set(binding, findNamespace(title) ?? createNamespace(title))
  }
  return ids
}

function findNamespace(title: string): string | undefined {
  const listed: { id: string; title: string }[] = JSON.parse(ask('kv namespace list').orFail())
  return listed.find((namespace) => namespace.title === title)?.id
}

function createNamespace(title: string): string {
  // With an environment, wrangler would put its name before the title.
  ask('kv namespace create', [title, '--update-config=false', '--env='], ['env']).orFail()
  console.log(`Created the KV namespace ${title}.`)
  return findNamespace(title) ?? fail(`The KV namespace ${title} is not in the list of the account.`)
}

/**
 * `wrangler deploy` accepts ids only in its configuration, so this writes a copy with them into the same folder. The copy
 * also has the name in `--name`: rate limits are counted under it, and deployments of one account share their namespaces.
 */
function deployWith(ids: Map<string, string>): void {
  const { rawConfig } = experimental_readRawConfig({ config: configPath })
  const target = config.targetEnvironment ? rawConfig.env?.[config.targetEnvironment] : rawConfig
  for (const namespace of target?.kv_namespaces ?? []) {
    const id = ids.get(namespace.binding)
    if (id !== undefined) namespace.id = id
  }
  if (target) target.vars = { ...target.vars, WORKER_NAME: worker }
  const file = join(dirname(configPath), '.wrangler.deploy.json')
  writeFileSync(file, JSON.stringify(rawConfig))
  process.on('exit', () => rmSync(file, { force: true }))
  run('deploy', [`--config=${file}`], ['config'])
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

/** Runs a command interactively: its output is shown at once, and it may ask. Options in `except` are not passed. */
function run(command: string, rest: string[] = [], except: string[] = []): void {
  const { status } = spawnSync(process.execPath, argvOf(command, rest, except), { stdio: 'inherit', env: envOf() })
  if (status !== 0) fail(`wrangler ${command} failed.`)
}

/** Runs a command whose output is shown only if it fails. It asks nothing. */
function ask(command: string, rest: string[] = [], except: string[] = [], input = '') {
  const argv = argvOf(command, rest, except)
  const child = spawnSync(process.execPath, argv, { input, encoding: 'utf8', env: envOf() })
  const output = `${child.stdout}${child.stderr}`
  const orFail = (): string => (child.status === 0 ? child.stdout : fail(output))
  return { output, orFail }
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
