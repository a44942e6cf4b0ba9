/** Fastify in a process of its own, on a database with the service's tables. */
import { fork } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { STORE } from '../operations.ts'
import { recordStatements } from '../statements.ts'

export interface Fastify {
  origin: string
  driver: string
  stop: () => void
}

export const FASTIFY_TOKEN = 'a-token-of-the-bench'

export async function startFastify(directory: string): Promise<Fastify> {
  const path = join(directory, 'bench.sqlite')
  seed(path)
  const fixture = JSON.stringify({ statements: await recordStatements(), token: FASTIFY_TOKEN })
  const child = fork(join(import.meta.dirname, 'fastify.js'), [path, fixture])
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`Fastify ended with ${code}`)))
    child.once('message', (message) => {
      const { port, driver }: { port: number; driver: string } = JSON.parse(JSON.stringify(message))
      resolve({ origin: `http://127.0.0.1:${port}`, driver, stop: () => void child.kill() })
    })
  })
}

/** The service's tables with a store and 64 accesses. */
function seed(path: string): void {
  const db = new DatabaseSync(path)
  for (const file of readdirSync('drizzle')
    .filter((name) => name.endsWith('.sql'))
    .toSorted()) {
    db.exec(readFileSync(`drizzle/${file}`, 'utf8'))
  }
  db.exec(`
    insert into stores values ('${STORE}', 'Bench', 'EN', 0);
    insert into products (store_id, slug, name, type, created_at) values ('${STORE}', 'p', 'P', 'course', 0);
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 64)
      insert into users (store_id, request_id, email_key, email, name, last_name, role, language, created_at, updated_at)
      select '${STORE}', i, i, i, 'A', 'B', 'student', 'EN', 0, 0 from n;
    insert into product_accesses (store_id, user_id, product_id, status, progress, passed, created_at)
      select '${STORE}', id, 1, 'with_access', 0, 0, 0 from users`)
  db.close()
}
