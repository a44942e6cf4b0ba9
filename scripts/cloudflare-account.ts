/** A fake Cloudflare account in memory, with the routes of the API that `npm run deploy` calls. */
import { DatabaseSync } from 'node:sqlite'

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
  /** From the last upload. */
  metadata: string
  secrets: Record<string, unknown>
  crons: unknown
}

interface Call {
  /** The name or id in the path. */
  name: string
  query: URLSearchParams
  body: string
}

export class Refusal extends Error {
  readonly status: number
  readonly code: number
  constructor(status: number, code: number, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export class Account {
  readonly databases: Database[] = []
  /** The titles of the KV namespaces. */
  readonly namespaces: string[] = []
  readonly scripts = new Map<string, Script>()

  readonly #routes: [string, (call: Call) => unknown][] = [
    ['GET /d1/database/([^/]+)', ({ name }) => described(this.#databaseOf(name))],
    ['POST /d1/database', ({ body }) => this.#createDatabase(objectOf(body))],
    ['POST /d1/database/([^/]+)/query', ({ name, body }) => run(this.#databaseOf(name), objectOf(body))],
    ['GET /storage/kv/namespaces', ({ query }) => (isFirstPage(query) ? this.namespaces.map(namespaceOf) : [])],
    ['POST /storage/kv/namespaces', ({ body }) => this.#createNamespace(textOf(objectOf(body), 'title'))],
    ['GET /workers/services/([^/]+)', ({ name }) => this.#scriptOf(name) && serviceOf(name)],
    ['GET /workers/scripts/([^/]+)/secrets', ({ name }) => secretsOf(this.#scriptOf(name))],
    [
      'PATCH /workers/scripts/([^/]+)/secrets-bulk',
      ({ name, body }) => putSecrets(this.#scriptOf(name), objectOf(body)),
    ],
    ['POST /workers/scripts/[^/]+/assets-upload-session', () => ({ jwt: 'uploaded', buckets: [] })],
    ['PUT /workers/scripts/([^/]+)', ({ name, body }) => this.#upload(name, body)],
    ['PUT /workers/scripts/([^/]+)/schedules', ({ name, body }) => (this.#scriptOf(name).crons = JSON.parse(body))],
    ['GET /workers/scripts/([^/]+)/deployments', ({ name }) => this.#scriptOf(name) && DEPLOYED],
    ['GET /workers/scripts/([^/]+)/settings', ({ name }) => JSON.parse(this.#scriptOf(name).metadata)],
    ['GET /workers/scripts/([^/]+)/subdomain', ({ name }) => ({ enabled: false, previews_enabled: true, name })],
    ['POST /workers/scripts/([^/]+)/subdomain', ({ body }) => objectOf(body)],
    ['POST /workers/scripts/([^/]+)/versions', ({ name, body }) => this.#upload(name, body)],
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

  #databaseOf(name: string): Database {
    const found = this.databases.find((database) => database.uuid === name || database.name === name)
    if (found === undefined) throw new Refusal(404, 7404, 'The database is not found.')
    return found
  }

  #createDatabase(body: object): unknown {
    const [name, location] = [textOf(body, 'name'), valueOf(body, 'primary_location_hint')]
    const created = { uuid: crypto.randomUUID(), name, location, sqlite: new DatabaseSync(':memory:') }
    this.databases.push(created)
    return described(created)
  }

  #createNamespace(title: string): unknown {
    if (this.namespaces.includes(title)) throw new Refusal(400, 10014, 'A namespace with this title already exists.')
    this.namespaces.push(title)
    return namespaceOf(title)
  }

  #scriptOf(name: string): Script {
    const script = this.scripts.get(name)
    if (script === undefined) throw new Refusal(404, 10007, 'This Worker does not exist on your account.')
    return script
  }

  #upload(name: string, body: string): unknown {
    const [, metadata = ''] = /name="metadata"\r\n(?:[^\r]+\r\n)*\r\n([^\r]+)\r\n/.exec(body) ?? []
    const before = this.scripts.get(name) ?? { uploads: 0, secrets: {}, crons: [] }
    this.scripts.set(name, { ...before, metadata, uploads: before.uploads + 1 })
    const resources = { script: { etag: name } }
    return { id: name, tag: name, startup_time_ms: 1, deployment_id: crypto.randomUUID(), resources }
  }

  /** Throws `Refusal`. */
  answer(method: string, path: string, call: Omit<Call, 'name'>): unknown {
    for (const [route, handle] of this.#routes) {
      const match = new RegExp(`^${route}$`).exec(`${method} ${path}`)
      if (match) return handle({ ...call, name: decodeURIComponent(match[1] ?? '') }) ?? null
    }
    throw new Refusal(404, 7003, `The stand-in has no ${method} ${path}`)
  }
}

function described({ uuid, name }: Database): unknown {
  return { uuid, name }
}

/** Executes the statements and returns the rows of each query. */
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
