/**
 * `npm run dev`: the service on a local D1 and KV, with a demo store that is ready to be called.
 * Options are those of `wrangler dev`, such as `--port N`. What is there is used again.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { parseArgs, parseEnv } from 'node:util'
import { type Demo, seedDemo } from './demo.ts'
import { WRANGLER } from './wrangler.ts'

const npm = process.ppid
const { values } = parseArgs({ options: { port: { type: 'string', default: '8787' } }, strict: false })
const origin = `http://localhost:${String(values.port)}`

if (!existsSync('.dev.vars')) writeFileSync('.dev.vars', `ADMIN_TOKEN=${randomBytes(32).toString('hex')}\n`)
const adminToken = parseEnv(readFileSync('.dev.vars', 'utf8'))['ADMIN_TOKEN']

if (await isListening(Number(values.port))) {
  console.error(`Something listens on port ${String(values.port)}: stop it, or use \`npm run dev -- --port N\`.`)
  process.exit(1)
}

const migration = spawnSync(process.execPath, [WRANGLER, 'd1', 'migrations', 'apply', 'DB', '--local'], {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'pipe'],
})
if (migration.status !== 0) {
  console.error(migration.stdout, migration.stderr)
  process.exit(1)
}

const server = startServer(process.argv.slice(2))
let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
// npm was killed: nobody can press Ctrl-C any more.
setInterval(() => process.ppid === npm || stop(), 500).unref()
server.on('exit', (code) => process.exit(isStopping ? 0 : (code ?? 1)))

await waitUntilHealthy()
// wrangler runs no cron triggers of its own: what a stop has left undelivered goes on at once, and each minute.
const sweep = () => fetch(`${origin}/cdn-cgi/handler/scheduled?cron=*+*+*+*+*`).catch(() => {})
await sweep()
setInterval(sweep, 60_000).unref()
if (adminToken) printDemo(await seedDemo(origin, adminToken))
else
  console.log(`\nRegistrar on ${origin}, without a demo store: .dev.vars has no ADMIN_TOKEN, so there is no /admin.\n`)

/** In a process group of its own, so that a Ctrl-C reaches it once, from here; it leaves when this process is killed. */
function startServer(options: string[]): ChildProcess {
  const leaveWithParent = `data:text/javascript,setInterval(()=>process.ppid===${process.pid}||process.kill(process.pid,'SIGTERM'),500).unref()`
  const hasPort = options.some((option) => option.startsWith('--port'))
  return spawn(
    process.execPath,
    [
      `--import=${leaveWithParent}`,
      WRANGLER,
      'dev',
      '--show-interactive-dev-session=false',
      '--var=ENVIRONMENT:development',
      ...(hasPort ? [] : ['--port', '8787']),
      ...options,
    ],
    { detached: true, stdio: ['ignore', 'inherit', 'inherit'] },
  )
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

function printDemo({ store_id, token, access_id }: Demo): void {
  const headers = `  -H 'Authorization: Bearer ${token}' \\\n  -H 'Content-Type: application/json' \\\n`
  console.log(`
Registrar is ready: ${origin}
The reference:      ${origin}/docs

Create a user in the store "${store_id}" (v1):

curl -i ${origin}/v1/stores/${store_id}/users \\
${headers}  -H 'X-Idempotency-Key: order-1001' \\
  -d '{"name":"Ada","last_name":"Lovelace","email":"ada@example.com","country":"GB"}'

Create a user, public form (v3):

curl -i ${origin}/v3/public/users \\
${headers}  -d '{"name":"Grace","last_name":"Hopper","email":"grace@example.com","phone":"+1 202 555 0100","avatar":"","country":"US","language":"EN","password":"correct horse battery","external_id":"crm-1906","custom_fields":{"field1":"compilers"}}'

Set the last day of an access:

curl -i -X PUT ${origin}/v1/stores/${store_id}/product_accesses/${access_id} \\
${headers}  -d '{"access_due_date":"2027-12-31T00:00:00Z"}'

The operator's token for /admin is in .dev.vars. Ctrl-C stops.
`)
}
