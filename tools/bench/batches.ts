/** Compares batches of 100 users with single creates, and times `npm run import` with a whole file. */
import { spawn } from 'node:child_process'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { host, migrate } from './host.ts'
import { load, median, type Request } from './load.ts'
import { type Fixture, JSON_TYPE, operationsFor, prepare, STORE, userBody, USERS } from './operations.ts'
import type { Progress, Settings } from './settings.ts'

const BATCH = 100
/** An import sends one batch after another. Batches of one store that are sent at once would take turns (src/http/middleware/turns.ts). */
const CONNECTIONS = { single: 16, batch: 1 }

export interface Batches {
  /** Users per second; each is a median, and so is the ratio. */
  single: number
  batched: number
  ratio: number
  imported: { users: number; seconds: number; events: number }
}

export async function benchBatches(bundle: string, settings: Settings, progress: Progress): Promise<Batches> {
  const hosted = await host([{ name: 'ours', module: bundle }])
  try {
    const db = await hosted.db()
    await migrate(db)
    const origin = await hosted.origin('ours')
    const fixture = await prepare(origin)
    const rounds: { single: number; batched: number }[] = []
    // The first round warms up V8, so its figures would be too slow.
    for (let round = 0; round <= settings.rounds; round++) {
      progress(`batches: round ${round} of ${settings.rounds}`)
      const measured = await compareOnce(origin, fixture, settings.milliseconds)
      if (round > 0) rounds.push(measured)
    }
    progress(`import of ${settings.imported} users`)
    const seconds = await importFile(origin, fixture.token, settings.imported)
    const events = await countImported(db)
    return {
      single: median(rounds.map(({ single }) => single)),
      batched: median(rounds.map(({ batched }) => batched)),
      ratio: median(rounds.map(({ single, batched }) => batched / single)),
      imported: { users: settings.imported, seconds, events },
    }
  } finally {
    await hosted.stop()
  }
}

async function compareOnce(origin: string, fixture: Fixture, milliseconds: number) {
  const [create] = operationsFor(fixture)
  if (!create) throw new Error('no create')
  const common = { origin, milliseconds }
  const single = await load({
    ...common,
    connections: CONNECTIONS.single,
    next: () => create.next('ours'),
    status: create.status,
  })
  const next = () => batchOfUsers(fixture)
  const batches = await load({ ...common, connections: CONNECTIONS.batch, next, status: 200 })
  return { single: single.throughput, batched: batches.throughput * BATCH }
}

function batchOfUsers({ token }: Fixture): Request {
  const items = Array.from({ length: BATCH }, () => userBody())
  return {
    method: 'POST',
    path: `${USERS}/batch`,
    headers: { authorization: `Bearer ${token}`, ...JSON_TYPE },
    body: `{"items":[${items.join()}]}`,
  }
}

const IMPORT_PREFIX = 'import-'

/** Returns the seconds that `npm run import` takes, and throws if it fails. */
async function importFile(origin: string, token: string, users: number): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'registrar-import-'))
  try {
    const file = join(directory, 'users.csv')
    await pipeline(Readable.from(csv(users)), createWriteStream(file))
    const started = performance.now()
    await run(['scripts/import.ts', file, '--store', STORE, '--url', origin], token)
    return (performance.now() - started) / 1000
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function* csv(users: number): Generator<string> {
  yield 'name,last_name,email,external_id,phone\n'
  for (let i = 0; i < users; i++)
    yield `Ada,Lovelace ${i},${IMPORT_PREFIX}${i}@example.com,${IMPORT_PREFIX}${i},+1 202 555 0100\n`
}

async function run(args: string[], token: string): Promise<void> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, REGISTRAR_TOKEN: token },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const code = await new Promise((resolve) => child.once('exit', resolve))
  if (code !== 0) throw new Error(`${args.join(' ')} exited with ${String(code)}:\n${output.slice(-2000)}`)
}

/** Counts the imported users with an event, so that a lost event is noticed. */
async function countImported(db: D1Database): Promise<number> {
  const sql = `select count(*) as n from users u join events e on e.id = u.id and e.type = 'user.created'
    where u.external_id like '${IMPORT_PREFIX}%'`
  return (await db.prepare(sql).first<number>('n')) ?? 0
}
