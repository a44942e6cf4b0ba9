/**
 * Cloudflare's bindings as the Worker gets them. Each call is a round trip with its own delay and its own fault. D1
 * commits a batch at one moment or not at all, but its response can get lost; KV guarantees less.
 */
import { D1_ERRORS } from '../../../test/support/d1-errors.ts'
import { createD1, type D1 } from './d1.ts'
import { D1_CHANCES, roundTrip } from './round-trip.ts'
import type { Database, QueryResult } from './sqlite.ts'
import type { World } from './world.ts'

export function simulateD1(world: World, database: Database): D1 {
  return createD1((queries) =>
    roundTrip(world, {
      what: 'D1',
      chances: D1_CHANCES,
      fail: (failure, random) => new Error(random.pick(D1_ERRORS[`d1_${failure}`])),
      arrive: () => {
        if (world.isExporting) throw new Error(D1_ERRORS.d1_exporting[0])
        const results = database.execute(queries)
        if (results.some(isSuperseded)) world.count('superseded')
        return results
      },
    }),
  )
}

/** True for the result of an attempt that arrived after a later one, and so must change nothing. */
function isSuperseded({ columns, rows }: QueryResult): boolean {
  const outcome = columns.indexOf('outcome')
  return outcome !== -1 && rows.some((row) => row[outcome] === 'superseded')
}

interface Stored {
  value: string
  metadata: unknown
  expiresAt: number
  writtenAt: number
  by: string | undefined
}

export const KV_CHANCES = { throws: 0.02, 'is late': 0.02, 'the instance dies': 0.015 }
/** Other locations see a write after this time at the latest, as KV documents it. */
const KV_LAG_MS = 60_000

/** Each key has all its values, the newest last: a stale read returns the one before the newest. */
export type KvData = Map<string, Stored[]>

export function simulateKv(world: World, data: KvData) {
  async function roundTrip(what: string): Promise<void> {
    const { instance } = world.actor
    const fault = world.fault(`KV ${what}`, KV_CHANCES)
    if (fault === 'the instance dies' && instance) world.kill(instance)
    await world.sleep(fault === 'is late' ? world.actor.random.between(100, 2000) : world.latency())
    if (fault === 'throws') throw new Error(`KV ${what} failed: 500 Internal Server Error`)
  }

  async function read(key: string): Promise<Stored | undefined> {
    await roundTrip('GET')
    const values = data.get(key) ?? []
    const newest = values.at(-1)
    const isForeign = newest !== undefined && newest.by !== world.actor.instance?.name
    const isFresh = newest !== undefined && world.now - newest.writtenAt < KV_LAG_MS
    const stale = isForeign && isFresh && world.fault('KV GET', { 'is stale': 0.3 })
    const found = stale ? values.at(-2) : newest
    return found && found.expiresAt > world.now ? found : undefined
  }

  async function put(key: string, value: string, options: Partial<Record<string, unknown>> = {}): Promise<void> {
    const by = world.actor.instance?.name
    await roundTrip('PUT')
    if (world.fault('KV PUT', { 'is lost': 0.03 })) return
    const { metadata = null, expirationTtl = Infinity } = options
    const expiresAt = world.now + Number(expirationTtl) * 1000
    data.set(key, [...(data.get(key) ?? []), { value, metadata, expiresAt, writtenAt: world.now, by }])
  }

  return {
    getWithMetadata: async (key: string) => {
      const { value = null, metadata = null } = (await read(key)) ?? {}
      return { value, metadata, cacheStatus: null }
    },
    put,
  }
}

/** With `world.hasSmallQuotas`, a quota is divided by this. */
const QUOTA_DIVISOR = 20

/** This limiter counts exactly, per minute and key. The real one allows more requests. */
export function simulateLimiter(world: World, limit: number) {
  const counts = new Map<string, number>()
  return {
    async limit({ key }: { key: string }) {
      if (world.fault('rate limiter', { throws: 0.002 })) throw new Error('the rate limiter is down')
      const slot = `${Math.floor(world.now / 60_000)} ${key}`
      const count = (counts.get(slot) ?? 0) + 1
      counts.set(slot, count)
      return { success: count <= (world.hasSmallQuotas ? Math.ceil(limit / QUOTA_DIVISOR) : limit) }
    },
  }
}

/** The `ctx` of a handler. A task given to `waitUntil` continues as long as its instance lives. */
export function createContext() {
  return {
    waitUntil(task: Promise<unknown>) {
      task.catch(() => {})
    },
    passThroughOnException() {},
    props: {},
  }
}
