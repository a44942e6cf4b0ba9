/** Compares create and update with other software: better-auth in the same workerd, and Fastify in its own process. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { count } from './cost.ts'
import { buildBundle, type Host, host, migrate } from './host.ts'
import { type Load, load, median, type Request } from './load.ts'
import { type Fixture, operationsFor, prepare, userBody } from './operations.ts'
import { startFastify } from './others/start-fastify.ts'
import type { Progress, Settings } from './settings.ts'

export interface Other {
  name: string
  operation: string
  throughput: number
  p50: number
  /** This is undefined if the database is in the process. */
  roundTrips?: number
  rowsWritten?: number
  /** The p50 with one connection, when each round trip is longer. */
  edgeP50?: number
}

interface Contender {
  name: string
  operation: string
  origin: string
  next: () => Request
  status: number
  /** The origin of the same Worker with a slow D1. */
  slow?: string
}

/** Returns an empty list and prints why if the other software is not installed. */
export async function benchOthers(settings: Settings, progress: Progress): Promise<Other[]> {
  if (!install(settings)) {
    progress('other software: skipped, because `npm ci --prefix bench` was not run or failed')
    return []
  }
  const worker = {
    ours: buildBundle('ours-probed', 'bench/workers/service-probed.ts'),
    auth: buildBundle('better-auth', 'bench/others/better-auth.js'),
  }
  const slow = { D1_DELAY_MS: settings.delayMs }
  const hosted = await host([
    { name: 'ours', module: worker.ours },
    { name: 'ours-slow', module: worker.ours, bindings: slow },
    { name: 'auth', module: worker.auth },
    { name: 'auth-slow', module: worker.auth, bindings: slow },
  ])
  const directory = mkdtempSync(join(tmpdir(), 'registrar-fastify-'))
  const server = await startFastify(directory)
  try {
    await migrate(await hosted.db())
    const contenders = [
      ...(await ours(hosted)),
      ...(await betterAuth(hosted)),
      ...createAndUpdate('Fastify, node:sqlite', { origin: server.origin }, server),
    ]
    return await measure(contenders, settings, progress)
  } finally {
    server.stop()
    rmSync(directory, { recursive: true, force: true })
    await hosted.stop()
  }
}

function install({ quick }: Settings): boolean {
  if (existsSync('bench/node_modules/better-auth')) return true
  if (quick) return false
  return spawnSync('npm', ['ci', '--prefix', 'bench'], { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0
}

async function measure(contenders: Contender[], settings: Settings, progress: Progress): Promise<Other[]> {
  const loads = new Map<Contender, Load[]>(contenders.map((contender) => [contender, []]))
  // The first round warms up V8, so its figures would be too slow.
  for (let round = 0; round <= settings.rounds; round++) {
    progress(`other software: round ${round} of ${settings.rounds}`)
    for (const contender of round % 2 === 0 ? contenders : contenders.toReversed()) {
      const measured = await load({ ...contender, connections: 16, milliseconds: settings.milliseconds })
      if (round > 0) loads.get(contender)?.push(measured)
    }
  }
  const others: Other[] = []
  for (const [contender, measured] of loads) {
    const { name, operation, origin, slow } = contender
    const throughput = median(measured.map((one) => one.throughput))
    const p50 = median(measured.map((one) => one.p50))
    if (slow === undefined) {
      others.push({ name, operation, throughput, p50 })
      continue
    }
    const edge = { ...contender, origin: slow, connections: 1 }
    await load({ ...edge, milliseconds: settings.milliseconds / 2 })
    const { p50: edgeP50 } = await load({ ...edge, milliseconds: settings.milliseconds * 2 })
    const { roundTrips, rowsWritten } = await count({ ...contender, name: operation }, 'ours', origin)
    others.push({ name, operation, throughput, p50, edgeP50, roundTrips, rowsWritten })
  }
  return others
}

async function ours(hosted: Host): Promise<Contender[]> {
  const [origin, slow] = [await hosted.origin('ours'), await hosted.origin('ours-slow')]
  return createAndUpdate('Registrar', { origin, slow }, await prepare(origin))
}

async function betterAuth(hosted: Host): Promise<Contender[]> {
  const db = await hosted.db()
  for (const sql of readFileSync('bench/others/better-auth.sql', 'utf8').split('\n')) {
    if (sql !== '') await db.prepare(sql).run()
  }
  const [origin, slow] = [await hosted.origin('auth'), await hosted.origin('auth-slow')]
  const headers = { 'content-type': 'application/json', origin: 'http://bench.invalid' }
  const signUp = (): Request => {
    const { name, email } = JSON.parse(userBody())
    return {
      method: 'POST',
      path: '/api/auth/sign-up/email',
      headers,
      body: JSON.stringify({ name, email, password: 'a password' }),
    }
  }
  const { path, ...first } = signUp()
  const signedUp = await fetch(origin + path, first)
  if (signedUp.status !== 200) throw new Error(`better-auth returned ${signedUp.status} ${await signedUp.text()}`)
  const signedIn = await fetch(`${origin}/api/auth/sign-in/email`, first)
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ')
  if (signedIn.status !== 200) throw new Error(`better-auth returned ${signedIn.status} ${await signedIn.text()}`)
  let serial = 0
  const update = (): Request => ({
    method: 'POST',
    path: '/api/auth/update-user',
    headers: { ...headers, cookie },
    body: JSON.stringify({ name: `Ada ${serial++}` }),
  })
  const common = { name: 'better-auth, D1', origin, slow, status: 200 }
  return [
    { ...common, operation: 'sign-up', next: signUp },
    { ...common, operation: 'update user', next: update },
  ]
}

function createAndUpdate(name: string, origins: Pick<Contender, 'origin' | 'slow'>, fixture: Fixture): Contender[] {
  return operationsFor(fixture).flatMap(({ name: operation, next, status }) =>
    operation === 'create' || operation === 'update access'
      ? [{ name, operation, ...origins, next: () => next('ours'), status }]
      : [],
  )
}
