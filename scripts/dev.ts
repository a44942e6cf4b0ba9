/**
 * `npm run dev`: the service on a local D1 and KV, with a demo store that is ready to be called.
 * Options are those of `wrangler dev`, such as `--port N`. What is there is used again.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { parseEnv } from 'node:util'
import { fill, livePast } from './demo-past.ts'
import { type Demo, seedDemo, TOKEN_FILE } from './demo.ts'
import { reader } from './dev-log.ts'
import { databases, foreignDatabase, unusedDatabase } from './local-database.ts'
import { cronsOf, readConfig, secretNames } from './wrangler-config.ts'
import { argumentsFor, flagsOf, type Option, parseOptions, valueOf } from './wrangler-options.ts'
import { WRANGLER } from './wrangler.ts'

const VARS = '.dev.vars'

const npm = process.ppid
const options = readOptions()
const port = valueOf(options, 'port') ?? '8787'
const origin = `http://localhost:${port}`
const config = readConfig({ config: valueOf(options, 'config'), env: valueOf(options, 'env') })
/** With it, wrangler's own lines are shown as they come. */
const isVerbose = valueOf(options, 'log-level') !== undefined

if (await isListening(Number(port))) {
  fail(`Something listens on port ${port}: stop it, or use \`npm run dev -- --port N\`.`)
}
const state = valueOf(options, 'persist-to') ?? '.wrangler/state'
const foreign = foreignDatabase(state)
if (foreign !== undefined) {
  fail(`The local database is of another version: ${foreign}.
Nothing was changed. Remove the local data, and start again:

rm -r ${state}
`)
}
const secrets = completeSecrets()
const problem = problemOf(secrets)
// On a first start, in its thread while the database is made.
const past = problem === undefined && databases(state).length === 0 ? livePast({ secrets, now: Date.now() }) : undefined

const migrate = ['d1', 'migrations', 'apply', 'DB', ...argumentsFor('d1 migrations apply', options), '--local']
const migration = spawnSync(process.execPath, [WRANGLER, ...migrate], {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'pipe'],
})
if (migration.status !== 0) fail(`${migration.stdout}${migration.stderr}`)
if (problem === undefined) await givePast()

const server = startServer()
const output = showOutput(server)
let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
// npm was killed: nobody can press Ctrl-C any more.
setInterval(() => process.ppid === npm || stop(), 500).unref()
server.on('close', (code) => {
  if (!isStopping) output.showHeldBack()
  process.exit(isStopping ? 0 : (code ?? 1))
})

await waitUntilHealthy()
// wrangler runs no cron triggers of its own. What a stop has left undone is done at once, then each has its minute.
const { minutely, hourly } = cronsOf(config)
await trigger(hourly)
await trigger(minutely)
onNextMinute()
if (problem === undefined) printDemo(await makeDemo())
else console.log(`\nRegistrar on ${origin}, without a demo store: ${problem}\nCtrl-C stops.\n`)
output.showFromNowOn()

/** `--remote` would run against production's data, and `--cwd` apart from this script's files. */
function readOptions(): Option[] {
  const flags = new Map(flagsOf('dev'))
  for (const name of ['remote', 'r', 'cwd']) flags.delete(name)
  try {
    return parseOptions(process.argv.slice(2), flags)
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
}

/** Adds the secrets that the file lacks or has left empty, at random; all else stays as it is. */
function completeSecrets(): NodeJS.Dict<string> {
  const before = existsSync(VARS) ? readFileSync(VARS, 'utf8') : ''
  let after = before
  for (const name of secretNames().filter((secret) => !parseEnv(before)[secret])) {
    const line = `${name}=${randomBytes(32).toString('hex')}`
    const empty = new RegExp(`^${name}=[ \\t]*$`, 'm')
    if (empty.test(after)) after = after.replace(empty, line)
    else after += `${after === '' || after.endsWith('\n') ? '' : '\n'}${line}\n`
  }
  if (after !== before) writeFileSync(VARS, after, { mode: 0o600 })
  return parseEnv(after)
}

function problemOf(secrets: NodeJS.Dict<string>): string | undefined {
  const short = secretNames().filter((name) => (secrets[name] ?? '').length < 32)
  if (short.length === 0) return undefined
  return `${short.join(' and ')} in ${VARS} must be at least 32 characters. Remove the line, and a start makes one.`
}

/** A new database begins with a month of history, which the service's own code has written (demo-past-thread.ts). */
async function givePast(): Promise<void> {
  const file = unusedDatabase(state)
  if (file === undefined) return
  mkdirSync(dirname(TOKEN_FILE), { recursive: true })
  const lived = await (past ?? livePast({ secrets, now: Date.now() }))
  writeFileSync(TOKEN_FILE, lived.token, { mode: 0o600 })
  fill(file, lived)
}

/** What of the demo store is not there, or no longer. */
async function makeDemo(): Promise<Demo> {
  const demo = await seedDemo({
    send: (path, init) => fetch(origin + path, init),
    adminToken: secrets['ADMIN_TOKEN'] ?? '',
    token: existsSync(TOKEN_FILE) ? readFileSync(TOKEN_FILE, 'utf8') : undefined,
  })
  writeFileSync(TOKEN_FILE, demo.token, { mode: 0o600 })
  return demo
}

/** In a process group of its own, so that a Ctrl-C reaches it once, from here; it leaves when this process is killed. */
function startServer(): ChildProcess {
  const leaveWithParent = `data:text/javascript,setInterval(()=>process.ppid===${process.pid}||process.kill(process.pid,'SIGTERM'),500).unref()`
  const defaults = ['--show-interactive-dev-session=false', `--port=${port}`, '--var=ENVIRONMENT:development']
  const given = argumentsFor(
    'dev',
    options.filter(({ flag }) => flag.name !== 'port'),
  )
  return spawn(process.execPath, [`--import=${leaveWithParent}`, WRANGLER, 'dev', ...defaults, ...given], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Keeps what the server prints until it is ready: worth reading only if it never is. */
function showOutput({ stdout, stderr }: ChildProcess) {
  let heldBack: string[] | undefined = []
  const print = (line: string) => (heldBack === undefined ? console.log(line) : heldBack.push(line))
  for (const stream of [stdout, stderr]) {
    if (stream === null) continue
    const read = isVerbose ? (line: string) => [line] : reader()
    createInterface({ input: stream }).on('line', (line) => read(line).forEach(print))
  }
  return {
    showHeldBack: () => console.error(heldBack?.join('\n') ?? ''),
    showFromNowOn: () => (heldBack = undefined),
  }
}

function stop(): void {
  if (isStopping) return
  isStopping = true
  server.kill('SIGINT')
  setTimeout(() => server.pid !== undefined && process.kill(-server.pid, 'SIGKILL'), 5000).unref()
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, 'localhost')
    socket.on('connect', () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.unref()
  })
}

async function waitUntilHealthy(): Promise<void> {
  for (;;) {
    try {
      const { ok } = await fetch(`${origin}/health`)
      if (ok) return
    } catch (error) {
      // Not listening yet.
      if (!(error instanceof TypeError)) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** A failure is in the service's log. */
async function trigger(cron: string): Promise<void> {
  await fetch(`${origin}/cdn-cgi/handler/scheduled?cron=${encodeURIComponent(cron)}`).catch(() => {})
}

/** A little after it has begun, because a timer can be early by a millisecond. */
function onNextMinute(): void {
  setTimeout(
    async () => {
      onNextMinute()
      await trigger(minutely)
      if (hourly.startsWith(`${new Date().getUTCMinutes()} `)) await trigger(hourly)
    },
    60_050 - (Date.now() % 60_000),
  ).unref()
}

function printDemo({ store_id, token, access_id }: Demo): void {
  const headers = `-H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json'`
  console.log(`
Registrar is ready: ${origin}
The console:        ${origin}/console (sign in with the ADMIN_TOKEN that is in .dev.vars)
The reference:      ${origin}/docs

Create a user in the store "${store_id}" (v1):

curl -i ${origin}/v1/stores/${store_id}/users \\
  ${headers} -H 'X-Idempotency-Key: order-1001' \\
  -d '{"name":"Ada","last_name":"Lovelace","email":"ada@example.com","country":"GB"}'

Create a user, public form (v3):

curl -i ${origin}/v3/public/users \\
  ${headers} \\
  -d '{"name":"Grace","last_name":"Hopper","email":"grace@example.com","phone":"+1 202 555 0100","avatar":"","country":"US","language":"EN","password":"correct horse battery","external_id":"crm-1906","custom_fields":{"field1":"compilers"}}'

Set the last day of an access:

curl -i -X PUT ${origin}/v1/stores/${store_id}/product_accesses/${access_id} \\
  ${headers} \\
  -d '{"access_due_date":"2027-12-31T00:00:00Z"}'

The operator's token for /admin is in ${VARS}. A line for each request follows; Ctrl-C stops.
`)
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
