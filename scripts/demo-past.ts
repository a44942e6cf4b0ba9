/** Creates a month of history for the demo store in a thread, and inserts it into the local database. */
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { cronsOf, readConfig } from './wrangler-config.ts'

/** These are the secrets of .dev.vars by their names. */
export type Secrets = NodeJS.Dict<string>

export interface Past {
  /** The token of the demo store. */
  token: string
  tables: { name: string; columns: string[]; rows: (string | number | null)[][] }[]
}

interface PastOptions {
  secrets: Secrets
  /** The end of the month, in milliseconds. */
  now: number
}

/** The thread gets the settings of wrangler.toml, because reading them there would load wrangler a second time. */
export type ThreadData = PastOptions & {
  vars: object
  limiters: string[]
  /** The cron string of the minutely job. */
  cron: string
}

/** Throws the error of the thread if it fails. */
export async function livePast(options: PastOptions): Promise<Past> {
  const config = readConfig()
  const workerData: ThreadData = {
    ...options,
    vars: config.vars,
    limiters: config.ratelimits.map(({ name }) => name),
    cron: cronsOf(config).minutely,
  }
  const thread = new Worker(join(import.meta.dirname, 'demo-past-thread.ts'), { workerData, stdout: true })
  const [past]: Past[] = await once(thread, 'message')
  await thread.terminate()
  if (past === undefined) throw new Error('The thread sent no message')
  return past
}

/** Inserts everything or nothing, so that the next start can try again. The database must contain only its schema. */
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
