/** A fake Cloudflare account in memory, with the routes of the API that `npm run deploy` calls. */
import { DatabaseSync } from 'node:sqlite'

interface Database {
  uuid: string
  name: string
  location: string | undefined
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
  /** The titles of the KV namespaces, which are their ids as well. */
  readonly namespaces: string[] = []
  readonly scripts = new Map<string, Script>()
  /** The Workers that are consumers of their queue `<name>-webhooks`. */
  readonly consumers = new Set<string>()

  readonly #routes: [string, (call: Call) => unknown][] = [
    ['GET /d1/database/([^/]+)', ({ name }) => described(this.#databaseOf(name))],
    ['POST /d1/database', ({ body }) => this.#createDatabase(JSON.parse(body))],
    ['POST /d1/database/([^/]+)/query', ({ name, body }) => run(this.#databaseOf(name), JSON.parse(body))],
    ['GET /storage/kv/namespaces', ({ query }) => this.#namespacesOn(query.get('page') ?? '1')],
    ['POST /storage/kv/namespaces', ({ body }) => this.#createNamespace(JSON.parse(body))],
    ['GET /queues', ({ query }) => this.#queuesOf(query.get('name') ?? '')],
    ['DELETE /queues/[^/]+/consumers/([^/]+)', ({ name }) => this.consumers.delete(name)],
    ['GET /workers/services/([^/]+)', ({ name }) => this.#scriptOf(name) && serviceOf(name)],
    ['GET /workers/scripts/([^/]+)/secrets', ({ name }) => secretsOf(this.#scriptOf(name))],
    ['PATCH /workers/scripts/([^/]+)/secrets-bulk', ({ name, body }) => this.#putSecrets(name, JSON.parse(body))],
    ['POST /workers/scripts/[^/]+/assets-upload-session', () => ({ jwt: 'uploaded', buckets: [] })],
    ['PUT /workers/scripts/([^/]+)', ({ name, body }) => this.#upload(name, body)],
    ['PUT /workers/scripts/([^/]+)/schedules', ({ name, body }) => (this.#scriptOf(name).crons = JSON.parse(body))],
    ['GET /workers/scripts/([^/]+)/deployments', ({ name }) => this.#scriptOf(name) && DEPLOYED],
    ['GET /workers/scripts/([^/]+)/settings', ({ name }) => JSON.parse(this.#scriptOf(name).metadata)],
    ['GET /workers/workers/([^/]+)', () => ({ subdomain: { enabled: false, previews_enabled: true } })],
    ['POST /workers/scripts/([^/]+)/subdomain', ({ body }) => JSON.parse(body)],
    ['PATCH /workers/scripts/([^/]+)/script-settings', () => ({})],
    ['GET /workers/subdomain', () => ({ subdomain: 'tests' })],
    ['POST /client/v4/graphql', () => ({})],
  ]

  #databaseOf(name: string): Database {
    const found = this.databases.find((database) => database.uuid === name || database.name === name)
    if (found === undefined) throw new Refusal(404, 7404, 'The database is not found.')
    return found
  }

  #createDatabase({ name, primary_location_hint }: { name: string; primary_location_hint?: string }): unknown {
    const sqlite = new DatabaseSync(':memory:')
    const created = { uuid: crypto.randomUUID(), name, location: primary_location_hint, sqlite }
    this.databases.push(created)
    return described(created)
  }

  /** wrangler asks for more pages until one is empty. */
  #namespacesOn(page: string): unknown {
    return page === '1' ? this.namespaces.map((title) => ({ id: title, title })) : []
  }

  #createNamespace({ title }: { title: string }): unknown {
    if (this.namespaces.includes(title)) throw new Refusal(400, 10014, 'A namespace with this title already exists.')
    this.namespaces.push(title)
    return { id: title }
  }

  #queuesOf(queue: string): unknown {
    const name = [...this.consumers].find((consumer) => queue === `${consumer}-webhooks`)
    if (name === undefined) return []
    const consumer = { consumer_id: name, type: 'worker', service: name, environment: 'production' }
    return [{ queue_id: queue, queue_name: queue, consumers: [consumer] }]
  }

  #scriptOf(name: string): Script {
    const script = this.scripts.get(name)
    if (script === undefined) throw new Refusal(404, 10007, 'This Worker does not exist on your account.')
    return script
  }

  #putSecrets(name: string, { secrets }: { secrets: object }): unknown {
    return Object.assign(this.#scriptOf(name).secrets, secrets)
  }

  #upload(name: string, body: string): unknown {
    if (this.consumers.has(name)) throw new Refusal(400, 11001, 'Queue handler is missing.')
    const [, metadata = ''] = /name="metadata"\r\n(?:[^\r]+\r\n)*\r\n([^\r]+)\r\n/.exec(body) ?? []
    const before = this.scripts.get(name) ?? { uploads: 0, secrets: {}, crons: [] }
    this.scripts.set(name, { ...before, metadata, uploads: before.uploads + 1 })
    return { id: name, startup_time_ms: 1, deployment_id: crypto.randomUUID() }
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

const DEPLOYED = { deployments: [{ source: 'wrangler', versions: [{ version_id: 'version', percentage: 100 }] }] }

function described({ uuid, name }: Database): unknown {
  return { uuid, name }
}

/** Executes the statements and returns the rows of each query. */
function run({ sqlite }: Database, { sql }: { sql: string }): unknown {
  return sql.split(/;(?=\s*(?:select|insert|update)\b)/i).map((statement) => {
    const isRead = /^\s*select/i.test(statement)
    if (!isRead) sqlite.exec(statement)
    return { success: true, results: isRead ? sqlite.prepare(statement).all() : [], meta: { duration: 0 } }
  })
}

function serviceOf(name: string): unknown {
  return { default_environment: { environment: 'production', script: { tag: name, last_deployed_from: 'wrangler' } } }
}

function secretsOf({ secrets }: Script): unknown {
  return Object.keys(secrets).map((name) => ({ name, type: 'secret_text' }))
}
