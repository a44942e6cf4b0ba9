/**
 * `npm run dev`: the service on a local D1 and KV, with a demo store that is ready for requests. An existing database
 * is used again. wrangler runs no crons by itself, so this also runs them.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Demo, seedDemo, STATE, tokenFile } from './demo.ts'
import { printGreeting } from './dev-greeting.ts'
import { reader } from './dev-log.ts'
import { startEdge } from './edge/edge.ts'
import { freePort } from './free-port.ts'
import { answerHelp } from './help.ts'
import { writeSecrets } from './local-secrets.ts'
import { findTaken } from './npm-options.ts'
import { NotPrepared, prepare, type Prepared } from './prepare.ts'
import { onClosedOutput } from './signals.ts'
import { cronsOf, readConfig } from './wrangler-config.ts'
import { argumentsFor, flagsOf, isSet, type Option, parseOptions, valueOf } from './wrangler-options.ts'
import { WRANGLER } from './wrangler.ts'

answerHelp(`npm run dev -- [options]

  --port N           the port of the service; 8787 if omitted
  --persist-to DIR   the folder of the local data; .wrangler/state if omitted
  --log-level LEVEL  shows what wrangler prints, such as with debug
  --edge             puts a proxy in front of the service that does what Cloudflare's edge does

Starts the service with a local database and a demo store, and prints three commands to try. All options of
\`wrangler dev\` are accepted, except --remote and --cwd.`)

// `npm start | head` ends with the lines that are read, as a signal would end it. The server leaves with this process.
onClosedOutput(() => process.exit(0))
const npm = process.ppid
const options = readOptions()
const port = readPort()
const origin = `http://localhost:${port}`
const config = readConfig({ config: valueOf(options, 'config'), env: valueOf(options, 'env') })
/** With this option, wrangler's lines are shown unchanged. */
const isVerbose = valueOf(options, 'log-level') !== undefined
/** The port of wrangler: that of the service, unless the edge listens there. */
const ownPort = isSet(options, 'edge') ? await freePort() : port

if (await isListening()) fail(`Port ${port} is in use: stop that program, or use \`npm run dev -- --port N\`.`)
console.log('Preparing the database and the console …')
const { secrets, problem } = await prepareOrFail()

console.log('Starting the service …')
const server = startServer()
const output = showOutput(server)
let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
// If npm was killed, nobody can press Ctrl-C any more, and the service would keep its port.
setInterval(() => process.ppid === npm || stop(), 500).unref()
server.on('close', (code) => {
  if (!isStopping) output.showHeldBack()
  process.exit(isStopping ? 0 : (code ?? 1))
})

if (ownPort !== port) await startEdge({ port, upstream: ownPort })
await waitUntilHealthy()
// The jobs that were due while the service was stopped run now. After that, each cron runs at its minute.
const { minutely, hourly } = cronsOf(config)
await trigger(hourly)
await trigger(minutely)
onNextMinute()
const demo = problem ?? (await makeDemo().catch(problemOf))
if (typeof demo !== 'string') printGreeting(origin, secrets['ADMIN_TOKEN'] ?? '', demo)
else console.log(`\nRegistrar on ${origin}, without a demo store: ${demo}\nCtrl-C stops.\n`)
output.showFromNowOn()

/** `--remote` would change production data, and `--cwd` would start wrangler in another folder than this script. */
function readOptions(): Option[] {
  const flags = new Map(flagsOf('dev')).set('edge', { name: 'edge', type: 'boolean' })
  for (const name of ['remote', 'r', 'cwd']) flags.delete(name)
  const taken = findTaken('dev', ['port', 'persist-to', 'log-level', 'edge'])
  if (taken !== undefined) return fail(taken)
  try {
    return parseOptions(process.argv.slice(2), flags)
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
}

/** 0 is refused: wrangler would choose a port, and this script would not know it. */
function readPort(): number {
  const given = valueOf(options, 'port') ?? '8787'
  const number = Number(given)
  if (/^\d+$/.test(given) && number >= 1 && number <= 65_535) return number
  return fail(`--port ${given} is not a port: use a number from 1 to 65535.`)
}

async function prepareOrFail(): Promise<Prepared> {
  try {
    return await prepare(options, buildAssets)
  } catch (error) {
    if (error instanceof NotPrepared) fail(error.message)
    throw error
  }
}

/**
 * Builds what wrangler's build command (wrangler.toml) then finds, because it can be built while the database is prepared.
 * An error is ignored here: that command meets it again and shows it.
 */
async function buildAssets(): Promise<void> {
  await once(spawn(process.execPath, [join(import.meta.dirname, 'build-assets.ts')], { stdio: 'ignore' }), 'exit')
}

/** Creates the parts of the demo store that are missing, for example after a developer has deleted some. */
async function makeDemo(): Promise<Demo> {
  const file = tokenFile(valueOf(options, 'persist-to') ?? STATE)
  const made = await seedDemo({
    send: (path, init) => fetch(origin + path, init),
    adminToken: secrets['ADMIN_TOKEN'] ?? '',
    token: existsSync(file) ? readFileSync(file, 'utf8') : undefined,
  })
  writeSecrets(file, made.token)
  return made
}

/** With other settings than its own, the service may reject what the demo store is made with. */
function problemOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * The server has its own process group: a Ctrl-C in the terminal would otherwise reach it twice, directly and through
 * stop(). The preloaded module ends it when this process was killed.
 */
function startServer(): ChildProcess {
  const leaveWithParent = `data:text/javascript,setInterval(()=>process.ppid===${process.pid}||process.kill(process.pid,'SIGTERM'),500).unref()`
  const defaults = ['--show-interactive-dev-session=false', `--port=${ownPort}`, '--var=ENVIRONMENT:development']
  const given = argumentsFor(
    'dev',
    options.filter(({ flag }) => flag.name !== 'port'),
  )
  return spawn(process.execPath, [`--import=${leaveWithParent}`, WRANGLER, 'dev', ...defaults, ...given], {
    detached: true,
    // The build command has nothing to prepare (prepare-build.ts).
    env: { ...process.env, REGISTRAR_PREPARED: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Holds back what the server prints until it is ready. It is shown only if the start fails. */
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

function isListening(): Promise<boolean> {
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
      // fetch throws a TypeError as long as the server does not listen.
      if (!(error instanceof TypeError)) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** A failed job is ignored here, because the service logs it. */
async function trigger(cron: string): Promise<void> {
  await fetch(`${origin}/cdn-cgi/handler/scheduled?cron=${encodeURIComponent(cron)}`).catch(() => {})
}

/** Runs 50 ms into the minute: a timer can fire a millisecond early, and the minute would be the wrong one. */
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

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
