/**
 * `npm run simulate:compare [-- --seed N] [--batches N]`: sends the same seeded batches to the simulated D1 and to
 * workerd's. Results, changes and errors must be equal, or the findings of the simulation mean nothing for the service.
 */
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import { type Batch, generateBatch, SCHEMA } from './compare-batches.ts'
import { type D1, immediateD1 } from './d1.ts'
import { Random } from './random.ts'
import { Database } from './sqlite.ts'

const { values } = parseArgs({ options: { seed: { type: 'string' }, batches: { type: 'string' } } })
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const count = Number(values.batches ?? 6000)
/** The number of batches per request to workerd. */
const CHUNK = 200

/** The text of this function also runs in workerd, so it must not use anything from outside of it. */
async function perform(db: D1, { method, queries }: Batch): Promise<unknown> {
  const special = new Map<string, unknown>([
    ['undefined', undefined],
    ['NaN', NaN],
    ['bytes', new Uint8Array([1, 0, 255])],
  ])
  const metaOf = ({ changes, last_row_id }: { changes: number; last_row_id: number }) => ({ changes, last_row_id })
  try {
    const statements = queries.map(({ sql, params }) =>
      db
        .prepare(sql)
        .bind(
          ...params.map((param) =>
            param !== null && typeof param === 'object' && 'is' in param ? special.get(param.is) : param,
          ),
        ),
    )
    if (method === 'batch') {
      return (await db.batch(statements)).map(({ results, meta }) => ({ results, meta: metaOf(meta) }))
    }
    const [statement] = statements
    if (statement === undefined) return null
    if (method === 'first') return await statement.first()
    if (method === 'raw') return await statement.raw({ columnNames: true })
    const { results, meta } = await statement[method]()
    // `run` also returns rows, but not over the protocol that Miniflare uses.
    return { results: method === 'run' ? undefined : results, meta: metaOf(meta) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : 'no error' }
  }
}

const WORKER = `
${perform.toString()}
export default {
  async fetch(request, { DB }) {
    const results = []
    for (const batch of await request.json()) results.push(await perform(DB, batch))
    return Response.json(results)
  },
}`

async function startWorkerd(): Promise<{ send: (batches: Batch[]) => Promise<unknown[]>; stop: () => Promise<void> }> {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      log: new Log(LogLevel.ERROR),
      workers: [
        {
          name: 'compare',
          modules: [{ type: 'ESModule', path: 'compare.js', contents: WORKER }],
          compatibilityDate: '2026-10-20',
          d1Databases: { DB: 'compare' },
        },
      ],
    }),
  )
  await miniflare.ready
  return {
    async send(batches) {
      const response = await miniflare.dispatchFetch('http://compare.test/', {
        method: 'POST',
        body: JSON.stringify(batches),
      })
      const results: unknown = await response.json()
      if (!Array.isArray(results)) throw new Error('workerd did not return a list')
      return results
    },
    stop: () => miniflare.dispose(),
  }
}

/** node:sqlite does not report the offset of a syntax error (sqlite.ts). */
function normalise(result: unknown): unknown {
  const text = JSON.stringify(result) ?? 'null'
  return JSON.parse(text.replace(/ at offset \d+(?=: SQLITE_ERROR)/, ''))
}

const random = new Random(seed, 'compare')
const first: Batch[] = [
  { method: 'batch', queries: SCHEMA.map((sql) => ({ sql, params: [] })) },
  // `last_row_id` is the row that the connection last inserted. In workerd that is at first an internal row.
  { method: 'batch', queries: [{ sql: 'INSERT INTO products VALUES (?, ?, ?)', params: ['p1', 1, null] }] },
]
const batches = [...first, ...Array.from({ length: count }, () => generateBatch(random))]

const workerd = await startWorkerd()
const simulated = immediateD1(new Database())
const tally = { batches: 0, statements: 0, rejected: 0, changes: 0 }
try {
  for (let start = 0; start < batches.length; start += CHUNK) {
    const chunk = batches.slice(start, start + CHUNK)
    const real = await workerd.send(chunk)
    for (const [i, batch] of chunk.entries()) {
      const [expected, found] = [normalise(real[i]), normalise(await perform(simulated, batch))]
      // The first batch creates the schema. workerd counts rows of its catalogue there.
      if (start + i > 0 && !isDeepStrictEqual(expected, found)) {
        console.error(`seed ${seed}, batch ${start + i} differs\nworkerd:   ${JSON.stringify(expected)}`)
        console.error(`simulated: ${JSON.stringify(found)}\n${JSON.stringify(batch, null, 2)}`)
        process.exitCode = 1
        break
      }
      tally.batches++
      tally.statements += batch.queries.length
      const text = JSON.stringify(found) ?? ''
      if (text.startsWith('{"error"')) tally.rejected++
      else tally.changes += [...text.matchAll(/"changes":(\d+)/g)].reduce((sum, [, n]) => sum + Number(n), 0)
    }
    if (process.exitCode === 1) break
  }
} finally {
  await workerd.stop()
}
console.log(`seed ${seed}: ${JSON.stringify(tally)}${process.exitCode === 1 ? ', then a difference' : ', all equal'}`)
