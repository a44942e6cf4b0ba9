/**
 * `npm run simulate:compare [-- --seed N] [--batches N]`: the same seeded batches to the simulated D1 and to the one
 * of workerd. What they answer, change and refuse must be equal, or nothing that the simulation says can be believed.
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
/** How many go to workerd at once. */
const CHUNK = 200

/** Its text runs in workerd, too, so it uses nothing from around it. */
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
    // `run` answers rows, too, but not over the protocol that Miniflare uses.
    return { results: method === 'run' ? undefined : results, meta: metaOf(meta) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : 'no error' }
  }
}

const WORKER = `
${perform.toString()}
export default {
  async fetch(request, { DB }) {
    const answers = []
    for (const batch of await request.json()) answers.push(await perform(DB, batch))
    return Response.json(answers)
  },
}`

async function startWorkerd(): Promise<{ ask: (batches: Batch[]) => Promise<unknown[]>; stop: () => Promise<void> }> {
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
    async ask(batches) {
      const response = await miniflare.dispatchFetch('http://compare.test/', {
        method: 'POST',
        body: JSON.stringify(batches),
      })
      const answers: unknown = await response.json()
      if (!Array.isArray(answers)) throw new Error('workerd answered no list')
      return answers
    },
    stop: () => miniflare.dispose(),
  }
}

/** The texts of two kinds of errors are not quite the same (sqlite.ts). */
function normalise(answer: unknown): unknown {
  const text = JSON.stringify(answer) ?? 'null'
  return JSON.parse(text.replace(/ at offset \d+(?=: SQLITE_ERROR)/, ''))
}

const random = new Random(seed, 'compare')
const first: Batch[] = [
  { method: 'batch', queries: SCHEMA.map((sql) => ({ sql, params: [] })) },
  // `last_row_id` is what the connection last inserted, in workerd at first a row of its own.
  { method: 'batch', queries: [{ sql: 'INSERT INTO products VALUES (?, ?, ?)', params: ['p1', 1, null] }] },
]
const batches = [...first, ...Array.from({ length: count }, () => generateBatch(random))]

const workerd = await startWorkerd()
const simulated = immediateD1(new Database())
const tally = { batches: 0, statements: 0, refused: 0, changes: 0 }
try {
  for (let start = 0; start < batches.length; start += CHUNK) {
    const chunk = batches.slice(start, start + CHUNK)
    const real = await workerd.ask(chunk)
    for (const [i, batch] of chunk.entries()) {
      const [expected, found] = [normalise(real[i]), normalise(await perform(simulated, batch))]
      // The schema's own counts are those of workerd's catalogue.
      if (start + i > 0 && !isDeepStrictEqual(expected, found)) {
        console.error(`seed ${seed}, batch ${start + i} differs\nworkerd:   ${JSON.stringify(expected)}`)
        console.error(`simulated: ${JSON.stringify(found)}\n${JSON.stringify(batch, null, 2)}`)
        process.exitCode = 1
        break
      }
      tally.batches++
      tally.statements += batch.queries.length
      const text = JSON.stringify(found) ?? ''
      if (text.startsWith('{"error"')) tally.refused++
      else tally.changes += [...text.matchAll(/"changes":(\d+)/g)].reduce((sum, [, n]) => sum + Number(n), 0)
    }
    if (process.exitCode === 1) break
  }
} finally {
  await workerd.stop()
}
console.log(`seed ${seed}: ${JSON.stringify(tally)}${process.exitCode === 1 ? ', then a difference' : ', all equal'}`)
