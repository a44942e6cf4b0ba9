/** Starts Fastify in its own process, because the load generator in this one would slow it down. */
import { fork } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { idOf } from '../../src/db/ids.ts'
import { newSecret, writeToken } from '../../src/domain/tokens/token-format.ts'
import { TOKEN_KEY } from '../host.ts'
import { type Fixture, STORE } from '../operations.ts'

export interface Fastify extends Fixture {
  origin: string
  stop: () => void
}

const ACCESSES = 64
const STORE_NUMBER = 1

export async function startFastify(directory: string): Promise<Fastify> {
  const path = join(directory, 'bench.sqlite')
  const fixture = seed(path)
  const child = fork(join(import.meta.dirname, 'fastify.js'), [path, TOKEN_KEY])
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`Fastify exited with ${code}`)))
    child.once('message', (message) => {
      const { port }: { port: number } = JSON.parse(JSON.stringify(message))
      resolve({ ...fixture, origin: `http://127.0.0.1:${port}`, stop: () => void child.kill() })
    })
  })
}

/** Creates the tables of the service with a store, its token, a product, and users with an access each. */
function seed(path: string): Fixture {
  const db = new DatabaseSync(path)
  for (const file of readdirSync('drizzle')
    .filter((name) => name.endsWith('.sql'))
    .toSorted()) {
    db.exec(readFileSync(`drizzle/${file}`, 'utf8'))
  }
  const id = (n: number) => idOf(STORE_NUMBER, n)
  const { bits, hash } = newSecret()
  const [token, product, firstUser] = [2, 3, 4]
  const firstAccess = firstUser + ACCESSES
  const newest = firstAccess + ACCESSES
  db.exec(`
    insert into events (id, type, created_at, request_id, attempt, subject_id) values (${id(newest)}, 'store.created', 0, 'r', 0, 0);
    insert into stores (id, slug, name, language, expiry_notice_days, created_at, event_id)
      values (${id(1)}, '${STORE}', 'Bench', 'EN', 7, 0, ${id(1)});
    insert into access_tokens (id, name, hash, scopes, created_at, event_id)
      values (${id(token)}, 'Bench', '${hash}', 'users:write product_accesses:write', 0, ${id(token)});
    insert into products (id, store, slug, name, type, created_at, event_id)
      values (${id(product)}, ${STORE_NUMBER}, 'p', 'P', 'course', 0, ${id(product)});
    with recursive n(i) as (select 0 union all select i + 1 from n where i < ${ACCESSES - 1})
      insert into users
        (id, store, email_key, email, name, last_name, name_folded, last_name_folded, role, language, created_at, updated_at, event_id)
      select ${id(firstUser)} + i, ${STORE_NUMBER}, i, i, 'A', 'B', 'a', 'b', 'student', 'EN', 0, 0, ${id(firstUser)} + i from n;
    insert into product_accesses
        (id, store, user_id, product_id, status, progress, passed, created_at, event_id, changed_by)
      select id + ${ACCESSES}, store, id, ${id(product)}, 'with_access', 0, 0, 0, id, id from users`)
  db.close()
  const accessIds = Array.from({ length: ACCESSES }, (_, i) => String(firstAccess + i))
  const written = writeToken(TOKEN_KEY, id(token), bits)
  return { store: STORE, token: written, accessIds, datedAccessIds: accessIds, product_id: String(product) }
}
