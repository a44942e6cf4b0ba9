/**
 * `npm run deploy`: makes what is missing, migrates, deploys, and makes both secrets where the Worker has none. The
 * tables exist before the Worker that needs them, on a new account too, so the database is made here rather than by
 * `wrangler deploy`, and so are the queues, of which it makes none that is only consumed, and KV, of which it would
 * make a second one after an upload that failed. Every step can be repeated.
 */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { experimental_readRawConfig } from 'wrangler'
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
const options = explained(readOptions)
const configPath = resolve(valueOf(options, 'cwd') ?? '.', valueOf(options, 'config') ?? 'wrangler.toml')
const config = explained(() => readConfig({ config: configPath, env: valueOf(options, 'env') }))
const worker = valueOf(options, 'name') ?? config.name ?? ''

if (isSet(options, 'dry-run')) {
  begin('Build, and change nothing')
  run('deploy')
  process.exit(0)
}
begin('Build')
ask('deploy', ['--dry-run'], ['dry-run']).orFail()
begin('Database')
makeDatabase()
begin('Migrations')
run('d1 migrations apply', ['DB', '--remote'])
begin('Queues')
const { webhooks, dead } = explained(() => queuesOf(config))
// The second one is where the first one's consumer sends to.
for (const queue of [dead, webhooks]) makeQueue(queue)
begin('KV')
const namespaces = makeNamespaces()
begin('Deploy')
deployWith(namespaces)
begin('Secrets')
makeSecrets()

/** Those of `wrangler deploy`, and those that say where something new is made. */
function readOptions(): Option[] {
  const flags = new Map(flagsOf('deploy'))
  for (const [name, flag] of flagsOf('d1 create')) {
    if (name === 'location' || name === 'jurisdiction') flags.set(name, flag)
  }
  const given = parseOptions(process.argv.slice(2), flags)
  const env = valueOf(given, 'env') ?? process.env['CLOUDFLARE_ENV'] ?? ''
  // Said in any case: where a file has environments, wrangler warns of a command that names none.
  return [...given.filter(({ flag }) => flag.name !== 'env'), { flag: { name: 'env' }, values: [env] }]
}

function explained<T>(read: () => T): T {
  try {
    return read()
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

/** By binding, the ids of those that the configuration gives no id. They are named as `wrangler deploy` names them. */
function makeNamespaces(): Map<string, string> {
  const ids = new Map<string, string>()
  for (const { binding, id } of config.kv_namespaces) {
    const title = `${worker}-${binding.toLowerCase().replaceAll('_', '-')}`
    if (id === undefined) ids.set(binding, findNamespace(title) ?? makeNamespace(title))
  }
  return ids
}

function findNamespace(title: string): string | undefined {
  const listed: { id: string; title: string }[] = JSON.parse(ask('kv namespace list').orFail())
  return listed.find((namespace) => namespace.title === title)?.id
}

function makeNamespace(title: string): string {
  // Given an environment, it would put that before the title.
  ask('kv namespace create', [title, '--update-config=false', '--env='], ['env']).orFail()
  console.log(`Made the KV namespace ${title}.`)
  return findNamespace(title) ?? fail(`The KV namespace ${title} is not in the list of the account.`)
}

/** Beside the configuration and with its relative paths, because an id can be told to `wrangler deploy` in no other way. */
function deployWith(ids: Map<string, string>): void {
  const { rawConfig } = experimental_readRawConfig({ config: configPath })
  const target = config.targetEnvironment ? rawConfig.env?.[config.targetEnvironment] : rawConfig
  for (const namespace of target?.kv_namespaces ?? []) {
    const id = ids.get(namespace.binding)
    if (id !== undefined) namespace.id = id
  }
  const file = join(dirname(configPath), '.wrangler.deploy.json')
  writeFileSync(file, JSON.stringify(rawConfig))
  process.on('exit', () => rmSync(file, { force: true }))
  run('deploy', [`--config=${file}`], ['config'])
}

/**
 * After the deployment, because a secret of a Worker that is not there yet makes an empty one. Until then the service
 * answers what it has no secret for with 404 and 503.
 */
function makeSecrets(): void {
  // `wrangler secret` takes `--name` and `--env` together for another Worker than `wrangler deploy` does.
  const named = [`--name=${worker}`, '--env=']
  const listed = ask('secret list', ['--format=json', ...named], ['name', 'env']).orFail()
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
  ask('secret bulk', named, ['name', 'env'], JSON.stringify(made)).orFail()
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

/** A command whose output is shown as it comes, and which may ask. It is not passed the options that `except` names. */
function run(command: string, rest: string[] = [], except: string[] = []): void {
  const { status } = spawnSync(process.execPath, argvOf(command, rest, except), { stdio: 'inherit', env: envOf() })
  if (status !== 0) fail(`wrangler ${command} failed.`)
}

/** A command whose output is shown only when it fails. It asks nothing. */
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
    console.error('Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN to a token that is good for this account.')
  }
  if (step !== undefined) {
    console.error(`
Stopped at the step "${step}". What came before it is done and stays. The same command can be run again at any time:
it makes only what is missing.`)
  }
  process.exit(1)
}
