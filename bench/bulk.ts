/**
 * Measures a bulk change of many accesses, and what it costs the others: the updates of another store, before it and
 * while it runs.
 */
import { ADMIN_TOKEN, host, migrate } from './host.ts'
import { load, median } from './load.ts'
import { caller, operationsFor, prepare } from './operations.ts'
import type { Progress, Settings } from './settings.ts'

const STORE = 'bulk'
const PATH = `/admin/stores/${STORE}/bulk_changes`

export interface Bulk {
  name: string
  accesses: number
  seconds: number
  /** The p50 of another store's update, in ms. */
  before: number
  during: number
}

export async function benchBulk(bundle: string, settings: Settings, progress: Progress): Promise<Bulk[]> {
  const hosted = await host([{ name: 'ours', module: bundle, objects: 'ours' }])
  try {
    const db = await hosted.db()
    await migrate(db)
    const origin = await hosted.origin('ours')
    const update = operationsFor(await prepare(origin)).find(({ name }) => name === 'update access')
    if (!update) throw new Error('there is no update')
    const measure = async (milliseconds: number) => {
      const { next, status } = update
      return (await load({ origin, connections: 1, milliseconds, next: () => next('ours'), status })).p50
    }
    const call = caller(origin)
    await call('POST', '/admin/stores', ADMIN_TOKEN, { id: STORE, name: 'Bulk', language: 'EN' })
    progress(`bulk: seeding ${settings.bulkAccesses} accesses`)
    await seed(db, settings.bulkAccesses)
    await measure(settings.warmUpMs)

    /** Sends the request, and measures until the bulk change has ended. */
    const run = async (name: string, path: string, body: object): Promise<Bulk & { id: string }> => {
      progress(`bulk: ${name}`)
      const before = await measure(settings.milliseconds * 3)
      const started = Date.now()
      const { id } = await call('POST', path, ADMIN_TOKEN, body)
      const p50s: number[] = []
      for (;;) {
        p50s.push(await measure(settings.milliseconds))
        const { state, changed, finished_at } = await call('GET', `${PATH}/${String(id)}`, ADMIN_TOKEN)
        if (state === 'queued' || state === 'running') continue
        if (state !== 'done' || changed !== settings.bulkAccesses) throw new Error(`it ended ${String(state)}`)
        const seconds = (Date.parse(String(finished_at)) - started) / 1000
        return { id: String(id), name, accesses: settings.bulkAccesses, seconds, before, during: median(p50s) }
      }
    }
    const { id, ...extended } = await run('extend', PATH, { filter: {}, change: { extend_days: 30 } })
    const { id: _, ...reverted } = await run('revert', `${PATH}/${id}/revert`, {})
    return [extended, reverted]
  } finally {
    await hosted.stop()
  }
}

/** Inserts users with an access each, and the events that created them. */
async function seed(db: D1Database, count: number): Promise<void> {
  const [row] = (await db.prepare('select id from stores where slug = ?').bind(STORE).all()).results
  const series = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < ?2)'
  const values = [row?.['id'], count]
  const event = (position: string, type: string) =>
    db
      .prepare(
        `insert into events (id, type, created_at, request_id, attempt, subject_id)
        ${series} select ${position}, '${type}', 0, '', 0, ${position} from n`,
      )
      .bind(...values)
  const user = "'u' || i || '@example.com'"
  await db.batch([
    db
      .prepare(
        `insert into events (id, type, created_at, request_id, attempt, subject_id)
        values (?1 + 1, 'product.created', 0, '', 0, ?1 + 1)`,
      )
      .bind(values[0]),
    db
      .prepare(
        `insert into products (id, store, slug, name, type, created_at, event_id)
        values (?1 + 1, cast(?1 as integer) >> 32, 'p', 'P', 'course', 0, ?1 + 1)`,
      )
      .bind(values[0]),
    event('?1 + 2 * i', 'user.created'),
    event('?1 + 2 * i + 1', 'product_access.granted'),
    db
      .prepare(
        `insert into users (id, store, email_key, email, name, last_name, name_folded, last_name_folded, role, language, created_at, updated_at, event_id)
        ${series} select ?1 + 2 * i, cast(?1 as integer) >> 32, ${user}, ${user}, 'Ada', 'Lovelace', 'ada', 'lovelace', 'student', 'EN', 0, 0,
          ?1 + 2 * i from n`,
      )
      .bind(...values),
    db
      .prepare(
        `insert into product_accesses (id, store, user_id, product_id, status, access_due_date, progress, passed,
          created_at, event_id, changed_by)
        ${series} select ?1 + 2 * i + 1, cast(?1 as integer) >> 32, ?1 + 2 * i, ?1 + 1, 'with_access', 4102444800000 + i, 0,
          0, 0, ?1 + 2 * i + 1, ?1 + 2 * i + 1 from n`,
      )
      .bind(...values),
  ])
}
