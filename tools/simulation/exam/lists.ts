/** The lists that the examiner reads, and the files of them: a page as a task, and all of them, page by page, at its end. */
import * as contract from '../contract.ts'
import { SEARCH } from '../../../src/modules/users/limits.ts'
import { folded } from '../reference/search.ts'
import type { Random } from '../world/random.ts'
import { type Row, toRow } from '../rows.ts'
import { pickAccess } from './accesses.ts'
import type { Examiner, Prepared } from './examiner.ts'
import { NO_ID, ofOperators, ofStore, type Task } from './task.ts'
import { pickUser } from './users.ts'

const encoded = (value: unknown) => encodeURIComponent(String(value))
const lower = (value: unknown) => String(value).toLowerCase()
const digits = (value: unknown) => String(value).replaceAll(/[^0-9]/g, '')

/** What one would type to find this user. */
function searches(exam: Examiner, { name, last_name, email, external_id, phone }: Row): string[] {
  const words = (value: unknown) => String(value).split(' ')
  const last = words(last_name).at(-1) ?? ''
  const [, given = ''] = words(name)
  const personal = contract.personal(exam.model.slug, '').trim()
  return [
    personal.slice(0, 6),
    last,
    folded(given).toUpperCase(),
    `${last} ${given}`,
    String(email).slice(3, 14),
    String(email).split('@').at(-1) ?? '',
    ...(phone === undefined ? [] : [`${digits(phone).slice(-5)}.`]),
    ...(external_id === undefined || external_id === '' ? [] : [Array.from(lower(external_id)).slice(0, 7).join('')]),
  ]
    .filter((text) => text.trim() !== '')
    .map((text) => encoded(Array.from(text).slice(0, SEARCH.maxLength).join('')))
}

/** A custom field that some user has, with what a filter needs to find it. */
export function fieldOfSomeone(exam: Examiner, random: Random): { key: string; text: string } | undefined {
  const values = [...exam.model.users.values()].flatMap(({ json }) => Object.entries(toRow(json['custom_fields'])))
  const known = values.filter(([key]) => exam.model.fields.has(key))
  if (known.length === 0) return undefined
  const [key, value] = random.pick(known)
  return { key, text: typeof value === 'string' ? value : JSON.stringify(value) }
}

/** Filters by a custom field that some user has, one with a value that nobody has. */
function fieldFilters(exam: Examiner, random: Random): string[] {
  const field = fieldOfSomeone(exam, random)
  if (!field) return []
  const { key, text } = field
  // A value may have 1,000 characters, and so may the filter.
  const other = `${Array.from(text).slice(0, 999).join('')} `
  return [`custom_fields.${key}=${encoded(text)}`, `custom_fields.${key}=${encoded(other)}`]
}

export function userLists(exam: Examiner, random: Random): string[] {
  const user = pickUser(exam, random)?.json ?? {}
  const { email = 'nobody@example.com', external_id = 'nobody' } = user
  const ids = [...exam.model.users.keys()].filter((_, i) => i % 2 === 0).slice(-8)
  const updated = [...exam.model.users.values()].filter(({ json }) => json['updated_at'] !== json['created_at'])
  const phones = [...new Set(updated.map(({ json }) => digits(json['phone'] ?? '')))]
  const [mail, external] = [encoded(email), encoded(external_id)]
  return [
    '/users',
    `/users?email=${encoded(lower(email))}`,
    `/users?external_id=${external}`,
    `/users?external_id=${external}&email=${mail}`,
    ...fieldFilters(exam, random).map((filter) => `/users?${filter}`),
    `/users?ids=${encoded([...ids, NO_ID].toReversed())}`,
    `/users?ids=${encoded(ids)}&email=${mail}`,
    `/users?ids=${encoded(ids)}&external_id=${external}`,
    ...searches(exam, user).map((q) => `/users?q=${q}`),
    `/users?q=${encoded(contract.personal(exam.model.slug, '').trim())}&external_id=${external}`,
    // An update must also change what searches look at.
    ...updated.map(({ json }) => `/users?q=${encoded(lower(json['email']))}`),
    ...phones.filter((text) => text.length >= 4).map((text) => `/users?q=${text}`),
  ]
}

export function accessLists(exam: Examiner, random: Random): string[] {
  const { user = '1', product = '1', json = {} } = pickAccess(exam, random) ?? {}
  const due = typeof json['access_due_date'] === 'string' ? json['access_due_date'] : '2027-01-01T00:00:00.000Z'
  const [ids, users] = [[...exam.model.accesses.keys()], [...exam.model.users.keys()]].map((all) => all.slice(-8))
  const filters = [
    '',
    `?ids=${encoded([...(ids ?? []), NO_ID].toReversed())}`,
    `?user_ids=${encoded([...(users ?? []), NO_ID])}`,
    `?user_ids=${encoded(users)}&product_id=${product}`,
    ...fieldFilters(exam, random).map((filter) => `?${filter}`),
    `?user_id=${user}`,
    `?product_id=${product}`,
    `?user_id=${user}&product_id=${product}`,
    '?status=without_access',
    `?status=with_access&product_id=${product}`,
    `?due_after=${due}`,
    '?in_force=true',
    '?in_force=false',
    `?in_force=true&product_id=${product}`,
    `?due_before=${due}&user_id=${user}`,
  ]
  return filters.map((query) => `/product_accesses${query}`)
}

/** As a filter of the feed names an actor. */
function actorOf({ type, id }: Row): string {
  if (type === 'operator' && id === null) return 'root'
  return type === 'system' ? type : `${String(type)}:${String(id)}`
}

/** The feed and its filters. */
export function feeds({ model }: Examiner, random: Random): string[] {
  const { type, data, timestamp, actor } = model.feed.length > 0 ? random.pick(model.feed) : {}
  const ids = Object.entries(toRow(data)).filter(([name]) => name === 'user_id' || name === 'product_access_id')
  const filters = [`type=${String(type)}`, ...ids.map(([name, id]) => `${name}=${String(id)}`)]
  const time = encoded(timestamp)
  const others = [`actor=${actorOf(toRow(actor))}`, `since=${time}`, `until=${time}`, `since=${time}&until=${time}`]
  const all = type === undefined ? [] : [...filters, filters.join('&'), ...others]
  return ['/events', ...all.map((filter) => `/events?${filter}`)]
}

/** The histories of the newest users, and of the accesses that have changed most. With a cursor of another record, none. */
export function histories({ model }: Examiner): string[] {
  const ids = model.feed.map(({ data }) => toRow(data)['product_access_id'])
  const count = (id: string) => ids.filter((each) => each === id).length
  const accesses = [...model.accesses.keys()].toSorted((a, b) => count(b) - count(a)).slice(0, 5)
  const users = [...model.users.keys()].slice(-3)
  return [...users.map((id) => `/users/${id}/events`), ...accesses.map((id) => `/product_accesses/${id}/events`)]
}

/** The lists that show one kind of record. */
export const PLAIN_LISTS = ['/products', '/custom_fields', '/tokens', '/webhook_endpoints']

/** All records of the store, each once. */
export const ALL_RECORDS = ['/users', '/product_accesses', ...PLAIN_LISTS]

/** A page of a list that follows the path. */
const withLimit = (path: string, limit: number) => `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`

function onePage(lists: (exam: Examiner, random: Random) => string[]) {
  return (exam: Examiner, random: Random): Prepared => ({
    path: withLimit(random.pick(lists(exam, random)), 1 + random.below(5)),
  })
}

function prepareUserHistory(exam: Examiner, random: Random): Prepared {
  const erased = exam.model.feed.find(({ type }) => type === 'user.erased')
  const user = random.chance(0.7) ? pickUser(exam, random)?.json['id'] : toRow(erased?.['data'])['user_id']
  return { path: `/users/${typeof user === 'string' ? user : NO_ID}/events?limit=2` }
}

/** An event of another record is no cursor. */
function prepareAccessHistory(exam: Examiner, random: Random): Prepared {
  const { id = 1 } = exam.model.feed.length > 0 ? random.pick(exam.model.feed) : {}
  const cursor = random.chance(0.3) ? `?after=${String(id)}` : ''
  const access = pickAccess(exam, random)
  return { path: `/product_accesses/${access ? String(access.json['id']) : NO_ID}/events${cursor}` }
}

/** The file of a list, sometimes for a spreadsheet. */
function prepareFile(list: string, lists: (exam: Examiner, random: Random) => string[]) {
  return (exam: Examiner, random: Random): Prepared => {
    const path = random.pick(lists(exam, random)).replace(list, `${list}.csv`)
    return { path: random.chance(0.5) ? path : `${path}${path.includes('?') ? '&' : '?'}spreadsheet=true` }
  }
}

/** What a filter by a custom field rejects. */
const UNKNOWN_FIELDS = ['custom_fields.none=1', 'custom_fields.none=1&custom_fields.alpha=2', 'custom_fields.%20=1&q=a']

export const LIST_TASKS: Task[] = [
  ...['/users', '/product_accesses'].flatMap((path) =>
    ofStore(`GET ${path}`, (_, random) => ({ path: `${path}?${random.pick(UNKNOWN_FIELDS)}` })),
  ),
  ...ofStore('GET /users', onePage(userLists)),
  ...ofStore('GET /product_accesses', onePage(accessLists)),
  ...ofStore('GET /events', onePage(feeds)),
  ...ofStore('GET /users/{id}/events', prepareUserHistory),
  ...ofStore('GET /product_accesses/{id}/events', prepareAccessHistory),
  ...['/products', '/custom_fields', '/webhook_endpoints'].flatMap((path) =>
    ofStore(
      `GET ${path}`,
      onePage(() => [path]),
    ),
  ),
  ofOperators(
    'GET /tokens',
    onePage(() => ['/tokens']),
  ),
  ofOperators('GET /users.csv', prepareFile('/users', userLists)),
  ofOperators('GET /product_accesses.csv', prepareFile('/product_accesses', accessLists)),
  ofOperators('GET /stats', (_, random) => ({ path: `/stats?days=${1 + random.below(3)}` })),
]
