/**
 * Random batches over a schema with the features of the service's schema, and more. Most succeed, and each constraint
 * fails sometimes.
 */
import type { Random } from './random.ts'

export const SCHEMA = [
  `CREATE TABLE events (id INTEGER PRIMARY KEY, type TEXT NOT NULL, request TEXT, subject INTEGER, previous INTEGER)`,
  `CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT NOT NULL, label TEXT CHECK (length(label) <= 8), score,
    n INTEGER NOT NULL DEFAULT 0 CHECK (n >= 0 AND n < 50), data TEXT, event_id INTEGER NOT NULL)`,
  `CREATE UNIQUE INDEX users_email ON users (id >> 32, lower(email))`,
  `CREATE UNIQUE INDEX users_label ON users (label) WHERE label IS NOT NULL`,
  `CREATE INDEX users_n ON users (n) WHERE n > 5`,
  `CREATE TABLE claims (token INTEGER NOT NULL, key TEXT NOT NULL, mac TEXT NOT NULL, user_id INTEGER, at INTEGER,
    PRIMARY KEY (token, key)) WITHOUT ROWID`,
  `CREATE TABLE accesses (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users (id),
    product TEXT NOT NULL REFERENCES products (slug) ON DELETE CASCADE, due INTEGER, UNIQUE (user_id, product))`,
  `CREATE TABLE products (slug TEXT PRIMARY KEY, days INTEGER, parent TEXT REFERENCES products (slug))`,
  `CREATE TABLE tallies (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, n REAL NOT NULL, at INT) STRICT`,
]

const NEWEST = `(SELECT max(id) FROM events WHERE id BETWEEN ?1 AND ?1 + 4294967295)`
const OWN = `(SELECT id FROM (SELECT id, request FROM events WHERE id BETWEEN ?1 AND ?1 + 4294967295
  ORDER BY id DESC LIMIT 20) WHERE request = ?2)`

/** JSON has no undefined, NaN or bytes, so these are sent as `{ is }`. */
export type Value = null | number | string | boolean | number[] | { is: 'undefined' | 'NaN' | 'bytes' }

export interface Sent {
  sql: string
  params: Value[]
}

export type Method = 'batch' | 'all' | 'run' | 'first' | 'raw'

export interface Batch {
  method: Method
  queries: Sent[]
}

/** Few values of each kind, so that constraints are violated often enough. */
function valuesFrom(random: Random) {
  const store = () => (7 + random.below(3)) * 2 ** 32
  const id = () => store() + 1 + random.below(12)
  const request = () => `r${random.below(40)}`
  const email = () => random.pick(['ada', 'Ada', 'grace', 'käthe', '李', 'eve', 'x\u0000y', '']) + random.below(3)
  const label = () => random.pick([null, null, 'a', 'b', 'c', 'quite too long', '🦉🦉🦉🦉'])
  const small = () => random.pick([0, 1, 2, 7, 9, 3.5, -1, 49, 50])
  const slug = () => random.pick(['p1', 'p2', 'p3'])
  const odd = () =>
    random.pick<Value>([
      null,
      true,
      false,
      1.5,
      2 ** 53 - 1,
      -0,
      1e300,
      '7',
      [1, 2, 255],
      [],
      { is: 'NaN' },
      { is: 'bytes' },
    ])
  const json = () =>
    random.pick(['{"a":1,"b":[1,2,{"c":null}]}', '[]', '[1,2.0,"x",true,null]', '{"a":{"b":"ü"}}', 'no json', '[3,4]'])
  return { store, id, request, email, label, small, slug, odd, json }
}

function statements(random: Random): (() => Sent)[] {
  const { store, id, request, email, label, small, slug, odd, json } = valuesFrom(random)
  const q = (sql: string, ...params: Value[]): Sent => ({ sql, params })
  return [
    // These two have the form of a create: the event decides, and the user is inserted only if the event was.
    () =>
      q(
        `INSERT INTO events SELECT coalesce(${NEWEST}, ?1) + 1, 'user.created', ?2, coalesce(${NEWEST}, ?1) + 1, NULL
          WHERE (CASE WHEN ${OWN} IS NOT NULL THEN 'applied' WHEN EXISTS (SELECT 1 FROM users WHERE id >> 32 = ?1 >> 32
            AND lower(email) = lower(?3)) THEN 'email_taken' END) IS NULL`,
        store(),
        request(),
        email(),
      ),
    () =>
      q(
        `INSERT INTO users (id, email, event_id) SELECT e.id, ?3, e.id FROM events e
          WHERE e.id = ${OWN} AND e.id = ${NEWEST} AND NOT EXISTS (SELECT 1 FROM users WHERE id = e.id) RETURNING id, email`,
        store(),
        request(),
        email(),
      ),
    () =>
      q(
        `UPDATE users SET n = users.n + 1, event_id = e.id FROM events e WHERE e.subject = users.id AND e.id > users.event_id
          AND e.request = ?1 RETURNING users.id, users.n, users.event_id`,
        request(),
      ),
    () =>
      q(`SELECT CASE WHEN ?1 > 5 THEN 'more' WHEN ?1 IS NULL THEN 'none' END AS outcome, typeof(?1) AS type`, odd()),
    () =>
      q(
        'INSERT INTO users (id, email, label, score, n, event_id) VALUES (?, ?, ?, ?, ?, ?)',
        id(),
        email(),
        label(),
        odd(),
        small(),
        id(),
      ),
    () =>
      q(
        `INSERT INTO users (id, email, label, data, event_id) VALUES (?1, ?2, ?3, ?4, ?1)
          ON CONFLICT (id) DO UPDATE SET label = excluded.label, data = coalesce(excluded.data, users.data), n = users.n + 1
          RETURNING id, label, n`,
        id(),
        email(),
        label(),
        json(),
      ),
    () => q('INSERT INTO users (id, email, event_id) VALUES (?, ?, 1) ON CONFLICT DO NOTHING', id(), email()),
    () => q('INSERT OR IGNORE INTO users (id, email, label, event_id) VALUES (?, ?, ?, 1)', id(), email(), label()),
    () => q('REPLACE INTO claims VALUES (?, ?, ?, ?, ?)', small(), request(), email(), id(), odd()),
    () =>
      q(
        `INSERT INTO claims SELECT ?1, ?2, 'mac', u.id, 5 FROM users u WHERE u.id = ?3
          ON CONFLICT (token, key) DO UPDATE SET mac = mac || '+', user_id = excluded.user_id WHERE claims.user_id <> excluded.user_id`,
        random.below(3),
        request(),
        id(),
      ),
    () => q('INSERT INTO claims VALUES (?, ?, ?, ?, ?)', random.below(3), request(), 'mac', null, 1),
    () =>
      q(
        'DELETE FROM claims WHERE (token, key) IN (SELECT token, key FROM claims ORDER BY at, token, key LIMIT 2) RETURNING token, key',
      ),
    () => q('INSERT INTO accesses (id, user_id, product, due) VALUES (?, ?, ?, ?)', id(), id(), slug(), odd()),
    () =>
      q(
        'INSERT INTO accesses (user_id, product) SELECT id, ?1 FROM users WHERE id > ?2 AND id < ?2 + 4 ORDER BY id',
        slug(),
        id(),
      ),
    () => q('UPDATE accesses SET due = iif(due IS NULL, ?1, NULL) WHERE user_id = ?2 RETURNING *', small(), id()),
    () =>
      q(
        'INSERT INTO products VALUES (?, ?, ?) ON CONFLICT (slug) DO UPDATE SET days = excluded.days',
        slug(),
        small(),
        null,
      ),
    () => q('INSERT OR REPLACE INTO products VALUES (?, ?, ?)', slug(), small(), random.pick([null, 'p1', 'p9'])),
    () => q('DELETE FROM products WHERE slug = ?', slug()),
    () => q('DELETE FROM users WHERE id = ?', id()),
    () => q('DELETE FROM events WHERE id < ? AND id <> (SELECT max(id) FROM events)', id()),
    () => q('UPDATE users SET id = id + ?1 WHERE id = ?2', random.below(3), id()),
    () => q('INSERT INTO tallies (name, n, at) VALUES (?, ?, ?) RETURNING *', label(), odd(), small()),
    () => q('UPDATE tallies SET n = n * 1.5, name = ? WHERE id % 3 = 1', label()),
    () => q('DELETE FROM tallies WHERE id % 2 = ?', random.below(2)),
    () =>
      q(
        'SELECT u.id, u.email, u.label, u.score, a.id, a.product AS email FROM users u LEFT JOIN accesses a ON a.user_id = u.id ORDER BY u.id, a.id LIMIT 9',
      ),
    () => q('SELECT id FROM users WHERE id > ?1 AND id < ?1 + 4294967296 ORDER BY id LIMIT ?2', store(), 5),
    () =>
      q(
        'SELECT (SELECT json_group_array(x) FROM (SELECT label AS x FROM users WHERE label NOT NULL ORDER BY x)) AS list, count(*) AS n, max(id) AS top, avg(n) AS mean, total(n) AS sum FROM users',
      ),
    () => q(`SELECT j.key, j.value, j.type, j.path FROM json_each(?) j ORDER BY j.id`, json()),
    () =>
      q(
        `SELECT ?1 ->> '$.a' AS a, json_extract(?1, '$.b[2].c') AS c, json_valid(?1) AS ok, json_type(?1, '$.a') AS type`,
        json(),
      ),
    () => q(`UPDATE users SET data = json_patch(coalesce(data, '{}'), ?1) WHERE id = ?2 RETURNING data`, json(), id()),
    () =>
      q(
        `INSERT INTO users (id, email, event_id) SELECT ?1 + j.key, j.value ->> 'e', j.key FROM json_each(?2) j`,
        id(),
        `[{"e":"${email().replace('\u0000', '')}"},{"e":"m"}]`,
      ),
    () =>
      q(
        'SELECT ? AS given, typeof(?1) AS type, json_array(?1) AS json, length(?1) AS length, quote(?1) AS quoted',
        random.pick([id(), small(), email(), null]),
      ),
    () => q('SELECT hex(?) AS hex, ?1 AS given, cast(round(?1) AS TEXT) AS whole', odd()),
    () =>
      q(
        `SELECT label LIKE ? AS found, instr(email, ?) AS at, substr(email, 2) AS rest, lower(email) AS low FROM users ORDER BY id LIMIT 3`,
        random.pick(['A%', '%'.repeat(random.pick([9, 51]))]),
        'a',
      ),
    () =>
      q(
        'WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < ?) SELECT i, sum(i) OVER (ORDER BY i) AS sum FROM r',
        4,
      ),
    () =>
      random.pick([
        q('SELECT nope FROM users'),
        q('SELEC 1'),
        q('SELECT * FROM nowhere'),
        q('INSERT INTO users (id) VALUES (?)', id()),
        q('SELECT ?', 1, 2),
        q('SELECT ?2', 1),
        q('SELECT ?', { is: 'undefined' }),
        q('UPDATE users SET id = ?', email()),
        q('SELECT 1', ...Array.from({ length: 101 }, () => 1)),
        q(`SELECT ${'?, '.repeat(100)}?`, ...Array.from({ length: 101 }, () => 1)),
        q(''),
      ]),
  ]
}

export function generateBatch(random: Random): Batch {
  const kinds = statements(random)
  // The last kind are errors. They are rare, or almost every batch would fail at its first statements.
  const one = () =>
    (random.chance(0.02) ? kinds[kinds.length - 1] : kinds[random.below(kinds.length - 1)])?.() ?? {
      sql: '',
      params: [],
    }
  const method = random.weighted({ batch: 8, all: 1, run: 1, first: 1, raw: 1 })
  const queries = Array.from({ length: method === 'batch' ? random.below(7) : 1 }, one)
  return { method, queries }
}
