/** Reads a store by different callers, and compares what they see with each other and with what was sent. */
import { asTokensSee } from '../checks/evidence.ts'
import type { Caller } from '../reference/operation.ts'
import type { Random } from '../world/random.ts'
import { findDifference } from './compare-json.ts'
import { type Row, toRow, toRows } from '../rows.ts'
import { type Examiner, requestOf, ROOT } from './examiner.ts'
import { COUNTED } from './statistics.ts'

/** Reads the lists of another store by an operator and by a token, and each record by itself. */
export async function compareReaders(
  exam: Examiner,
  store: { id: string; secret: string },
  random: Random,
): Promise<void> {
  const token = {
    secret: store.secret,
    actor: {},
    token: { id: '', json: {}, secret: store.secret, scopes: [], older: [] },
  }
  for (const path of ['/users', '/product_accesses', '/events']) {
    if (path === '/events' && exam.oldest > 1) continue
    const list = { slug: store.id, path }
    const operators = await exam.readPages('read as an operator', { ...list, caller: ROOT })
    const limit = 20 + random.below(60)
    const integrators = await exam.readPages('read as an integrator', { ...list, caller: token, limit })
    const expected = path === '/events' ? operators.map(asTokensSee) : operators
    const difference = findDifference(integrators, expected)
    if (difference !== undefined) exam.violate(`${store.id} ${path} as read by a token: ${difference}`)
    for (const row of path === '/events' ? [] : operators.slice(-3)) {
      const request = requestOf(token, 'GET', store.id, `${path}/${String(row['id'])}`)
      await exam.send('read alone', request, { status: 200, json: () => row })
    }
  }
  await readFiltered(exam, token, store.id)
  await countAttempts(exam, store.id)
  await compareStatistics(exam, store.id)
}

/** After so long, the job has counted an event. */
const COUNTED_MS = 10 * 60_000

/** The totals are those of the lists, and each day counts its events, however often the job was interrupted. */
async function compareStatistics(exam: Examiner, slug: string): Promise<void> {
  const read = (path: string) => exam.readPages('to be counted', { slug, path, caller: ROOT })
  const events = await read('/events')
  const [oldest, newest] = [events[0], events.at(-1)]
  if (oldest?.['id'] !== '1' || exam.now - Date.parse(String(newest?.['timestamp'])) < COUNTED_MS) return
  const request = requestOf(ROOT, 'GET', slug, '/stats?days=90')
  const { json } = await exam.send('statistics', request, { status: 200 })
  const { users, accesses } = toRow(json['totals'])
  const totals = { users: (await read('/users')).length, accesses: (await read('/product_accesses')).length }
  const difference = findDifference({ users, accesses }, totals)
  if (difference !== undefined) exam.violate(`${slug}: of the totals ${difference}`)
  for (const day of toRows(json['days'])) {
    for (const [name, type] of Object.entries(COUNTED)) {
      const isOfDay = ({ timestamp }: Row) => String(timestamp).startsWith(String(day['day']))
      const count = events.filter((event) => isOfDay(event) && event['type'] === type).length
      if (day[name] !== count)
        exam.violate(`${slug}: ${name} of ${String(day['day'])} is ${String(day[name])}, not ${count}`)
    }
  }
}

/** Other stores, some with a higher number, have users with the same emails and products with the same slugs. */
async function readFiltered(exam: Examiner, caller: Caller, slug: string): Promise<void> {
  const filters = {
    '/users': ['email', 'external_id'],
    '/products': ['slug'],
    '/product_accesses': ['user_id', 'status'],
  }
  for (const [path, names] of Object.entries(filters)) {
    const rows = await exam.readPages('all', { slug, path, caller })
    for (const name of names) {
      const value = rows.findLast((row) => row[name] !== undefined)?.[name]
      if (typeof value !== 'string') continue
      const filtered = { slug, path: `${path}?${name}=${encodeURIComponent(value)}`, caller }
      const found = await exam.readPages('filtered', filtered)
      const difference = findDifference(
        found,
        rows.filter((row) => row[name] === value),
      )
      if (difference !== undefined) exam.violate(`${slug} ${filtered.path}: ${difference}`)
    }
  }
}

/** A delivery has had at most as many attempts as requests were sent with its id. */
async function countAttempts(exam: Examiner, slug: string): Promise<void> {
  for (const { id, url } of await exam.readPages('endpoints', { slug, path: '/webhook_endpoints', caller: ROOT })) {
    const path = `/webhook_endpoints/${String(id)}/deliveries`
    for (const { event_id, attempts } of await exam.readPages('deliveries', { slug, path, caller: ROOT })) {
      const sent = exam.world.sent.get(`${String(url)} ${String(event_id)}`) ?? 0
      if (Number(attempts) > sent)
        exam.violate(`${path}: event ${String(event_id)} had ${String(attempts)} attempts, but ${sent} were sent`)
    }
  }
}
