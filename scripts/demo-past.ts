/** A month of history for the demo store: lived in a thread (demo-past-thread.ts), then put into the local database. */
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { cronsOf, queuesOf, readConfig } from './wrangler-config.ts'

/** By their names: those of .dev.vars. */
export type Secrets = NodeJS.Dict<string>

export interface Past {
  /** Of the demo store. */
  token: string
  tables: { name: string; columns: string[]; rows: (string | number | null)[][] }[]
}

interface Life {
  secrets: Secrets
  /** When the month ends. */
  now: number
}

/** What the thread is told: wrangler, which reads wrangler.toml, would be loaded once more there. */
export type ThreadData = Life & {
  vars: object
  limiters: string[]
  queue: string
  /** The cron trigger of each minute. */
  cron: string
}

/** Throws what the thread threw. */
export async function livePast(life: Life): Promise<Past> {
  const config = readConfig()
  const workerData: ThreadData = {
    ...life,
    vars: config.vars,
    limiters: config.ratelimits.map(({ name }) => name),
    queue: queuesOf(config).webhooks,
    cron: cronsOf(config).minutely,
  }
  const thread = new Worker(join(import.meta.dirname, 'demo-past-thread.ts'), { workerData, stdout: true })
  const [past]: Past[] = await once(thread, 'message')
  await thread.terminate()
  if (past === undefined) throw new Error('a thread without an answer')
  return past
}

/** All of it or nothing, so that the next start may try again. The database is empty but for its schema. */
export function fill(file: string, { tables }: Past): void {
  using database = new DatabaseSync(file)
  database.exec('begin immediate; pragma defer_foreign_keys = on')
  for (const { name, columns, rows } of tables) {
    const values = columns.map(() => '?').join()
    const insert = database.prepare(`insert into "${name}" (${columns.join()}) values (${values})`)
    for (const row of rows) insert.run(...row)
  }
  database.exec('commit')
}
