/**
 * Several instances of the Worker over the same bindings. Each has a copy of the Worker's modules to itself, as an
 * isolate has: `?copy=n` in a module's address makes Node load it once more. Copies outlive the runs, because loading
 * one takes half a second: what the Worker keeps at module level must not be visible to a caller (README.md).
 */
import { registerHooks } from 'node:module'
import {
  createContext,
  type Deliver,
  type KvData,
  simulateD1,
  simulateKv,
  simulateLimiter,
  simulateQueue,
} from './bindings.ts'
import { CURRENT as BREAK } from './breaks.ts'
import { CONFIG } from './config.ts'
import type { TextHeaders, TextRequest, TextResponse } from './fetch-api.ts'
import './json-modules.ts'
import { ENTRY } from './source.ts'
import type { Database } from './sqlite.ts'
import type { Actor, Instance, World } from './world.ts'

interface Message {
  id: string
  body: unknown
  timestamp: Date
  attempts: number
  ack: () => void
  retry: (options?: { delaySeconds?: number }) => void
}

/** What a Worker's entry point exports. */
interface Worker {
  fetch: (request: TextRequest, env: object, ctx: object) => TextResponse | Promise<TextResponse>
  queue: (batch: object, env: object, ctx: object) => Promise<void>
  scheduled: (controller: object, env: object, ctx: object) => Promise<void>
}

const COPIES = 3
const SOURCE = new URL('.', ENTRY).href

registerHooks({
  resolve(specifier, context, nextResolve) {
    const copy = /\?copy=\d+$/.exec(context.parentURL ?? '')?.[0]
    if (copy === undefined || !/^\..*\.ts$/.test(specifier)) return nextResolve(specifier, context)
    // Node would look for a package.json beside each of the sources.
    const url = new URL(specifier, context.parentURL).href + copy
    return { url, format: 'module-typescript', shortCircuit: true }
  },
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!BREAK || !url.startsWith(`${SOURCE}${BREAK.file}?`)) return loaded
    const { source = '' } = loaded
    const text = typeof source === 'string' ? source : new TextDecoder().decode(source)
    if (!text.includes(BREAK.from)) throw new Error(`${BREAK.file} has nothing to break: ${BREAK.from}`)
    return { ...loaded, source: text.replace(BREAK.from, BREAK.to.replaceAll('$', '$$$$')) }
  },
})

export async function loadCopies(): Promise<Worker[]> {
  const modules = await Promise.all(Array.from({ length: COPIES }, (_, copy) => import(`${ENTRY}?copy=${copy}`)))
  return modules.map((module) => module.default)
}

export const ADMIN_TOKEN = 'operator-secret-of-the-simulation'
const SECRETS = {
  ADMIN_TOKEN,
  TOKEN_KEY: 'token-key-of-the-simulation-0123456789',
  ENVIRONMENT: 'test',
  // The least that is allowed: a holiday of 8 days is longer.
  EVENT_RETENTION_DAYS: '7',
  // scrypt at 1/8192 of its cost.
  PASSWORD_COST: '1',
}
const NO_ASSETS = { fetch: () => Promise.reject(new Error('the simulation has no assets')) }
/** How long a queue waits for a consumer that died. */
const VISIBILITY_MS = 60_000

export interface Answer {
  status: number
  headers: TextHeaders
  text: string
}

const { producers: PRODUCERS = [], consumers: CONSUMERS = [] } = CONFIG.queues

export class Service {
  readonly #world: World
  readonly #copies: readonly Worker[]
  readonly #env: object
  readonly #instances: Instance[] = []
  #started = 0
  invocations = 0

  constructor(world: World, copies: readonly Worker[], database: Database) {
    this.#world = world
    this.#copies = copies
    const namespaces = CONFIG.kv_namespaces.map(({ binding }) => {
      const data: KvData = new Map()
      return [binding, simulateKv(world, data)]
    })
    const queues = PRODUCERS.map(({ binding, queue = '' }) => {
      const deliver: Deliver = (message) => this.#consume(queue, message, 1)
      return [binding, simulateQueue(world, deliver)]
    })
    this.#env = Object.freeze({
      ...CONFIG.vars,
      ...SECRETS,
      ASSETS: NO_ASSETS,
      ...Object.fromEntries(CONFIG.d1_databases.map(({ binding }) => [binding, simulateD1(world, database)])),
      ...Object.fromEntries(namespaces),
      ...Object.fromEntries(queues),
      ...Object.fromEntries(CONFIG.ratelimits.map(({ name, simple }) => [name, simulateLimiter(world, simple.limit)])),
    })
  }

  /** Any instance, or a new one in the place of one that died. */
  #pick(random: Actor['random']): Instance {
    const copy = random.below(this.#copies.length)
    const found = this.#instances[copy]
    if (found?.isAlive) return found
    const name = `instance ${copy}.${++this.#started}`
    const skewMs = this.#world.random.stream(name).between(-2000, 2000)
    return (this.#instances[copy] = { name, copy, isAlive: true, skewMs, onDeath: new Set() })
  }

  /** Runs a handler on some instance, in its own name; `died` is called when that instance dies before the end. */
  #start(name: string, handle: (worker: Worker) => Promise<void>, died: () => void): void {
    const world = this.#world
    const random = world.random.stream(`${name} place`)
    const instance = this.#pick(random)
    const worker = this.#copies[instance.copy]
    if (!worker) throw new Error('no copy')
    this.invocations++
    instance.onDeath.add(died)
    const finish = () => void instance.onDeath.delete(died)
    const fail = (error: unknown) => {
      finish()
      world.defects.push(`${name}: the handler threw ${String(error)}`)
    }
    // Until the next event: what the handler has set going runs as microtasks, in its name.
    world.actor = world.newActor(name, instance)
    handle(worker).then(finish, fail)
  }

  /** One request, by the actor that runs; undefined when no answer came back, whatever the reason. */
  request(name: string, request: TextRequest): Promise<Answer | undefined> {
    const world = this.#world
    const { actor: client } = world
    const { promise, resolve } = Promise.withResolvers<Answer | undefined>()
    // Its chances are its own: the client's would differ with what the client has done before.
    const way = world.newActor(`${name} way`)
    const answer = (found?: Answer) => void world.later(world.latency(way), () => resolve(found), client)
    const mishap = world.mishap('connection', { 'the request is lost': 0.01, 'the response is lost': 0.02 }, way)
    if (mishap === 'the request is lost') {
      answer()
      return promise
    }
    const patience = world.later(90_000, () => resolve(undefined), client)
    void promise.then(() => world.cancel(patience))
    const handle = async (worker: Worker) => {
      const response = await worker.fetch(request, this.#env, createContext())
      const { status, headers } = response
      const text = await response.text()
      answer(mishap === undefined ? { status, headers, text } : undefined)
    }
    world.later(world.latency(way), () => this.#start(name, handle, answer), world.network)
    return promise
  }

  /** Runs a cron, until it has ended, one way or the other. */
  cron(name: string, cron: string, scheduledTime: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const controller = { cron, scheduledTime, noRetry() {} }
    // A cron that fails is not tried again; the next one comes anyhow.
    const handle = (worker: Worker) =>
      worker
        .scheduled(controller, this.#env, createContext())
        .catch(() => {})
        .finally(resolve)
    const start = () => this.#start(name, handle, resolve)
    this.#world.later(0, start, this.#world.network)
    return promise
  }

  #consume(queue: string, sent: Parameters<Deliver>[0], attempts: number): void {
    const world = this.#world
    const settings = CONSUMERS.find((consumer) => consumer.queue === queue)
    if (!settings) return
    const { max_retries = 3, retry_delay: retryDelaySeconds = 0, dead_letter_queue: deadLetters } = settings
    const state = { outcome: 'none', delaySeconds: retryDelaySeconds }
    const message: Message = {
      ...sent,
      timestamp: new Date(sent.sentAt),
      attempts,
      ack: () => void (state.outcome = 'acknowledged'),
      retry: ({ delaySeconds = retryDelaySeconds } = {}) =>
        void Object.assign(state, { outcome: 'retry', delaySeconds }),
    }
    const batch = { queue, messages: [message], ackAll: message.ack, retryAll: message.retry }
    const again = (delayMs: number) => {
      if (attempts <= max_retries) world.later(delayMs, () => this.#consume(queue, sent, attempts + 1), world.network)
      else if (deadLetters !== undefined) world.later(1000, () => this.#consume(deadLetters, sent, 1), world.network)
    }
    const handle = async (worker: Worker) => {
      let hasFailed = false
      await worker.queue(batch, this.#env, createContext()).catch(() => (hasFailed = true))
      if (state.outcome === 'retry' || (hasFailed && state.outcome !== 'acknowledged')) again(state.delaySeconds * 1000)
    }
    this.#start(`${sent.id} attempt ${attempts} of ${queue}`, handle, () => again(VISIBILITY_MS))
  }
}
