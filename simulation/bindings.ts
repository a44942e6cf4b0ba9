/**
 * Cloudflare's bindings as the Worker is given them, each call a trip with its own delay and its own mishap. D1 keeps
 * its promises (a batch is committed or not, at one moment), but not the answer's way; KV and the queue promise little.
 */
import { D1_ERRORS } from '../test/support/d1-errors.ts'
import { createD1, type D1 } from './d1.ts'
import type { Database, QueryResult } from './sqlite.ts'
import type { World } from './world.ts'

const D1_CHANCES = {
  'the batch is lost': 0.015,
  'the answer is lost': 0.02,
  'the connection is lost, and the batch arrives': 0.006,
  overloaded: 0.004,
  'the batch times out': 0.002,
  'the answer times out': 0.002,
  'is full': 0.002,
  'never answers': 0.002,
  'the batch is late': 0.006,
  'the answer is late': 0.006,
  'the instance dies before': 0.004,
  'the instance dies after the commit': 0.006,
  'the clock jumps': 0.004,
}

export function simulateD1(world: World, database: Database): D1 {
  return createD1((queries) => {
    const { promise, resolve, reject } = Promise.withResolvers<QueryResult[]>()
    const { actor } = world
    const { instance } = actor
    const mishap = world.mishap('D1', D1_CHANCES)
    const fail = (texts: readonly string[]) =>
      void world.later(world.latency(actor), () => reject(new Error(actor.random.pick(texts))), actor)
    const kill = () => instance && world.kill(instance)

    /** Commits at one moment, whoever still waits for it. */
    function arrive(delay: number, answer: (settle: () => void) => void): typeof promise {
      const commit = () => {
        try {
          if (world.isExporting) throw new Error(D1_ERRORS.d1_exporting[0])
          const results = database.execute(queries)
          answer(() => resolve(results))
        } catch (error) {
          answer(() => reject(error))
        }
      }
      world.later(delay, commit, world.network)
      return promise
    }
    const soon = world.latency(actor)
    const late = () => soon + actor.random.between(3000, 40_000)
    const back = (settle: () => void, delay = world.latency(actor)) => void world.later(delay, settle, actor)

    if (mishap === 'the batch is lost') fail(D1_ERRORS.d1_connection_lost)
    else if (mishap === 'overloaded') fail(D1_ERRORS.d1_overloaded)
    else if (mishap === 'the batch times out') fail(D1_ERRORS.d1_timed_out)
    else if (mishap === 'is full') fail(D1_ERRORS.d1_full)
    else if (mishap === 'the answer is lost') return arrive(soon, () => fail(D1_ERRORS.d1_connection_lost))
    else if (mishap === 'the answer times out') return arrive(soon, () => fail(D1_ERRORS.d1_timed_out))
    else if (mishap === 'never answers') return promise
    else if (mishap === 'the connection is lost, and the batch arrives') {
      fail(D1_ERRORS.d1_connection_lost)
      void arrive(soon + actor.random.between(0, 8000), () => {})
    } else if (mishap === 'the batch is late') return arrive(late(), back)
    else if (mishap === 'the answer is late') return arrive(soon, (settle) => back(settle, late()))
    else if (mishap === 'the instance dies before') kill()
    else if (mishap === 'the instance dies after the commit') return arrive(soon, kill)
    else {
      if (mishap === 'the clock jumps' && instance) instance.skewMs += actor.random.between(-90_000, 90_000)
      return arrive(soon, back)
    }
    return promise
  })
}

interface Stored {
  value: string
  metadata: unknown
  expiresAt: number
  writtenAt: number
  by: string | undefined
}

const KV_CHANCES = { throws: 0.02, 'is late': 0.02, 'the instance dies': 0.003 }
/** A write is seen elsewhere after this time at the latest, as a rule. */
const KV_LAG_MS = 60_000

/** Each key with all its values, the newest last. Of the binding there is what the Worker uses. */
export type KvData = Map<string, Stored[]>

export function simulateKv(world: World, data: KvData) {
  async function trip(what: string): Promise<void> {
    const { instance } = world.actor
    const mishap = world.mishap(`KV ${what}`, KV_CHANCES)
    if (mishap === 'the instance dies' && instance) world.kill(instance)
    await world.sleep(mishap === 'is late' ? world.actor.random.between(100, 2000) : world.latency())
    if (mishap === 'throws') throw new Error(`KV ${what} failed: 500 Internal Server Error`)
  }

  async function read(key: string): Promise<Stored | undefined> {
    await trip('GET')
    const values = data.get(key) ?? []
    const newest = values.at(-1)
    const isForeign = newest !== undefined && newest.by !== world.actor.instance?.name
    const isFresh = newest !== undefined && world.now - newest.writtenAt < KV_LAG_MS
    const stale = isForeign && isFresh && world.mishap('KV GET', { 'is stale': 0.3 })
    const found = stale ? values.at(-2) : newest
    return found && found.expiresAt > world.now ? found : undefined
  }

  async function put(key: string, value: string, options: Partial<Record<string, unknown>> = {}): Promise<void> {
    const by = world.actor.instance?.name
    await trip('PUT')
    if (world.mishap('KV PUT', { 'is lost': 0.03 })) return
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

const QUEUE_CHANCES = {
  throws: 0.02,
  'the messages are lost': 0.03,
  'the messages are doubled': 0.03,
  'the messages are late': 0.03,
  'the instance dies before': 0.003,
  'the instance dies after': 0.003,
}

/** Takes a message; `deliver` is called when a consumer is to have it. */
export type Deliver = (message: { id: string; body: unknown; sentAt: number }) => void

export function simulateQueue(world: World, deliver: Deliver) {
  interface Options {
    delaySeconds?: number
  }
  async function sendBatch(messages: Iterable<{ body: unknown } & Options>, options: Options = {}): Promise<void> {
    const { actor } = world
    const sent = [...messages]
    if (sent.length > 100) throw new Error('Queue sendBatch failed: too many messages')
    const mishap = world.mishap('queue', QUEUE_CHANCES)
    if (mishap === 'the instance dies before' && actor.instance) world.kill(actor.instance)
    const isTaken = mishap !== 'throws' && mishap !== 'the messages are lost' && mishap !== 'the instance dies before'
    for (const { body, delaySeconds = options.delaySeconds ?? 0 } of isTaken ? sent : []) {
      const message = {
        id: `${actor.name} m${actor.steps++}`,
        body: JSON.parse(JSON.stringify(body)),
        sentAt: world.now,
      }
      const late = mishap === 'the messages are late' ? actor.random.between(5000, 300_000) : 0
      const times = mishap === 'the messages are doubled' ? 2 : 1
      for (let i = 0; i < times; i++) {
        const delay = delaySeconds * 1000 + late + actor.random.between(1, 2000)
        world.later(delay, () => deliver({ ...message, id: `${message.id}${i > 0 ? ' again' : ''}` }), world.network)
      }
    }
    if (mishap === 'the instance dies after' && actor.instance) world.kill(actor.instance)
    await world.sleep(world.latency())
    if (mishap === 'throws') throw new Error('Queue sendBatch failed: Internal Server Error')
  }

  return { send: (body: unknown, options?: Options) => sendBatch([{ body }], options), sendBatch }
}

/** Counts per minute and key in one place: the real one counts less strictly. */
export function simulateLimiter(world: World, limit: number) {
  const counts = new Map<string, number>()
  return {
    async limit({ key }: { key: string }) {
      if (world.mishap('rate limiter', { throws: 0.002 })) throw new Error('the rate limiter is down')
      const slot = `${Math.floor(world.now / 60_000)} ${key}`
      const count = (counts.get(slot) ?? 0) + 1
      counts.set(slot, count)
      return { success: count <= limit }
    },
  }
}

/** As `ctx`: what the Worker leaves for afterwards goes on as long as its instance lives. */
export function createContext() {
  return {
    waitUntil(task: Promise<unknown>) {
      task.catch(() => {})
    },
    passThroughOnException() {},
    props: {},
  }
}
