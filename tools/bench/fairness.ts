/**
 * Shows what one caller can do to another: it attacks the service with the tokens of one store, and measures meanwhile how
 * long the plain update of another store takes. `npm run bench:fairness` does so for a minute with each attack.
 */
import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Client } from 'undici'
import { pause } from '../../src/lib/pause.ts'
import { cronsOf, readConfig } from '../../scripts/wrangler-config.ts'
import { ADMIN_TOKEN, host, migrate } from './host.ts'
import { percentile } from './load.ts'
import { JSON_TYPE } from './operations.ts'
import { type Attack, ATTACKS, type Attacker } from './attacks.ts'
import type { AttackData } from './attacker.ts'
import type { Progress, Settings } from './settings.ts'
import { HASHING } from '../../src/modules/users/passwords/hash-pace.ts'

/**
 * The victim sends about 400 updates a minute, within its own rate limit. Its pauses are random, or its updates could keep
 * pace with the attack, and all of them meet the same moment of it.
 */
const PAUSE_MS = { min: 100, max: 200 }
/** The time after which a password waits for nobody, and a little more. */
const QUIET_MS = HASHING.quietMs + 100
const HASHES = 20
const BATCH = 100
const ATTACKER_TOKENS = 4
/** As in production, the every-minute job runs beside the requests. */
const CRON_MS = 60_000

export interface AttackResult {
  attack: string
  /** The p50 of the victim's update before the attack and during it, in ms, and the second relative to the first. */
  before: number
  during: number
  ratio: number
  /** Of the attack, if it is not the usual limit. */
  maxRatio?: number | undefined
  /** The longest of the updates during the attack, in ms. */
  worst: number
  /** How many responses of each status the attacker got. */
  statuses: Map<number, number>
}

export interface Fairness {
  /** How long each attack took, and the users in the store of the attacker. */
  seconds: number
  users: number
  /** How long a create with a password takes, in ms, which waits for nobody. */
  hash: { median: number; longest: number }
  attacks: AttackResult[]
}

export async function benchFairness(
  bundle: string,
  { attackSeconds, attackedUsers }: Settings,
  progress: Progress,
): Promise<Fairness> {
  const hosted = await host([
    // Webhooks to loopback are allowed in development only.
    {
      name: 'service',
      module: bundle,
      bindings: { ENVIRONMENT: 'development' },
      objects: 'service',
      hasRateLimits: true,
    },
  ])
  const origin = await hosted.origin('service')
  const { minutely } = cronsOf(readConfig())
  const cron = setInterval(() => void fetch(`${origin}/__scheduled?cron=${encodeURIComponent(minutely)}`), CRON_MS)
  try {
    await migrate(await hosted.db())
    const victim = await prepareVictim(origin)
    progress('fairness: hashes')
    const hashes = await measureHashes(origin, victim.token)
    const attacks: AttackResult[] = []
    for (const attack of ATTACKS) {
      progress(`fairness: ${attack.name}`)
      const attacker = await prepareAttacker(origin, attack, attackedUsers)
      attacks.push(await measure({ origin, victim, attack, attacker, milliseconds: attackSeconds * 1000 }))
    }
    const hash = { median: percentile(hashes, 0.5), longest: percentile(hashes, 1) }
    return { seconds: attackSeconds, users: attackedUsers, hash, attacks }
  } finally {
    clearInterval(cron)
    await hosted.stop()
  }
}

interface Victim {
  token: string
  path: string
}

interface Measured {
  origin: string
  victim: Victim
  attack: Attack
  attacker: Attacker
  milliseconds: number
}

/** Measures the updates before the attack and during it. */
async function measure({ origin, victim, attack, attacker, milliseconds }: Measured): Promise<AttackResult> {
  const before = await update(origin, victim, milliseconds / 6)
  await attack.prepare?.(attacker.store, caller(origin))
  const { id, connections } = attack
  const attacking = connections > 0 ? await startAttack({ id, origin, attacker, milliseconds }) : undefined
  const during = await update(origin, victim, milliseconds)
  const statuses = (await attacking?.statuses) ?? new Map<number, number>()
  const [usual, p50] = [percentile(before, 0.5), percentile(during, 0.5)]
  return {
    attack: attack.name,
    before: usual,
    during: p50,
    ratio: p50 / usual,
    maxRatio: attack.maxRatio,
    worst: percentile(during, 1),
    statuses,
  }
}

/** Sends updates one after another and returns the sorted latencies. */
async function update(origin: string, { token, path }: Victim, duration: number): Promise<number[]> {
  const client = new Client(origin)
  const latencies: number[] = []
  const end = performance.now() + duration
  for (let i = 0; performance.now() < end; i++) {
    const status = i % 2 === 0 ? 'without_access' : 'with_access'
    const sent = performance.now()
    const response = await client.request({
      method: 'PUT',
      path,
      headers: { authorization: `Bearer ${token}`, ...JSON_TYPE },
      body: JSON.stringify({ status }),
    })
    await response.body.text()
    latencies.push(performance.now() - sent)
    if (response.statusCode !== 201) throw new Error(`the update returned ${response.statusCode}`)
    await pause(PAUSE_MS.min + Math.random() * (PAUSE_MS.max - PAUSE_MS.min))
  }
  await client.close()
  return latencies.toSorted((a, b) => a - b)
}

/** Attacks from another thread, so that the work of the attacker does not delay the victim's clock. */
async function startAttack(data: AttackData): Promise<{ statuses: Promise<Map<number, number>> }> {
  const thread = new Worker(join(import.meta.dirname, 'attacker.ts'), { workerData: data })
  await once(thread, 'message')
  return {
    statuses: once(thread, 'message').then(([counted]: unknown[]) => {
      if (counted instanceof Map) return counted
      throw new Error('the attacker sent no statuses')
    }),
  }
}

async function prepareVictim(origin: string): Promise<Victim> {
  const store = 'victim'
  const call = caller(origin)
  await call('POST', '/admin/stores', { id: store, name: 'Victim', language: 'EN' })
  const admin = `/admin/stores/${store}`
  const { token } = await call('POST', `${admin}/tokens`, { name: 'Victim' })
  const { id: product_id } = await call('POST', `${admin}/products`, { name: 'P', slug: 'p', type: 'course' })
  const user = { name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' }
  const { id: user_id } = await call('POST', `${admin}/users`, user)
  const { id } = await call('POST', `${admin}/product_accesses`, { user_id, product_id })
  return { token: String(token), path: `/v1/stores/${store}/product_accesses/${String(id)}` }
}

/**
 * Every attack has a store of its own, so that it does not inherit what an earlier one has left. The store is filled if the
 * attack needs one that is large; the tokens that fill it are not those of the attack.
 */
async function prepareAttacker(
  origin: string,
  { id: store, isLarge = false, haveAccesses = false, hasOldSecrets = false, isOperator = false }: Attack,
  users: number,
): Promise<Attacker> {
  const call = caller(origin)
  await call('POST', '/admin/stores', { id: store, name: 'Attacker', language: 'EN' })
  if (haveAccesses) {
    await call('POST', `/admin/stores/${store}/products`, { name: 'P', slug: 'p', type: 'course' })
  }
  const newToken = async () => {
    const accesses = ['product_accesses:read', 'product_accesses:write']
    const scopes = ['users:read', 'users:write', 'passwords:verify', ...accesses, 'events:read']
    const { id, token } = await call('POST', `/admin/stores/${store}/tokens`, { name: 'Attacker', scopes })
    if (hasOldSecrets) {
      await call('POST', `/admin/stores/${store}/tokens/${String(id)}/rotate`, { overlap_hours: 0 })
    }
    return String(token)
  }
  const newOperator = async () =>
    String((await call('POST', '/admin/operators', { name: 'Attacker', role: 'admin' }))['token'])
  const size = isLarge ? users : 0
  for (let created = 0, token = ''; created < size; created += BATCH) {
    if (created % (BATCH * 500) === 0) token = await newToken()
    const items = Array.from({ length: BATCH }, (_, i) => ({
      name: 'Ada',
      last_name: `Lovelace ${created + i}`,
      email: `u${created + i}@example.com`,
      ...(haveAccesses && { product_accesses: [{ slug: 'p' }] }),
    }))
    await caller(origin, token)('POST', `/v1/stores/${store}/users/batch`, { items })
  }
  const tokens: string[] = []
  while (tokens.length < ATTACKER_TOKENS) tokens.push(await (isOperator ? newOperator() : newToken()))
  return { store, tokens }
}

/** How long a create with a password takes that waits for no other, in sorted milliseconds: little more than its hash. */
async function measureHashes(origin: string, token: string): Promise<number[]> {
  const call = caller(origin, token)
  const times: number[] = []
  for (let i = 0; i < HASHES; i++) {
    await pause(QUIET_MS)
    const body = { name: 'A', last_name: 'B', email: `hash-${i}@example.com`, password: 'correct horse battery' }
    const started = performance.now()
    await call('POST', '/v1/stores/victim/users', body)
    times.push(performance.now() - started)
  }
  // The first one loads the WebAssembly.
  return times.slice(1).toSorted((a, b) => a - b)
}

/** Makes a client that throws unless a request succeeds. */
function caller(origin: string, token = ADMIN_TOKEN) {
  return async (method: string, path: string, body: object): Promise<Record<string, unknown>> => {
    const response = await fetch(origin + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...JSON_TYPE },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`)
    const parsed: Record<string, unknown> = JSON.parse(text)
    return parsed
  }
}
