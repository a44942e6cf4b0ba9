/**
 * The findings of the simulation mean nothing for the service unless its D1 does what workerd's does. So both get the
 * batches of a run, one after another, and statements that fail: rows, changes and errors must be equal.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { it } from 'node:test'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import { createD1, type D1 } from './d1.ts'
import { readMigrations } from './source.ts'
import { Database, type Query } from './sqlite.ts'

/** In this run, events are purged, and nothing but the Worker writes into the database. */
const SEED = 3
/** The number of batches in a request to workerd. */
const CHUNK = 500

const one = (sql: string, ...params: Query['params']): Query[] => [{ sql, params }]
const many = (count: number, text: string) => Array.from({ length: count }, () => text)

const FAILING: Query[][] = [
  one(`create table failing (id integer primary key, a text not null, b integer check (b > 0), c integer unique,
    d integer references failing (id))`),
  one('insert into failing values (1, ?, 1, 1, null) returning *', 'ü\u0000x'),
  [
    ...one('insert into failing values (2, ?, 1, 2, null)', 'a'),
    ...one('insert into failing values (3, ?, 1, 1, null)', 'a'),
  ],
  one('select count(*) as n from failing'),
  one('insert into failing values (1, ?, 1, 3, null)', 'a'),
  one('insert into failing values (4, ?, 1, 4, null)', null),
  one('insert into failing values (4, ?, 0, 4, null)', 'a'),
  one('insert into failing values (4, ?, 1, 4, 9)', 'a'),
  one('insert into failing values (?, ?, 1, 4, null)', 'no number', 'a'),
  one('select json_extract(?, ?) as x', 'no json', '$.a'),
  one('selec 1'),
  one('select nothing from failing'),
  one('select * from nowhere'),
  one('select ?', 1, 2),
  one(`select ${many(101, '?').join()}`, ...many(101, 'a')),
  one(`select ${many(101, '1').join()}`),
  one(`select ${many(101, '1').join(' + ')}`),
  one(many(6, 'select 1').join(' union all ')),
  one('select ? like ? as x', 'a', '%'.repeat(51)),
  one(`select '${'x'.repeat(100_001)}'`),
]

/** Its text also runs in workerd, so it uses nothing from outside of it. */
async function perform(db: D1, queries: Query[]): Promise<unknown> {
  try {
    const results = await db.batch(queries.map(({ sql, params }) => db.prepare(sql).bind(...params)))
    return results.map(({ results: rows, meta }) => ({ rows, changes: meta.changes }))
  } catch (error) {
    return error instanceof Error ? error.message : 'no error'
  }
}

const WORKER = `
${perform.toString()}
export default {
  async fetch(request, { DB }) {
    const results = []
    for (const queries of await request.json()) results.push(await perform(DB, queries))
    return Response.json(results)
  },
}`

function startWorkerd(): Miniflare {
  const modules = [{ type: 'ESModule' as const, path: 'compare.js', contents: WORKER }]
  const worker = { name: 'compare', modules, compatibilityDate: '2026-10-20', d1Databases: { DB: 'compare' } }
  return new Miniflare(convertV4MiniflareOptions({ cf: false, log: new Log(LogLevel.ERROR), workers: [worker] }))
}

/** In a process of its own, because a simulation replaces the globals. */
function batchesOfRun(): Query[][] {
  const { stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'record.ts'), String(SEED)], {
    encoding: 'utf8',
    maxBuffer: 2 ** 29,
  })
  assert.ok(stdout.startsWith('['), stderr)
  return JSON.parse(stdout)
}

/** node:sqlite does not report where a syntax error is. */
const withoutOffset = (result: unknown) =>
  typeof result === 'string' ? result.replace(/ at offset \d+(?=: SQLITE_ERROR)/, '') : result

it('The simulated D1 returns what that of workerd returns', async () => {
  const schema = readMigrations()
    .split(';')
    .filter((sql) => sql.trim() !== '')
    .flatMap((sql) => one(sql))
  const batches = [...schema.map((query) => [query]), ...batchesOfRun(), ...FAILING]
  const database = new Database()
  const simulated = createD1(async (queries) => database.execute(queries))
  const workerd = startWorkerd()
  try {
    for (let start = 0; start < batches.length; start += CHUNK) {
      const chunk = batches.slice(start, start + CHUNK)
      const response = await workerd.dispatchFetch('http://compare.test/', {
        method: 'POST',
        body: JSON.stringify(chunk),
      })
      const real: unknown = await response.json()
      assert.ok(Array.isArray(real))
      for (const [i, queries] of chunk.entries()) {
        const found = await perform(simulated, queries)
        // workerd counts rows of its catalogue where the schema is made.
        if (start + i >= schema.length)
          assert.deepEqual(withoutOffset(found), withoutOffset(real[i]), JSON.stringify(queries))
      }
    }
  } finally {
    await workerd.dispose()
  }
})
