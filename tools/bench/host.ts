/**
 * Hosts Workers, bundled as `wrangler deploy` bundles them, in one workerd under Miniflare. Each has its own socket, so
 * that neither the proxy of `wrangler dev` nor the network is measured. All of them share one D1 and one KV.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  convertV4MiniflareOptions,
  Log,
  LogLevel,
  Miniflare,
  type Request,
  type Response,
  type V4MiniflareOptions,
} from 'miniflare'
import { readConfig } from '../../scripts/wrangler-config.ts'
import { WRANGLER } from '../../scripts/wrangler.ts'

export const ADMIN_TOKEN = 'operator-secret-of-the-bench-of-32-characters'
export const TOKEN_KEY = 'key-of-the-bench-with-32-characters-or-more'
const CONFIG = readConfig()
const COMPATIBILITY_DATE = CONFIG.compatibility_date ?? ''
const OBJECTS = CONFIG.durable_objects.bindings

interface RateLimit {
  /** Requests per period. */
  limit: number
  /** In seconds. */
  period: number
}

const RATE_LIMITS = Object.fromEntries(CONFIG.ratelimits.map(({ name, simple }): [string, RateLimit] => [name, simple]))
const NO_LIMITS = Object.fromEntries(
  Object.entries(RATE_LIMITS).map(([name, limit]) => [name, { ...limit, limit: Number.MAX_SAFE_INTEGER }]),
)

type V4Worker = Extract<V4MiniflareOptions, { workers: unknown }>['workers'][number]
type V4Module = Extract<V4Worker['modules'], unknown[]>[number]

/** As in wrangler.toml. */
const ASSETS = {
  binding: 'ASSETS',
  routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: true },
  assetConfig: { html_handling: 'none' as const },
}

const built = new Map<string, string>()

/**
 * Bundles and minifies an entry point, by default the one of the service, and returns the path of its module. An entry
 * point with objects exports their class.
 */
export function buildBundle(name: string, entry?: string, { hasObjects = false } = {}): string {
  const path = built.get(name) ?? bundle(name, entry === undefined || hasObjects ? entry : withObjectClass(name, entry))
  built.set(name, path)
  return path
}

function bundle(name: string, entry: string | undefined): string {
  const outdir = `dist/bench/${name}`
  const args = ['deploy', ...(entry === undefined ? [] : [entry]), '--dry-run', '--outdir', outdir]
  // A text of an earlier bundle has another name and would be taken for one of this bundle.
  rmSync(outdir, { recursive: true, force: true })
  const { status, stdout, stderr } = spawnSync(process.execPath, [WRANGLER, ...args], {
    encoding: 'utf8',
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
  })
  if (status !== 0) throw new Error(`wrangler could not bundle ${entry ?? 'the service'}:\n${stdout}\n${stderr}`)
  const module = readdirSync(outdir).find((file) => file.endsWith('.js'))
  if (module === undefined) throw new Error(`${outdir} contains no module`)
  return `${outdir}/${module}`
}

/** wrangler bundles no entry point without the class of its Durable Objects, which nothing here uses. */
function withObjectClass(name: string, entry: string): string {
  const path = `dist/bench/${name}.ts`
  mkdirSync('dist/bench', { recursive: true })
  const classes = OBJECTS.map(({ class_name }) => `export class ${class_name} {}\n`)
  writeFileSync(path, `export { default } from '../../${entry}'\n${classes.join('')}`)
  return path
}

export interface HostedWorker {
  name: string
  /** This is the path of its module, or its source code. */
  module: string
  bindings?: Record<string, string | number | object>
  /** If this is omitted, its socket gets a free port. */
  socket?: number
  /** The Worker gets the binding LOADER, with which it loads other Workers. */
  isLoader?: boolean
  /** The Worker has the limits of wrangler.toml; without this, its limiters allow everything. */
  hasRateLimits?: boolean
  /** The name of the Worker whose objects it uses; without it, there are none. */
  objects?: string
  /** The folder of its static files; without it, there are none. */
  assets?: string
  /** Carries out each request that the Worker or an object sends; without it, workerd does. */
  outbound?: (request: Request) => Promise<Response>
}

interface HostOptions {
  /** D1 and KV store their data here; if this is omitted, in a temporary directory that is removed at the end. */
  persistTo?: string
  inspectorPort?: number
}

export interface Host {
  /** Returns the origin of a Worker, without a trailing slash. */
  origin: (name: string) => Promise<string>
  /** Each call of the database blocks this process until workerd responds, so use it only while no load is running. */
  db: () => Promise<D1Database>
  stop: () => Promise<void>
}

/**
 * This entry module gives the bundle rate limiters that count in memory, as the real ones do. Those of Miniflare write to a
 * database at every call, which takes longer than the rest of a 429.
 */
function withLimiters(limits: Record<string, RateLimit>): string {
  return `
import worker from './worker.js'
export * from './worker.js'
const limits = ${JSON.stringify(limits)}
function limiter({ limit, period }) {
  const counts = new Map()
  let current
  return {
    async limit({ key }) {
      const now = Math.floor(Date.now() / (period * 1000))
      if (now !== current) counts.clear()
      current = now
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return { success: count <= limit }
    },
  }
}
/** Miniflare runs no cron triggers. */
async function runCron({ searchParams }, env, ctx) {
  await worker.scheduled({ cron: searchParams.get('cron'), scheduledTime: Date.now(), noRetry() {} }, env, ctx)
  return new Response(null, { status: 204 })
}
let limited
export default {
  fetch(request, env, ctx) {
    limited ??= { ...env, ...Object.fromEntries(Object.entries(limits).map(([name, limit]) => [name, limiter(limit)])) }
    return request.url.includes('/__scheduled?') ? runCron(new URL(request.url), env, ctx) : worker.fetch(request, limited, ctx)
  },
}`
}

export async function host(workers: HostedWorker[], options: HostOptions = {}): Promise<Host> {
  const hosted = workers.map(toMiniflare)
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      log: new Log(LogLevel.ERROR),
      // Each request writes a log line, as in production; printing it would slow down this process.
      handleStructuredLogs: () => {},
      ...(options.persistTo === undefined ? {} : { resourcePersistencePath: options.persistTo }),
      ...(options.inspectorPort === undefined ? {} : { inspectorPort: options.inspectorPort }),
      workers: hosted,
    }),
  )
  await miniflare.ready
  return {
    origin: async (name) => (await miniflare.unsafeGetDirectURL(name)).origin,
    db: () => miniflare.getD1Database('DB', workers[0]?.name),
    stop: () => miniflare.dispose(),
  }
}

function toMiniflare(worker: HostedWorker): V4Worker {
  const {
    name,
    module,
    bindings = {},
    socket = 0,
    isLoader = false,
    hasRateLimits = false,
    objects,
    assets,
    outbound,
  } = worker
  return {
    name,
    modules: [
      { type: 'ESModule', path: 'main.js', contents: withLimiters(hasRateLimits ? RATE_LIMITS : NO_LIMITS) },
      { type: 'ESModule', path: 'worker.js', contents: sourceOf(module) },
      ...importsOf(module),
    ],
    compatibilityDate: COMPATIBILITY_DATE,
    compatibilityFlags: CONFIG.compatibility_flags,
    bindings: {
      ...JSON.parse(JSON.stringify(CONFIG.vars)),
      ADMIN_TOKEN,
      TOKEN_KEY,
      COMPATIBILITY_DATE,
      ...bindings,
    },
    d1Databases: { DB: 'bench' },
    kvNamespaces: { REPLAYS: 'bench' },
    ...(objects === undefined ? {} : { durableObjects: objectsOf(objects, name) }),
    ...(assets === undefined ? {} : { assets: { directory: assets, ...ASSETS } }),
    ...(isLoader ? { workerLoaders: { LOADER: {} } } : {}),
    ...(outbound === undefined ? {} : { outboundService: outbound }),
    unsafeDirectSockets: [{ host: '127.0.0.1', port: socket }],
  }
}

/** The objects of this Worker or of another one. */
function objectsOf(owner: string, name: string) {
  const isOther = owner === name ? {} : { scriptName: owner }
  return Object.fromEntries(
    OBJECTS.map((binding) => [binding.name, { className: binding.class_name ?? '', useSQLite: true, ...isOther }]),
  )
}

const isPath = (module: string) => /^[\w./-]+\.js$/.test(module)

function sourceOf(module: string): string {
  return isPath(module) ? readFileSync(module, 'utf8') : module
}

/** The files that the bundle imports: the migrations as texts, and WebAssembly. */
export function importsOf(module: string): V4Module[] {
  if (!isPath(module)) return []
  const folder = dirname(module)
  return readdirSync(folder).flatMap((path): V4Module[] => {
    const contents = readFileSync(join(folder, path))
    if (path.endsWith('.sql')) return [{ type: 'Text', path, contents: contents.toString() }]
    return path.endsWith('.wasm') ? [{ type: 'CompiledWasm', path, contents }] : []
  })
}

/** Applies the migrations of the service unless they were applied before. */
export async function migrate(db: D1Database): Promise<void> {
  const found = await db.prepare("select 1 from sqlite_master where name = 'users'").first()
  if (found !== null) return
  for (const file of readdirSync('drizzle')
    .filter((name) => name.endsWith('.sql'))
    .toSorted()) {
    const statements = readFileSync(`drizzle/${file}`, 'utf8').split('--> statement-breakpoint')
    await db.batch(statements.map((statement) => db.prepare(statement)))
  }
}
