/** At the end, every list is read page by page, by different callers, and compared with the model and with other lists. */
import { asTokensSee } from '../checks/evidence.ts'
import { hasParameter } from '../operations.ts'
import type { Caller } from '../reference/operation.ts'
import { iso, type SentEvent } from '../reference/state.ts'
import type { Random } from '../world/random.ts'
import { type Row, toRow } from '../rows.ts'
import { findDifference } from './compare-json.ts'
import { type Examiner, requestOf, ROOT } from './examiner.ts'
import { keepersOf } from './keepers.ts'
import { accessLists, ALL_RECORDS, PLAIN_LISTS, userLists } from './lists.ts'
import { isCausedHere, readFeed } from './decide.ts'

const MAX_LIMIT = 100

export async function readEverything(exam: Examiner, random: Random): Promise<void> {
  await exam.pass(1000)
  const [token = ROOT] = keepersOf(exam)
  const events = await readFeed(exam)
  checkFeed(exam, events)
  for (const path of [...userLists(exam, random), ...accessLists(exam, random)]) {
    await readList(exam, random.pick([token, ROOT, exam.operators.viewer]), path, 1 + random.below(7))
  }
  for (const path of PLAIN_LISTS)
    await readList(exam, random.pick([ROOT, exam.operators.viewer]), path, 1 + random.below(4))
  await checkLastUse(exam, token)
  await readNewestFirst(exam, random)
  if (exam.oldest === 1) await readFilteredFeeds(exam, random, token, events)
  await readHistories(exam, random, token, events)
}

/** Compares the records and their events with the model. A request that ends unknown replaces the model by what is there. */
export async function checkRecords(exam: Examiner): Promise<void> {
  checkFeed(exam, await readFeed(exam))
  const list = { caller: ROOT, slug: exam.model.slug, limit: MAX_LIMIT }
  for (const path of ALL_RECORDS) await exam.readPages('before a fault', { ...list, path })
}

/** A token shows the day of its last use, and no time. Whoever does nothing but read the token itself does not use it. */
async function checkLastUse(exam: Examiner, caller: Caller): Promise<void> {
  await exam.send('use', requestOf(caller, 'GET', exam.model.slug, '/users?limit=1'), { status: 200 })
  await exam.pass(1000)
  const tokenPrefix = /^rgs_\d+_/.exec(caller.secret ?? '')?.[0] ?? 'no token'
  const uses = exam.history.exchanges.filter(
    ({ request: { method, path, token } }) => token.startsWith(tokenPrefix) && `${method} ${path}` !== 'GET /v1/token',
  )
  const used = new Set(uses.map(({ request }) => request.token.slice(tokenPrefix.length).split('_')[0]))
  for (const { id, last_used_at } of await exam.readPages('last use', {
    caller: ROOT,
    slug: exam.model.slug,
    path: '/tokens',
  })) {
    const day = `${iso(exam.now).slice(0, 10)}T00:00:00.000Z`
    const isDay = typeof last_used_at === 'string' && last_used_at.endsWith('T00:00:00.000Z')
    const isPossible = last_used_at === null || (isDay && used.has(String(id)))
    if (id === caller.token?.id ? last_used_at !== day : !isPossible)
      exam.violate(`token ${String(id)} was last used at ${String(last_used_at)}, not on ${day}`)
  }
}

/** Reads a list in its order and, if it can be reversed, backwards. */
async function readList(exam: Examiner, caller: Caller, path: string, limit: number): Promise<void> {
  const list = { caller, slug: exam.model.slug, limit }
  await exam.readPages('all of', { ...list, path })
  const operation = `GET /admin/stores/{store_id}${path.replace(/\?.*/, '')}`
  if (!hasParameter(operation, 'order') || path.includes('q=')) return
  await exam.readPages('all of', { ...list, path: `${path}${path.includes('?') ? '&' : '?'}order=desc` })
}

/** The feed and its filters. */
async function readEvents(exam: Examiner, caller: Caller, path: string, events: Row[], limit: number): Promise<void> {
  const rows = caller.token ? events.map(asTokensSee) : events
  const reversed = `${path}${path.includes('?') ? '&' : '?'}order=desc`
  await exam.expectRows('all of', caller, path, rows, limit)
  await exam.expectRows('all of', caller, reversed, rows.toReversed(), limit)
}

/** Lists that are newest first, unless the order is reversed. */
async function readNewestFirst(exam: Examiner, random: Random): Promise<void> {
  const ids = [...exam.model.bulkChanges.keys()]
  const endpoints = [...exam.model.endpoints.keys()].slice(0, 2)
  const lists = [
    { path: '/bulk_changes', rows: ids.map((id) => ({ id })) },
    ...endpoints.map((id) => ({ path: `/webhook_endpoints/${id}/deliveries`, rows: undefined })),
  ]
  for (const { path, rows } of lists) {
    const list = { caller: random.pick([ROOT, exam.operators.viewer, exam.operators.limited]), slug: exam.model.slug }
    const limit = 2 + random.below(9)
    const oldestFirst = rows ?? (await exam.readPages('oldest first', { ...list, path: `${path}?order=asc`, limit }))
    if (rows) await exam.expectRows('all of', ROOT, `${path}?order=asc`, rows, limit)
    await exam.expectRows('all of', list.caller, path, oldestFirst.toReversed(), limit)
  }
}

/** Each change of the examiner has its event, and nothing else has one, except for what the service does by itself. */
function checkFeed(exam: Examiner, events: Row[]): void {
  const { model } = exam
  const actual = events.filter(isCausedHere).map(toComparable)
  const expected = model.events.map((event) => toComparable(shown(event, model.slug)))
  for (let i = 0; i < Math.max(actual.length, expected.length); i++) {
    const difference =
      findDifference(actual[i] ?? {}, expected[i] ?? {}) ?? (expected[i] ? undefined : 'it is not expected')
    if (difference === undefined) continue
    exam.violate(`event ${JSON.stringify(actual[i])}: ${difference}, expected ${JSON.stringify(expected[i])}`)
    return
  }
}

function shown({ type, data, at, requestId, actor }: SentEvent, slug: string): Row {
  return { type, data, timestamp: iso(at), store_id: slug, request_id: requestId, actor }
}

/** The order of the names of fields says nothing, and an update of an endpoint may show different details. */
function toComparable(event: Row): Row {
  const data = toRow(event['data'])
  const { fields, changes: _, ...ids } = data
  if (event['type'] === 'webhook_endpoint.updated')
    return { ...event, data: { webhook_endpoint_id: data['webhook_endpoint_id'] } }
  return Array.isArray(fields) ? { ...event, data: { ...ids, fields: fields.map(String).toSorted() } } : event
}

async function readFilteredFeeds(exam: Examiner, random: Random, token: Caller, events: Row[]): Promise<void> {
  if (events.length === 0) return
  const { type } = random.pick(events)
  const ids = events.flatMap(({ data }) =>
    Object.entries(toRow(data)).filter(([key]) => key === 'user_id' || key === 'product_access_id'),
  )
  const [key = '', id = ''] = ids.length > 0 ? random.pick(ids) : []
  const filters: [string, (event: Row) => boolean][] = [
    ['', () => true],
    [`?type=${String(type)}`, (event) => event['type'] === type],
    [`?${key}=${String(id)}`, ({ data }) => toRow(data)[key] === id],
    [
      `?${key}=${String(id)}&type=${String(type)}`,
      ({ data, ...event }) => toRow(data)[key] === id && event['type'] === type,
    ],
  ]
  for (const [query, matches] of filters.slice(0, key === '' ? 2 : 4)) {
    const caller = random.pick([token, ROOT])
    await readEvents(exam, caller, `/events${query}`, events.filter(matches), 5 + random.below(40))
  }
}

async function readHistories(exam: Examiner, random: Random, token: Caller, events: Row[]): Promise<void> {
  const newestFirst = events.toReversed()
  const count = (id: string) => events.filter(({ data }) => toRow(data)['product_access_id'] === id).length
  for (const id of [...exam.model.users.keys()].slice(-3)) {
    const rows = newestFirst.filter(
      ({ type, data }) => String(type).startsWith('user.') && toRow(data)['user_id'] === id,
    )
    await exam.expectRows('history', token, `/users/${id}/events`, rows.map(asTokensSee), 1 + random.below(3))
  }
  const accesses = [...exam.model.accesses.keys()].toSorted((a, b) => count(b) - count(a))
  for (const id of accesses.slice(0, 5)) {
    const rows = newestFirst.filter(({ data }) => toRow(data)['product_access_id'] === id)
    await exam.expectRows('history', ROOT, `/product_accesses/${id}/events`, rows, 1 + random.below(3))
    // An event of another record is no cursor of this history.
    const other = newestFirst.find(
      ({ data }) => toRow(data)['product_access_id'] !== id && toRow(data)['user_id'] !== undefined,
    )
    if (!other) continue
    const path = `/product_accesses/${id}/events?after=${String(other['id'])}`
    await exam.send('history from elsewhere', requestOf(ROOT, 'GET', exam.model.slug, path), {
      status: 200,
      json: () => ({ data: [] }),
    })
  }
}
