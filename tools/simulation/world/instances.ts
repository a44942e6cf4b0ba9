/**
 * Several instances of the Worker share the same bindings. Like an isolate, each has its own copy of the Worker's
 * modules: `?copy=n` in a module's URL makes Node load the module again. Loading a copy takes half a second, so copies
 * are used for several runs: state that the Worker keeps at module level must not be visible to a caller.
 */
import { registerHooks, type ResolveFnOutput } from 'node:module'
import { ADMIN_TOKEN } from '../contract.ts'
import { createContext, type KvData, simulateD1, simulateKv, simulateLimiter } from './bindings.ts'
import { CONFIG } from './config.ts'
import type { TextHeaders, TextRequest, TextResponse } from './fetch-api.ts'
import '../../../scripts/worker-modules.ts'
import { CLASSES, type ClassName, type ObjectClass, Objects } from './objects.ts'
import { SMALL, withSmallLimits } from './small-limits.ts'
import { ENTRY } from './source.ts'
import type { Database } from './sqlite.ts'
import type { Actor, Instance, World } from './world.ts'

/** The default export of the Worker's entry point. */
interface Worker {
  fetch: (request: TextRequest, env: object, ctx: object) => TextResponse | Promise<TextResponse>
  scheduled: (controller: object, env: object, ctx: object) => Promise<void>
}

/** What its entry point exports. */
export interface Copy extends Record<ClassName, ObjectClass> {
  default: Worker
}

/** Undefined if the Worker is simulated as it is. Loading the parser would take a while. */
const broken = process.env['SIMULATED_BREAK'] === undefined ? undefined : await import('../breaks/current.ts')

const COPIES = 3
const SOURCE = new URL('.', ENTRY).href
/** With this after the copy, the URL of limits stands for the real ones (small-limits.ts). */
const REAL = '&real'

/** Where the packages are that all copies share. Node would parse package.json again for each import. */
const packages = new Map<string, ResolveFnOutput>()

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier.endsWith(REAL)) return { url: specifier, format: 'module-typescript', shortCircuit: true }
    const copy = /\?copy=\d+$/.exec(context.parentURL ?? '')?.[0]
    if (copy === undefined) return nextResolve(specifier, context)
    if (!specifier.startsWith('.')) {
      const found = packages.get(specifier) ?? nextResolve(specifier, context)
      packages.set(specifier, found)
      return { ...found, shortCircuit: true }
    }
    if (!specifier.endsWith('.ts')) return nextResolve(specifier, context)
    // Without the format, Node would look for a package.json next to each source file.
    const url = new URL(specifier, context.parentURL).href + copy
    return { url, format: 'module-typescript', shortCircuit: true }
  },
  load(url, context, nextLoad) {
    const small = SMALL[url.slice(SOURCE.length).replace(/\?copy=\d+$/, '')]
    if (small && url.startsWith(SOURCE)) {
      return { format: 'module', source: withSmallLimits(url + REAL, small), shortCircuit: true }
    }
    const loaded = nextLoad(url, context)
    if (!broken || !url.startsWith(SOURCE)) return loaded
    const { source = '' } = loaded
    const text = typeof source === 'string' ? source : new TextDecoder().decode(source)
    return { ...loaded, source: broken.breakSource(url.slice(SOURCE.length).replace(/\?.*/, ''), text) }
  },
})

export function loadCopies(): Promise<Copy[]> {
  return Promise.all(Array.from({ length: COPIES }, (_, copy) => import(`${ENTRY}?copy=${copy}`)))
}

const SECRETS = {
  ADMIN_TOKEN,
  TOKEN_KEY: 'token-key-of-the-simulation-0123456789',
  ENVIRONMENT: 'test',
  // The minimum that is allowed. The holiday of 8 days is longer, so events are deleted in it.
  EVENT_RETENTION_DAYS: '7',
  // This is 1/608 of the real cost of Argon2id, which would take most of a run's time.
  PASSWORD_COST: '32',
}
const NO_ASSETS = { fetch: () => Promise.reject(new Error('the simulation has no assets')) }

export interface ServiceResponse {
  status: number
  headers: TextHeaders
  text: string
}

export class Service {
  readonly #world: World
  readonly #copies: readonly Copy[]
  readonly #bindings: object
  readonly #instances: Instance[] = []
  readonly #envs = new WeakMap<Instance, object>()
  #started = 0
  invocations = 0
  /** The objects of each class. */
  readonly objects: Record<ClassName, Objects>
  /** All that was ever stored in KV. */
  readonly stored: KvData = new Map()

  constructor(world: World, copies: readonly Copy[], database: Database) {
    this.#world = world
    this.#copies = copies
    const env = () => ({ ...this.#bindings, ...world.secrets })
    const ofClass = (name: ClassName) => new Objects(world, name, { classes: copies.map((copy) => copy[name]), env })
    this.objects = {
      StoreDatabase: ofClass('StoreDatabase'),
      WebhookEndpoint: ofClass('WebhookEndpoint'),
      BulkChanges: ofClass('BulkChanges'),
    }
    const objects = CONFIG.durable_objects.bindings.map(({ name, class_name }) => {
      const found = CLASSES.find((each) => each === class_name)
      if (found === undefined) throw new Error(`the simulation has no objects of ${class_name}`)
      return [name, this.objects[found]]
    })
    const namespaces = CONFIG.kv_namespaces.map(({ binding }) => [binding, simulateKv(world, this.stored)])
    this.#bindings = Object.freeze({
      ...CONFIG.vars,
      ...SECRETS,
      ASSETS: NO_ASSETS,
      ...Object.fromEntries(CONFIG.d1_databases.map(({ binding }) => [binding, simulateD1(world, database)])),
      ...Object.fromEntries(objects),
      ...Object.fromEntries(namespaces),
      ...Object.fromEntries(CONFIG.ratelimits.map(({ name, simple }) => [name, simulateLimiter(world, simple.limit)])),
    })
  }

  /** An instance has one environment, by which it remembers things. The owner may change a secret while the service runs. */
  #envOf(instance: Instance): object {
    const env = this.#envs.get(instance) ?? { ...this.#bindings }
    this.#envs.set(instance, env)
    return Object.assign(env, this.#world.secrets)
  }

  /** Picks any instance. If it has died, a new one takes its place. */
  #pick(random: Actor['random']): Instance {
    const copy = random.below(this.#copies.length)
    const found = this.#instances[copy]
    if (found?.isAlive) return found
    const name = `instance ${copy}.${++this.#started}`
    const skewMs = this.#world.random.stream(name).between(-2000, 2000)
    return (this.#instances[copy] = { name, copy, isAlive: true, skewMs, onDeath: new Set() })
  }

  /**
   * Runs a handler on one of the instances, as an actor of this name. `died` is called if the instance dies before the
   * end.
   */
  #start(name: string, handle: (worker: Worker, env: object) => Promise<void>, died: () => void): void {
    const world = this.#world
    const random = world.random.stream(`${name} place`)
    const instance = this.#pick(random)
    const worker = this.#copies[instance.copy]?.default
    if (!worker) throw new Error('the instance has no copy of the Worker')
    this.invocations++
    instance.onDeath.add(died)
    const actor = world.newActor(name, instance)
    const finish = () => {
      instance.onDeath.delete(died)
      world.end(actor)
    }
    const fail = (error: unknown) => {
      finish()
      world.defects.push(`${name}: the handler threw ${String(error)}`)
    }
    // The handler's microtasks run before the next event, so this actor gets their delays and faults.
    world.actor = actor
    world.begin(actor)
    handle(worker, this.#envOf(instance)).then(finish, fail)
  }

  /** Sends one request for the current actor. The result is undefined if no response came back. */
  request(name: string, request: TextRequest): Promise<ServiceResponse | undefined> {
    const world = this.#world
    const { actor: client } = world
    const { promise, resolve } = Promise.withResolvers<ServiceResponse | undefined>()
    // The connection is an actor of its own. With the client's stream, its faults would depend on the client's earlier
    // steps.
    const connection = world.newActor(`${name} way`)
    const respond = (response?: ServiceResponse) =>
      void world.schedule(world.latency(connection), () => resolve(response), client)
    const fault = world.fault('connection', { 'the request is lost': 0.01, 'the response is lost': 0.02 }, connection)
    if (fault === 'the request is lost') {
      respond()
      return promise
    }
    // Each batch has a deadline, and if the instance dies, the connection ends.
    const giveUp = () => {
      world.defects.push(`${name} got no response in 90 s`)
      resolve(undefined)
    }
    const timeout = world.schedule(90_000, giveUp, client)
    void promise.then(() => world.cancel(timeout))
    const handle = async (worker: Worker, env: object) => {
      const response = await worker.fetch(request, env, createContext())
      const { status, headers } = response
      const text = await response.text()
      respond(fault === undefined ? { status, headers, text } : undefined)
    }
    world.schedule(world.latency(connection), () => this.#start(name, handle, respond), world.network)
    return promise
  }

  /** Runs a cron, and resolves when it has succeeded, failed or died. While no faults occur, it must succeed. */
  cron(name: string, cron: string, scheduledTime: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const world = this.#world
    const wasFaultFree = world.isFaultFree && !world.isExporting
    world.crons.push({ at: world.now, name })
    const controller = { cron, scheduledTime, noRetry() {} }
    // A cron that fails is not retried. The next one does its work.
    const handle = (worker: Worker, env: object) =>
      worker
        .scheduled(controller, env, createContext())
        .catch((error: unknown) => {
          if (wasFaultFree && world.isFaultFree) world.defects.push(`${name}: the cron threw ${String(error)}`)
        })
        .finally(resolve)
    const start = () => this.#start(name, handle, resolve)
    world.schedule(0, start, world.network)
    return promise
  }
}
