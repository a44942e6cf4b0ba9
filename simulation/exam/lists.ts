/** The lists that the examiner reads: a page of one as a task, and all of them, page by page, at its end. */
import * as contract from '../contract.ts'
import { folded } from '../reference/search.ts'
import type { Random } from '../world/random.ts'
import type { Row } from '../rows.ts'
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
    .map(encoded)
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
  const filters = [
    '',
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

/** All events are compared at the end (read-everything.ts). */
const prepareFeed = (): Prepared => ({ path: '/events?limit=3', expected: { status: 200 } })

function prepareUserHistory(exam: Examiner, random: Random): Prepared {
  const user = random.chance(0.7) ? pickUser(exam, random) : undefined
  const erased = exam.model.events.find(({ type }) => type === 'user.erased')
  const id = user ? user.json['id'] : (erased?.data['user_id'] ?? NO_ID)
  return { path: `/users/${String(id)}/events?limit=2`, expected: { status: user ? 200 : 404 } }
}

function prepareAccessHistory(exam: Examiner, random: Random): Prepared {
  const access = pickAccess(exam, random)
  const id = access ? String(access.json['id']) : NO_ID
  return { path: `/product_accesses/${id}/events`, expected: { status: access ? 200 : 404 } }
}

export const LIST_TASKS: Task[] = [
  ...ofStore('GET /users', onePage(userLists)),
  ...ofStore('GET /product_accesses', onePage(accessLists)),
  ...ofStore('GET /events', prepareFeed),
  ...ofStore('GET /users/{id}/events', prepareUserHistory),
  ...ofStore('GET /product_accesses/{id}/events', prepareAccessHistory),
  ...ofStore(
    'GET /products',
    onePage(() => ['/products']),
  ),
  ...ofStore(
    'GET /custom_fields',
    onePage(() => ['/custom_fields']),
  ),
  ofOperators(
    'GET /tokens',
    onePage(() => ['/tokens']),
  ),
  ...ofStore(
    'GET /webhook_endpoints',
    onePage(() => ['/webhook_endpoints']),
  ),
]
