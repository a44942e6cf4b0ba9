/**
 * `npm run smoke`: starts the service as the README says, pastes the curl commands that it prints, runs the two
 * programs that the README shows, and stops it.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { startService } from './service.ts'

const PORT = 8797
const PROGRAMS = 'dist/smoke'

const service = await startService(PORT)
assert.ok(service.output().trim().split('\n').length <= 30, 'a newcomer reads at most 30 lines')
const commands = service.output().match(/^curl (?:.*\\\n)*.*$/gm) ?? []
assert.equal(commands.length, 3, 'one command for each of the three operations')
for (const command of commands) {
  const { stdout } = spawnSync('bash', ['-c', `${command} -s`], { encoding: 'utf8' })
  const [, status] = /^HTTP\/1\.1 (\d+)/.exec(stdout) ?? []
  const isTaken = stdout.includes('"email_taken"')
  assert.ok(status === '201' || (status === '422' && isTaken), `${command}\n${stdout}`)
  console.log(
    `${status}${isTaken ? ' email_taken (an earlier run created the user)' : ''}: ${command.split('\n', 1)[0]}`,
  )
}

await runPrograms()
assert.match(
  service.output(),
  /^20[01] (?:POST|PUT) \/v1\/stores\/:store_id\/\S+ \d+ ms d1=\d/m,
  'a line for each request',
)

assert.equal(await service.stop(), 0)
await assert.rejects(fetch(`${service.origin}/health`), TypeError, 'nothing listens any more')
console.log('smoke passed.')

/** follow.mjs and receive.mjs of the README, as they stand there but for the port: both must see a change. */
async function runPrograms(): Promise<void> {
  rmSync(PROGRAMS, { recursive: true, force: true })
  mkdirSync(PROGRAMS, { recursive: true })
  const readme = readFileSync('README.md', 'utf8').replaceAll('localhost:8787', `localhost:${PORT}`)
  for (const [, source = '', name = ''] of readme.matchAll(/```js\n(\/\/ (\w+\.mjs): [^]*?)```/g)) {
    writeFileSync(`${PROGRAMS}/${name}`, source)
  }
  const endpoint = await admin('POST', '/stores/demo/webhook_endpoints', { url: 'http://127.0.0.1:9000/' })
  const follow = startProgram('follow.mjs', { TOKEN: service.token })
  const receive = startProgram('receive.mjs', { SECRET: endpoint['secret'] ?? '' })
  try {
    const grade = String(Date.now())
    await admin('PATCH', '/stores/demo/product_accesses/1', { grade })
    const line = new RegExp(`^\\d+ product_access.progressed .*"to":"${grade}"`, 'm')
    for (const program of [follow, receive]) {
      await program.prints(line)
      console.log(`${program.name}: ${line.exec(program.output())?.[0]}`)
    }
  } finally {
    for (const program of [follow, receive]) program.child.kill()
    await admin('DELETE', `/stores/demo/webhook_endpoints/${endpoint['id']}`)
  }
}

interface Program {
  name: string
  child: ChildProcess
  output: () => string
  /** Resolves once it has printed this; rejects when it ends without. */
  prints: (line: RegExp) => Promise<void>
}

function startProgram(name: string, env: Record<string, string>): Program {
  const child = spawn(process.execPath, [name], { cwd: PROGRAMS, env: { ...process.env, ...env } })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  async function prints(line: RegExp): Promise<void> {
    const deadline = Date.now() + 60_000
    while (!line.test(output)) {
      assert.ok(child.exitCode === null && Date.now() < deadline, `${name} printed no ${line}:\n${output}`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  return { name, child, output: () => output, prints }
}

async function admin(method: string, path: string, body?: object): Promise<Record<string, string>> {
  const { ADMIN_TOKEN } = parseEnv(readFileSync('.dev.vars', 'utf8'))
  const response = await fetch(`${service.origin}/admin${path}`, {
    method,
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`)
  return text === '' ? {} : JSON.parse(text)
}
