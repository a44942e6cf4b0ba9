/**
 * As much of Cloudflare's API as `npm run deploy` asks for, in memory, so that the real wrangler can deploy to it.
 * A database is SQLite. Every request is noted; those that `fail` matches are refused.
 */
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'

export const API_TOKEN = 'api-token-of-the-tests'
export const ACCOUNT = '0123456789abcdef0123456789abcdef'

const DEPLOYED = {
  deployments: [{ id: 'deployment', source: 'wrangler', versions: [{ version_id: 'version', percentage: 100 }] }],
}

interface Database {
  uuid: string
  name: string
  location: unknown
  sqlite: DatabaseSync
}

interface Script {
  uploads: number
  /** Of the last upload. */
  metadata: string
  secrets: Record<string, unknown>
  crons: unknown
}

interface Call {
  /** What stands in the path. */
  name: string
  query: URLSearchParams
  body: string
}

export interface StandIn {
  url: string
  databases: Database[]
  /** By name, each with what consumes it. */
  queues: Map<string, object | undefined>
  /** The titles of the KV namespaces. */
  namespaces: string[]
  scripts: Map<string, Script>
  /** `POST /queues`, less the account's part of the path. */
  requests: string[]
  fail: RegExp | undefined
  stop: () => void
}

class Refusal extends Error {
  readonly status: number
  readonly code: number
  constructor(status: number, code: number, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export async function startStandIn(): Promise<StandIn> {
  const databases: Database[] = []
  const queues: StandIn['queues'] = new Map()
  const namespaces: string[] = []
  const scripts = new Map<string, Script>()
  const requests: string[] = []

  const routes: [string, (call: Call) => unknown][] = [
    ['GET /d1/database/([^/]+)', ({ name }) => described(databaseOf(name))],
    ['POST /d1/database', ({ body }) => createDatabase(objectOf(body))],
    ['POST /d1/database/([^/]+)/query', ({ name, body }) => run(databaseOf(name), objectOf(body))],
    ['GET /queues', ({ query }) => [...queues.keys()].filter(isNamed(query)).map(queueOf)],
    ['POST /queues', ({ body }) => createQueue(textOf(objectOf(body), 'queue_name'))],
    ['(?:POST|PUT) /queues/([^/]+)/consumers(?:/.+)?', ({ name, body }) => consume(name, objectOf(body))],
    ['GET /storage/kv/namespaces', ({ query }) => (isFirstPage(query) ? namespaces.map(namespaceOf) : [])],
    ['POST /storage/kv/namespaces', ({ body }) => createNamespace(textOf(objectOf(body), 'title'))],
    ['GET /workers/services/([^/]+)', ({ name }) => scriptOf(name) && serviceOf(name)],
    ['GET /workers/scripts/([^/]+)/secrets', ({ name }) => secretsOf(scriptOf(name))],
    ['PATCH /workers/scripts/([^/]+)/secrets-bulk', ({ name, body }) => putSecrets(scriptOf(name), objectOf(body))],
    ['POST /workers/scripts/[^/]+/assets-upload-session', () => ({ jwt: 'uploaded', buckets: [] })],
    ['PUT /workers/scripts/([^/]+)', ({ name, body }) => upload(name, body)],
    ['PUT /workers/scripts/([^/]+)/schedules', ({ name, body }) => (scriptOf(name).crons = JSON.parse(body))],
    ['GET /workers/scripts/([^/]+)/deployments', ({ name }) => scriptOf(name) && DEPLOYED],
    ['GET /workers/scripts/([^/]+)/settings', ({ name }) => JSON.parse(scriptOf(name).metadata)],
    ['GET /workers/scripts/([^/]+)/subdomain', ({ name }) => ({ enabled: false, previews_enabled: true, name })],
    ['POST /workers/scripts/([^/]+)/subdomain', ({ body }) => objectOf(body)],
    ['POST /workers/scripts/([^/]+)/versions', ({ name, body }) => upload(name, body)],
    ['POST /workers/scripts/([^/]+)/deployments', () => ({ id: 'deployment' })],
    ['PATCH /workers/scripts/([^/]+)/script-settings', () => ({})],
    [
      'GET /workers/workers/([^/]+)',
      ({ name }) => ({ id: name, name, subdomain: { enabled: false, previews_enabled: true } }),
    ],
    ['PATCH /workers/workers/([^/]+)', ({ name, body }) => ({ id: name, name, ...objectOf(body) })],
    ['POST /client/v4/graphql', () => ({})],
    ['GET /workers/subdomain', () => ({ subdomain: 'tests' })],
  ]

  function databaseOf(name: string): Database {
    const found = databases.find((database) => database.uuid === name || database.name === name)
    if (found === undefined) throw new Refusal(404, 7404, 'The database is not found.')
    return found
  }

  function createDatabase(body: object): unknown {
    const [name, location] = [textOf(body, 'name'), valueOf(body, 'primary_location_hint')]
    const created = { uuid: crypto.randomUUID(), name, location, sqlite: new DatabaseSync(':memory:') }
    databases.push(created)
    return described(created)
  }

  function createQueue(name: string): unknown {
    if (queues.has(name)) throw new Refusal(409, 11009, 'Queue name is already taken.')
    queues.set(name, undefined)
    return queueOf(name)
  }

  function queueOf(name: string): unknown {
    const consumer = queues.get(name)
    const consumers = consumer ? [{ ...consumer, consumer_id: name, script: valueOf(consumer, 'script_name') }] : []
    return { queue_id: name, queue_name: name, producers: [], consumers }
  }

  function consume(name: string, consumer: object): unknown {
    queues.set(name, consumer)
    return consumer
  }

  function createNamespace(title: string): unknown {
    if (namespaces.includes(title)) throw new Refusal(400, 10014, 'A namespace with this title already exists.')
    namespaces.push(title)
    return namespaceOf(title)
  }

  function scriptOf(name: string): Script {
    const script = scripts.get(name)
    if (script === undefined) throw new Refusal(404, 10007, 'This Worker does not exist on your account.')
    return script
  }

  function upload(name: string, body: string): unknown {
    const [, metadata = ''] = /name="metadata"\r\n(?:[^\r]+\r\n)*\r\n([^\r]+)\r\n/.exec(body) ?? []
    const before = scripts.get(name) ?? { uploads: 0, secrets: {}, crons: [] }
    scripts.set(name, { ...before, metadata, uploads: before.uploads + 1 })
    const resources = { script: { etag: name } }
    return { id: name, tag: name, startup_time_ms: 1, deployment_id: crypto.randomUUID(), resources }
  }

  function answer(method: string, path: string, call: Omit<Call, 'name'>): unknown {
    for (const [route, handle] of routes) {
      const match = new RegExp(`^${route}$`).exec(`${method} ${path}`)
      if (match) return handle({ ...call, name: decodeURIComponent(match[1] ?? '') }) ?? null
    }
    throw new Refusal(404, 7003, `The stand-in has no ${method} ${path}`)
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://stand-in')
    const path = url.pathname.replace(`/client/v4/accounts/${ACCOUNT}`, '')
    const noted = `${request.method} ${path}`
    requests.push(noted)
    const body = await text(request)
    response.setHeader('content-type', 'application/json')
    try {
      if (request.headers.authorization !== `Bearer ${API_TOKEN}`) throw new Refusal(401, 10000, 'Authentication error')
      if (standIn.fail?.test(noted)) throw new Refusal(500, 7500, 'The test wants this to fail.')
      const result = answer(request.method ?? '', path, { query: url.searchParams, body })
      response.end(JSON.stringify({ success: true, errors: [], messages: [], result }))
    } catch (error) {
      const { status, code, message } = error instanceof Refusal ? error : new Refusal(400, 7400, String(error))
      response.statusCode = status
      response.end(JSON.stringify({ success: false, errors: [{ code, message }], messages: [], result: null }))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const standIn: StandIn = {
    url: `http://127.0.0.1:${port}/client/v4`,
    databases,
    queues,
    namespaces,
    scripts,
    requests,
    fail: undefined,
    stop: () => server.close(),
  }
  return standIn
}

function described({ uuid, name }: Database): unknown {
  return { uuid, name }
}

/** Answers each query's rows, and runs what else there is, such as a migration's statements. */
function run({ sqlite }: Database, body: object): unknown {
  return textOf(body, 'sql')
    .split(/;(?=\s*(?:select|insert|update)\b)/i)
    .map((sql) => {
      const isRead = /^\s*select/i.test(sql)
      if (!isRead) sqlite.exec(sql)
      return { success: true, results: isRead ? sqlite.prepare(sql).all() : [], meta: { duration: 0 } }
    })
}

function isFirstPage(query: URLSearchParams): boolean {
  return (query.get('page') ?? '1') === '1'
}

function isNamed(query: URLSearchParams) {
  return (name: string) => name === query.get('name')
}

function namespaceOf(title: string): unknown {
  return { id: title, title }
}

function serviceOf(name: string): unknown {
  return { default_environment: { environment: 'production', script: { tag: name, last_deployed_from: 'wrangler' } } }
}

function secretsOf({ secrets }: Script): unknown {
  return Object.keys(secrets).map((name) => ({ name, type: 'secret_text' }))
}

function putSecrets(script: Script, body: object): unknown {
  Object.assign(script.secrets, valueOf(body, 'secrets'))
  return {}
}

function objectOf(body: string): object {
  const value: unknown = JSON.parse(body)
  if (typeof value !== 'object' || value === null) throw new Error('not an object')
  return value
}

function valueOf(body: object, name: string): unknown {
  return Object.getOwnPropertyDescriptor(body, name)?.value
}

function textOf(body: object, name: string): string {
  return String(valueOf(body, name))
}
