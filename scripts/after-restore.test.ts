/** `npm run after-restore` with the real wrangler: on a local database in a copy of the project, and on a fake account. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { ACCOUNT, API_TOKEN, type StandIn, startStandIn } from './cloudflare-stand-in.ts'
import { copyProject } from './project-copy.ts'
import { GAP } from './restore-statements.ts'
import { WRANGLER } from './wrangler.ts'

const project = copyProject()
process.on('exit', () => rmSync(project, { recursive: true, force: true }))

function run(argv: string[]) {
  return spawnSync(process.execPath, argv, {
    cwd: project,
    encoding: 'utf8',
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
  })
}

const afterRestore = (...args: string[]) => run(['scripts/after-restore.ts', ...args])

function execute(sql: string): Record<string, unknown>[] {
  const { status, stdout, stderr } = run([
    WRANGLER,
    'd1',
    'execute',
    'DB',
    '--local',
    '--env=',
    '--json',
    `--command=${sql}`,
  ])
  assert.equal(status, 0, stdout + stderr)
  return JSON.parse(stdout).at(-1).results
}

const STORE = 2 ** 32

await test('moves the ids on, with an event in each store and among the operators, and lists the valid tokens', () => {
  const { status, stdout, stderr } = run([WRANGLER, 'd1', 'migrations', 'apply', 'DB', '--local', '--env='])
  assert.equal(status, 0, stdout + stderr)
  execute(`
    insert into events (id, type, created_at, request_id, attempt, subject_id) values (${STORE + 1}, 'store.created', 0, 'a', 0, ${STORE + 1}),
      (${STORE + 2}, 'access_token.created', 0, 'b', 0, ${STORE + 2}), (${2 * STORE + 1}, 'store.created', 0, 'c', 0, ${2 * STORE + 1});
    insert into stores (id, slug, name, language, expiry_notice_days, created_at, event_id)
      values (${STORE + 1}, 'academy', 'A', 'EN', 7, 0, ${STORE + 1}), (${2 * STORE + 1}, 'other', 'O', 'EN', 7, 0, ${2 * STORE + 1});
    insert into access_tokens (id, name, hash, scopes, created_at, revoked_at, event_id)
      values (${STORE + 2}, 'CRM
x', 'h', 'users:write', 0, null, ${STORE + 2}), (${STORE + 3}, 'Old', 'h', 'users:write', 0, 1, ${STORE + 3}),
      (1, 'Ada', 'h', 'viewer admin', 0, null, 1)`)

  const first = afterRestore('--local')
  assert.equal(first.status, 0, first.stderr)
  assert.match(first.stdout, /The ids of 2 stores, and those of the operators, have moved on\./)
  assert.match(first.stdout, /\nacademy\t2\t1970-01-01\tnever\tusers:write\t"CRM\\nx"\n/)
  assert.match(first.stdout, /\n\(operator\)\t1\t1970-01-01\tnever\tviewer admin\t"Ada"\n/)
  assert.doesNotMatch(first.stdout, /Old/)
  const second = afterRestore('--local=true')
  assert.equal(second.status, 0, second.stderr)
  const events = execute(
    "select id, subject_id, previous_id, data from events where type = 'store.restored' order by id",
  )
  assert.deepEqual(
    events.map(({ id, subject_id, previous_id, data }) => [id, subject_id, previous_id, data]),
    [
      [GAP, GAP, null, '{"gap_after":0}'],
      [2 * GAP, 2 * GAP, null, `{"gap_after":${GAP}}`],
      [STORE + 2 + GAP, STORE + 1, STORE + 1, '{"gap_after":2}'],
      [STORE + 2 + 2 * GAP, STORE + 1, STORE + 2 + GAP, `{"gap_after":${2 + GAP}}`],
      [2 * STORE + 1 + GAP, 2 * STORE + 1, 2 * STORE + 1, '{"gap_after":1}'],
      [2 * STORE + 1 + 2 * GAP, 2 * STORE + 1, 2 * STORE + 1 + GAP, `{"gap_after":${1 + GAP}}`],
    ],
  )
})

await test('fails and says that it can be run again when the database rejects a statement', () => {
  execute('alter table stores rename to gone')
  const { status, stderr } = afterRestore('--local')
  assert.equal(status, 1)
  assert.match(stderr, /no such table: stores[^]*Run the command again/)
  assert.equal(execute("select count(*) as n from events where type = 'store.restored'")[0]?.['n'], 6)
})

await test('moves the ids in the database on Cloudflare, of production or of the environment that --env names', async () => {
  const cloudflare = await startStandIn()
  try {
    for (const [name, args] of [
      ['registrar', []],
      ['registrar-staging', ['--env', 'staging']],
    ] as const) {
      const sqlite = new DatabaseSync(':memory:')
      sqlite.exec(readFileSync('drizzle/0000_initial.sql', 'utf8'))
      cloudflare.databases.push({ uuid: crypto.randomUUID(), name, location: '', sqlite })
      // The stand-in answers in this process: spawnSync would block it, and the command would wait forever.
      const { code, output } = await runInCloudflare(cloudflare, args)
      assert.equal(code, 0, output)
      assert.match(output, /The ids of 0 stores, and those of the operators, have moved on/)
      assert.deepEqual({ ...sqlite.prepare('select id, type from events').get() }, { id: GAP, type: 'store.restored' })
    }
    cloudflare.fail = /query$/
    const { code, output } = await runInCloudflare(cloudflare, [])
    assert.equal(code, 1)
    assert.match(output, /The test wants this to fail[^]*Run the command again/)
  } finally {
    cloudflare.stop()
  }
})

async function runInCloudflare(
  cloudflare: StandIn,
  args: readonly string[],
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['scripts/after-restore.ts', ...args], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      HOME: project,
      WRANGLER_SEND_METRICS: 'false',
      CLOUDFLARE_API_BASE_URL: cloudflare.url,
      CLOUDFLARE_ACCOUNT_ID: ACCOUNT,
      CLOUDFLARE_API_TOKEN: API_TOKEN,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, output }
}

await test('rejects an option that wrangler does not know, and one that would execute something else', () => {
  for (const option of ['--locl', '--command=x', '--file=x']) {
    const { status, stderr } = afterRestore(option)
    assert.equal(status, 1)
    assert.match(stderr, /is not known[^]*npm run after-restore/)
  }
})
