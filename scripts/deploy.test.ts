/** `npm run deploy` with the real wrangler, against a stand-in of Cloudflare's API. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { parseEnv } from 'node:util'
import { ACCOUNT, API_TOKEN, type StandIn, startStandIn } from './cloudflare-stand-in.ts'
import { copyProject } from './project-copy.ts'
import { flagsOf, isSet, parseOptions } from './wrangler-options.ts'

const project = copyProject()
process.on('exit', () => rmSync(project, { recursive: true, force: true }))

let cloudflare: StandIn
beforeEach(async () => {
  cloudflare = await startStandIn()
})
afterEach(() => {
  cloudflare.stop()
  for (const name of readdirSync(project)) if (name.startsWith('.secrets.')) rmSync(join(project, name))
})

/** Removes the variables of the machine: with a real account's token, the test would change that account. */
const NO_ENVIRONMENT = Object.fromEntries(
  Object.keys(process.env)
    .filter((name) => name !== 'PATH' && name !== 'NODE_COMPILE_CACHE')
    .map((name) => [name, undefined]),
)

interface Run {
  code: number | null
  output: string
  /** What it sent to Cloudflare. */
  requests: string[]
}

async function deploy(args: string[] = [], env: Record<string, string> = {}): Promise<Run> {
  const child = spawn(process.execPath, ['scripts/deploy.ts', ...args], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...NO_ENVIRONMENT,
      HOME: project,
      WRANGLER_SEND_METRICS: 'false',
      CLOUDFLARE_API_BASE_URL: cloudflare.url,
      CLOUDFLARE_ACCOUNT_ID: ACCOUNT,
      CLOUDFLARE_API_TOKEN: API_TOKEN,
      ...env,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, output, requests: cloudflare.requests.splice(0) }
}

/** The requests that create or change something. */
function changes({ requests }: Run): string[] {
  return requests.filter((request) => !request.startsWith('GET ') && !request.endsWith('/graphql'))
}

function secretsOf(script: string): string[] {
  return Object.keys(cloudflare.scripts.get(script)?.secrets ?? {}).toSorted()
}

function kept(worker: string): NodeJS.Dict<string> {
  return parseEnv(readFileSync(join(project, `.secrets.${worker}`), 'utf8'))
}

function tablesOf(database: string): number {
  const sqlite = cloudflare.databases.find(({ name }) => name === database)?.sqlite
  return sqlite?.prepare("select 1 from sqlite_master where name in ('users', 'stores')").all().length ?? 0
}

await test('creates everything on a new account, and nothing twice', async () => {
  const first = await deploy(['--location=weur'])
  assert.equal(first.code, 0, first.output)
  assert.deepEqual(
    cloudflare.databases.map(({ name, location }) => [name, location]),
    [['registrar', 'weur']],
  )
  assert.match(first.output, /^Deploying the Worker registrar \(production\)\n/)
  assert.equal(tablesOf('registrar'), 2)
  assert.deepEqual(cloudflare.namespaces, ['registrar-replays'])
  assert.deepEqual(cloudflare.scripts.get('registrar')?.crons, [{ cron: '* * * * *' }, { cron: '17 * * * *' }])
  assert.deepEqual(secretsOf('registrar'), ['ADMIN_TOKEN', 'TOKEN_KEY'])

  const migrated = first.requests.findIndex((request) => request.endsWith('/query'))
  const uploaded = first.requests.indexOf('PUT /workers/scripts/registrar')
  assert.ok(migrated !== -1 && migrated < uploaded, 'the tables exist before the Worker')

  const { ADMIN_TOKEN = '', TOKEN_KEY = '' } = kept('registrar')
  assert.match(ADMIN_TOKEN, /^[0-9a-f]{64}$/)
  assert.match(TOKEN_KEY, /^[0-9a-f]{64}$/)
  assert.notEqual(ADMIN_TOKEN, TOKEN_KEY)
  assert.equal(statSync(join(project, '.secrets.registrar')).mode & 0o777, 0o600)
  assert.match(first.output, /Generated ADMIN_TOKEN and TOKEN_KEY [^]* are in\s+\.secrets\.registrar/)
  assert.ok(!first.output.includes(ADMIN_TOKEN) && !first.output.includes(TOKEN_KEY), 'no secret is printed')

  const second = await deploy(['--location', 'weur', '--dry-run=false'])
  assert.equal(second.code, 0, second.output)
  assert.deepEqual([cloudflare.databases.length, cloudflare.namespaces.length], [1, 1])
  assert.equal(cloudflare.scripts.get('registrar')?.uploads, 2)
  assert.ok(!changes(second).some((request) => /secrets|POST \/(?:d1\/database|storage\/.+)$/.test(request)))
  assert.equal(kept('registrar')['TOKEN_KEY'], TOKEN_KEY)
})

await test('gives staging its own resources', async () => {
  const { code, output } = await deploy(['--location', 'apac', '-e', 'staging', '--tag=v1'])
  assert.equal(code, 0, output)
  assert.deepEqual(
    cloudflare.databases.map(({ name, location }) => [name, location]),
    [['registrar-staging', 'apac']],
  )
  assert.equal(tablesOf('registrar-staging'), 2)
  assert.deepEqual(cloudflare.namespaces, ['registrar-staging-replays'])
  assert.deepEqual([...cloudflare.scripts.keys()], ['registrar-staging'])
  assert.deepEqual(secretsOf('registrar-staging'), ['ADMIN_TOKEN', 'TOKEN_KEY'])
  assert.ok(existsSync(join(project, '.secrets.registrar-staging')))
  assert.match(cloudflare.scripts.get('registrar-staging')?.metadata ?? '', /"namespace_id":"1101"/)
})

await test('stops before it gives a domain of production to staging', async () => {
  const file = join(project, 'wrangler.toml')
  const settings = readFileSync(file, 'utf8')
  const domain = 'routes = [{ pattern = "api.example.com", custom_domain = true }]\nworkers_dev = false\n'
  try {
    writeFileSync(file, settings.replace('workers_dev = true\n', domain).replace('routes = []\n', ''))
    const { code, output, requests } = await deploy(['--env', 'staging'])
    assert.equal(code, 1, output)
    assert.match(output, /env\.staging: route api\.example\.com is used twice: give the environment routes of its own/)
    assert.deepEqual(requests, [])
    writeFileSync(file, settings.replace('workers_dev = true\n', domain))
    const staging = await deploy(['--env', 'staging', '--dry-run'])
    assert.equal(staging.code, 0, staging.output)
  } finally {
    writeFileSync(file, settings)
  }
})

await test('sets the secrets and WORKER_NAME of the Worker in --name, also with --env', async () => {
  const { code, output } = await deploy(['--env=staging', '--name', 'registrar-blue', '--config', 'wrangler.toml'])
  assert.equal(code, 0, output)
  assert.deepEqual([...cloudflare.scripts.keys()], ['registrar-blue'])
  assert.deepEqual(secretsOf('registrar-blue'), ['ADMIN_TOKEN', 'TOKEN_KEY'])
  const { metadata = '' } = cloudflare.scripts.get('registrar-blue') ?? {}
  assert.match(metadata, /"name":"WORKER_NAME","type":"plain_text","text":"registrar-blue"/)
})

await test('sets WORKER_NAME to the Worker of a build, whatever wrangler.toml says', async () => {
  const { code, output } = await deploy([], { WRANGLER_CI_OVERRIDE_NAME: 'registrar-build' })
  assert.equal(code, 0, output)
  assert.deepEqual([...cloudflare.scripts.keys()], ['registrar-build'])
  assert.deepEqual(secretsOf('registrar-build'), ['ADMIN_TOKEN', 'TOKEN_KEY'])
  const { metadata = '' } = cloudflare.scripts.get('registrar-build') ?? {}
  assert.match(metadata, /"name":"WORKER_NAME","type":"plain_text","text":"registrar-build"/)
})

await test('sends nothing to Cloudflare with --dry-run, however it is spelled', async () => {
  const { code, output, requests } = await deploy(['--location=weur', '--dry-run', 'true'])
  assert.equal(code, 0, output)
  assert.match(output, /--dry-run: exiting now/)
  assert.deepEqual(requests, [])
  for (const spelling of [['--dry-run'], ['--dry-run=true'], ['--dryRun'], ['--dry-run', 'true']])
    assert.ok(isSet(parseOptions(spelling, flagsOf('deploy')), 'dry-run'), spelling.join(' '))
})

for (const [before, instead, problem] of [
  [
    'simple = { limit = 600, period = 60 }',
    'simple = { limit = 900, period = 60 }',
    /TOKEN_LIMITER allows 900 in 60 s/,
  ],
  ['ACCESS_TEAM_DOMAIN = ""', 'ACCESS_TEAM_DOMAIN = "https://example.com/"', /ACCESS_TEAM_DOMAIN must be a domain/],
] as const) {
  await test(`stops before it deploys ${instead} to production, but deploys staging`, async () => {
    const file = join(project, 'wrangler.toml')
    const settings = readFileSync(file, 'utf8')
    try {
      writeFileSync(file, settings.replace(before, instead))
      const { code, output, requests } = await deploy()
      assert.equal(code, 1, output)
      assert.match(output, problem)
      assert.deepEqual(requests, [])
      const staging = await deploy(['--env', 'staging', '--dry-run'])
      assert.equal(staging.code, 0, staging.output)
    } finally {
      writeFileSync(file, settings)
    }
  })
}

await test('deploys nothing if npm has kept an option, such as --dry-run', async () => {
  for (const name of ['dry_run', 'env']) {
    const { code, output, requests } = await deploy([], { [`npm_config_${name}`]: 'true' })
    assert.equal(code, 1, output)
    assert.match(output, /npm has kept --(?:dry-run|env) for itself\. Write two dashes before it: npm run deploy -- --/)
    assert.deepEqual(requests, [])
  }
})

for (const [args, message] of [
  [['--env'], /--env needs a value/],
  [['--dry-run=1'], /--dry-run takes true or false/],
  [['--enviroment', 'staging'], /--enviroment is not known/],
  [['--env', 'production'], /No environment found .* "production"/],
  [['staging'], /"staging" is not known/],
] as const) {
  await test(`does nothing when it is called with ${args.join(' ')}`, async () => {
    const { code, output, requests } = await deploy([...args])
    assert.equal(code, 1)
    assert.match(output, message)
    assert.deepEqual(requests, [])
  })
}

await test('migrates nothing when the Worker does not build', async () => {
  const { code, output, requests } = await deploy(['--tsconfig', 'missing.json', '--define', 'not a definition'])
  assert.equal(code, 1, output)
  assert.match(output, /Stopped at the step "Build"/)
  assert.deepEqual(requests, [])
})

await test('uploads no Worker if the operator declines the migrations', async () => {
  // wrangler exits with 0 then, and migrates nothing.
  cloudflare.ignore = /INSERT INTO \W*d1_migrations/
  const { code, output, requests } = await deploy()
  assert.equal(code, 1, output)
  assert.match(
    output,
    /The migrations were not applied, and the new Worker needs them\.\n\nStopped at the step "Migrations"/,
  )
  assert.ok(!requests.includes('PUT /workers/scripts/registrar'))
})

await test('says at which step it stopped, and continues there when it runs again', async () => {
  for (const [step, fail] of [
    ['Database', /^POST \/d1\/database$/],
    ['Migrations', /\/query$/],
    ['Deploy', /^POST \/storage/],
    ['Deploy', /^PUT \/workers\/scripts\/registrar$/],
    ['Secrets', /secrets-bulk$/],
  ] as const) {
    cloudflare.fail = fail
    const { code, output } = await deploy()
    assert.equal(code, 1, output)
    assert.ok(output.includes(`Stopped at the step "${step}"`), output)
    assert.match(output, /can be run again at any time/)
  }
  cloudflare.fail = undefined
  const { code, output } = await deploy()
  assert.equal(code, 0, output)
  assert.deepEqual([cloudflare.databases.length, cloudflare.namespaces.length], [1, 1])
  const sent = JSON.stringify(cloudflare.scripts.get('registrar')?.secrets)
  assert.ok(sent.includes(kept('registrar')['ADMIN_TOKEN'] ?? 'none'), 'the file has the secrets that were sent last')
})

await test('gives the Worker another database when its own is lost', async () => {
  await deploy()
  cloudflare.databases.splice(0)
  const file = join(project, 'wrangler.toml')
  const settings = readFileSync(file, 'utf8')
  try {
    writeFileSync(file, settings.replace('database_name = "registrar"', 'database_name = "registrar-2"'))
    const { code, output } = await deploy()
    assert.equal(code, 0, output)
    const { metadata = '' } = cloudflare.scripts.get('registrar') ?? {}
    assert.deepEqual(
      cloudflare.databases.map(({ name, uuid }) => [name, metadata.includes(uuid)]),
      [['registrar-2', true]],
    )
  } finally {
    writeFileSync(file, settings)
  }
})

await test('removes the consumer that version 2.0 was, because Cloudflare rejects the Worker otherwise', async () => {
  cloudflare.scripts.set('registrar', { uploads: 1, metadata: '{"bindings":[]}', secrets: {}, crons: [] })
  cloudflare.consumers.add('registrar').add('other')
  const { code, output } = await deploy()
  assert.equal(code, 0, output)
  assert.match(output, /Queue handler is missing[^]*no longer a consumer of the queue registrar-webhooks/)
  assert.deepEqual([...cloudflare.consumers], ['other'])
  assert.equal(cloudflare.scripts.get('registrar')?.uploads, 2)
})

await test('generates only the secret that is missing', async () => {
  await deploy()
  const before = kept('registrar')
  delete cloudflare.scripts.get('registrar')?.secrets['TOKEN_KEY']
  const { output } = await deploy()
  assert.match(output, /Generated TOKEN_KEY of/)
  assert.equal(kept('registrar')['ADMIN_TOKEN'], before['ADMIN_TOKEN'])
  assert.notEqual(kept('registrar')['TOKEN_KEY'], before['TOKEN_KEY'])
})

await test('generates no secret in CI, and says how to', async () => {
  const { code, output } = await deploy(['--env', 'staging'], { CI: 'true' })
  assert.equal(code, 0, output)
  assert.match(output, /wrangler secret put TOKEN_KEY --name registrar-staging/)
  assert.deepEqual(secretsOf('registrar-staging'), [])
  assert.ok(!existsSync(join(project, '.secrets.registrar-staging')))
})

await test('says `npx wrangler login` when logged out, or when the token is refused', async () => {
  const loggedOut = await deploy([], { CLOUDFLARE_API_TOKEN: '' })
  assert.equal(loggedOut.code, 1)
  assert.match(loggedOut.output, /not logged in[^]*npx wrangler login/)
  assert.deepEqual(loggedOut.requests, [])
  const refused = await deploy([], { CLOUDFLARE_API_TOKEN: 'an-old-one' })
  assert.equal(refused.code, 1)
  assert.match(refused.output, /npx wrangler login/)
  assert.deepEqual(changes(refused), [])
})
