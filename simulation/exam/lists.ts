/** What each list must show: the tasks read one page, and the examiner reads all pages at its end (read-everything.ts). */
import * as contract from '../contract.ts'
import type { Random } from '../world/random.ts'
import { type Row, toRow } from '../rows.ts'
import type { Examiner, Made, Prepared } from './examiner.ts'
import { type AccessModel, isInForce } from './model.ts'
import { NO_ID, ofOperators, ofStore, type Task } from './task.ts'
import { pickAccess } from './accesses.ts'
import { pickUser } from './users.ts'

export const byId = (a: Row, b: Row) => Number(a['id']) - Number(b['id'])

/** A list with a filter, and the rows that it must show in all. */
export interface Listed {
  path: string
  rows: Row[]
}

export function usersWhere(exam: Examiner, path: string, matches: (json: Row) => boolean): Listed {
  const rows = [...exam.model.users.values()].map(({ json }) => json).filter(matches)
  return { path: `/users${path}`, rows: rows.toSorted(byId) }
}

export function accessesWhere(exam: Examiner, path: string, matches: (access: AccessModel) => boolean): Listed {
  const rows = [...exam.model.accesses.values()].filter(matches).map((access) => exam.model.accessJson(access))
  return { path: `/product_accesses${path}`, rows: rows.toSorted(byId) }
}

const encoded = (value: unknown) => encodeURIComponent(String(value))
const lower = (value: unknown) => String(value).toLowerCase()

/** Accents and cases do not matter to a search, nor do letters that are written as others where a keyboard lacks them. */
function folded(value: unknown): string {
  const lower = String(value).normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const letters = lower.replaceAll(/[łøđðıß]/gu, (letter) =>
    letter === 'ß' ? 'ss' : ('loddi'['łøđðı'.indexOf(letter)] ?? ''),
  )
  return letters.replaceAll('þ', 'th').replaceAll('æ', 'ae').replaceAll('œ', 'oe').replaceAll(/[‘’]/g, "'")
}

const digits = (value: unknown) => String(value).replaceAll(/[^0-9]/g, '')

/**
 * A search by text: every word must be part of a name or the email, or the beginning of the external id. Digits are a part
 * of a phone. Those whose email starts with the text come first, ordered by email, then all others by id.
 */
export function search(exam: Examiner, text: string, matches: (json: Row) => boolean = () => true): Listed {
  const users = [...exam.model.users.values()].map(({ json }) => json).filter(matches)
  const words = text.split(/\s+/)
  const isPhone = digits(text).length >= 4 && /^[-+0-9().\s]+$/.test(text)
  const isFound = ({ name, last_name, email, external_id, phone }: Row) => {
    if (isPhone) return digits(phone ?? '').includes(digits(text))
    const texts = [name, last_name, email].map(folded)
    const isBeginning = (word: string) => lower(external_id ?? '').startsWith(lower(word))
    return words.every((word) => texts.some((each) => each.includes(folded(word))) || isBeginning(word))
  }
  const found = users.filter(isFound)
  const first = words.length === 1 ? found.filter(({ email }) => folded(email).startsWith(folded(text))) : []
  const others = found.filter((user) => !first.includes(user))
  const byEmail = (a: Row, b: Row) => (lower(a['email']) < lower(b['email']) ? -1 : 1)
  return { path: `/users?q=${encoded(text)}`, rows: [...first.toSorted(byEmail), ...others.toSorted(byId)] }
}

/** Searches for this user by what one would type. */
function searches(exam: Examiner, { name, last_name, email, external_id, phone }: Row): Listed[] {
  const words = (value: unknown) => String(value).split(' ')
  const last = words(last_name).at(-1) ?? ''
  const [, given = ''] = words(name)
  const filtered = search(
    exam,
    contract.personal(exam.model.slug, '').trim(),
    (user) => user['external_id'] === external_id,
  )
  return [
    search(exam, contract.personal(exam.model.slug, '').trim().slice(0, 6)),
    search(exam, last),
    search(exam, folded(given).toUpperCase()),
    search(exam, `${last} ${given}`),
    search(exam, String(email).slice(3, 14)),
    search(exam, String(email).split('@').at(-1) ?? ''),
    ...(phone === undefined ? [] : [search(exam, `${digits(phone).slice(-5)}.`)]),
    ...(external_id === undefined || external_id === ''
      ? []
      : [
          search(exam, Array.from(lower(external_id)).slice(0, 7).join('')),
          { ...filtered, path: `${filtered.path}&external_id=${encoded(external_id)}` },
        ]),
  ]
}

export function userLists(exam: Examiner, random: Random): Listed[] {
  const user = pickUser(exam, random)?.json ?? {}
  const { email = 'nobody@example.com', external_id = 'nobody' } = user
  const ids = [...exam.model.users.keys()].filter((_, i) => i % 2 === 0).slice(-8)
  const isListed = ({ id }: Row) => ids.includes(String(id))
  const updated = [...exam.model.users.values()].filter(({ json }) => json['updated_at'] !== json['created_at'])
  return [
    usersWhere(exam, '', () => true),
    usersWhere(exam, `?email=${encoded(lower(email))}`, (user) => lower(user['email']) === lower(email)),
    usersWhere(exam, `?external_id=${encoded(external_id)}`, (user) => user['external_id'] === external_id),
    usersWhere(
      exam,
      `?external_id=${encoded(external_id)}&email=${encoded(email)}`,
      (user) => user['external_id'] === external_id && lower(user['email']) === lower(email),
    ),
    usersWhere(exam, `?ids=${encoded([...ids, NO_ID].toReversed())}`, isListed),
    usersWhere(exam, `?ids=${encoded(ids)}&email=${encoded(email)}`, (each) => isListed(each) && each === user),
    usersWhere(
      exam,
      `?ids=${encoded(ids)}&external_id=${encoded(external_id)}`,
      (each) => isListed(each) && each['external_id'] === external_id,
    ),
    ...searches(exam, user),
    // An update must also change what searches look at.
    ...updated.map(({ json }) => search(exam, lower(json['email']))),
  ]
}

export function accessLists(exam: Examiner, random: Random): Listed[] {
  const { user = '1', product = '1', json = {} } = pickAccess(exam, random) ?? {}
  const due = typeof json['access_due_date'] === 'string' ? json['access_due_date'] : '2027-01-01T00:00:00.000Z'
  const dueOf = (access: AccessModel) => access.json['access_due_date']
  // The first bound is inclusive and the second is not.
  const isAfter = (access: AccessModel) => typeof dueOf(access) === 'string' && String(dueOf(access)) >= due
  const isBefore = (access: AccessModel) => typeof dueOf(access) === 'string' && String(dueOf(access)) < due
  return [
    accessesWhere(exam, '', () => true),
    accessesWhere(exam, `?user_id=${user}`, (access) => access.user === user),
    accessesWhere(exam, `?product_id=${product}`, (access) => access.product === product),
    accessesWhere(
      exam,
      `?user_id=${user}&product_id=${product}`,
      (access) => access.user === user && access.product === product,
    ),
    accessesWhere(exam, '?status=without_access', (access) => access.json['status'] === 'without_access'),
    accessesWhere(
      exam,
      `?status=with_access&product_id=${product}`,
      (access) => access.json['status'] === 'with_access' && access.product === product,
    ),
    accessesWhere(exam, `?due_after=${due}`, isAfter),
    accessesWhere(exam, '?in_force=true', (access) => isInForce(access, exam.now)),
    accessesWhere(exam, '?in_force=false', (access) => !isInForce(access, exam.now)),
    accessesWhere(
      exam,
      `?in_force=true&product_id=${product}`,
      (access) => access.product === product && isInForce(access, exam.now),
    ),
    accessesWhere(exam, `?due_before=${due}&user_id=${user}`, (access) => isBefore(access) && access.user === user),
  ]
}

/** The name of the list in the model, for the lists that show one kind of record. */
export function plainLists(exam: Examiner): Listed[] {
  const { products, fields, tokens, endpoints } = exam.model
  const byKey = (a: Row, b: Row) => (String(a['key']) < String(b['key']) ? -1 : 1)
  const shownEndpoint = ({ id, url, types, created_at }: Row): Row => ({
    id,
    url,
    types,
    created_at,
    secret: undefined,
  })
  return [
    { path: '/products', rows: [...products.values()].toSorted(byId) },
    { path: '/custom_fields', rows: [...fields.values()].toSorted(byKey) },
    { path: '/tokens', rows: [...tokens.values()].map(({ json }) => json).toSorted(byId) },
    { path: '/webhook_endpoints', rows: [...endpoints.values()].map(shownEndpoint).toSorted(byId) },
  ]
}

/** All records of the store, each once. */
export function allRecords(exam: Examiner): Listed[] {
  return [usersWhere(exam, '', () => true), accessesWhere(exam, '', () => true), ...plainLists(exam)]
}

/** One page of one of the lists. A page of a search may be short, so that only its rows are compared. */
function onePage(lists: (exam: Examiner, random: Random) => Listed[], index?: number) {
  return (exam: Examiner, random: Random): Prepared => {
    const all = lists(exam, random)
    const { path, rows } = (index === undefined ? random.pick(all) : all[index]) ?? { path: '', rows: [] }
    const limit = 1 + random.below(5)
    const isSearch = /q=|status=|due_|in_force/.test(path)
    const page = rows.slice(0, limit)
    const json = ({ json }: Made): Row => {
      if (isSearch && json['next'] !== null) return {}
      return { data: page, next: rows.length > limit ? cursorOf(page.at(-1)) : null }
    }
    return { path: `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`, expected: { status: 200, json } }
  }
}

const cursorOf = (row: Row | undefined) => row?.['key'] ?? row?.['id']

/** The feed has events of jobs, too, so only its form is checked here. */
function prepareFeed(exam: Examiner): Prepared {
  const json = ({ json }: Made): Row => ({
    data: Array.isArray(json['data']) ? [...json['data']] : 'a list',
    cursor: json['cursor'] ?? 'a cursor',
  })
  return { path: '/events?limit=3', expected: exam.model.events.length > 0 ? { status: 200, json } : { status: 200 } }
}

/** The newest events of a record, as far as the examiner has caused them. */
export function historyOf(exam: Examiner, key: 'user_id' | 'product_access_id', id: unknown): Row[] {
  const prefix = key === 'user_id' ? 'user.' : 'product_access.'
  const own = exam.model.events.filter(({ type, data }) => type.startsWith(prefix) && data[key] === id)
  return own.toReversed().map(({ type, data }) => ({ type, data: { [key]: toRow(data)[key] } }))
}

function prepareUserHistory(exam: Examiner, random: Random): Prepared {
  const user = pickUser(exam, random)
  const erased = exam.model.events.find(({ type }) => type === 'user.erased')
  const erasedId = erased ? String(erased.data['user_id']) : NO_ID
  if (!user || (erased !== undefined && random.chance(0.3)))
    return { path: `/users/${erasedId}/events`, expected: { status: 404 } }
  const id = user.json['id']
  const rows = historyOf(exam, 'user_id', id)
  return {
    path: `/users/${String(id)}/events?limit=2`,
    expected: { status: 200, json: () => ({ data: rows.slice(0, 2) }) },
  }
}

function prepareAccessHistory(exam: Examiner, random: Random): Prepared {
  const access = pickAccess(exam, random)
  if (!access) return { path: '/product_accesses/1/events', expected: { status: 404 } }
  const id = String(access.json['id'])
  const json = ({ json }: Made): Row => ({
    data: Array.isArray(json['data']) ? json['data'].map(() => ({ data: { product_access_id: id } })) : 'a list',
  })
  return { path: `/product_accesses/${id}/events`, expected: { status: 200, json } }
}

export const LIST_TASKS: Task[] = [
  ...ofStore('GET /users', 'users:read', onePage(userLists)),
  ...ofStore('GET /product_accesses', 'product_accesses:read', onePage(accessLists)),
  ...ofStore('GET /events', 'events:read', prepareFeed),
  ...ofStore('GET /users/{id}/events', 'events:read', prepareUserHistory),
  ...ofStore('GET /product_accesses/{id}/events', 'events:read', prepareAccessHistory),
  ...ofStore('GET /products', 'products:read', onePage(plainLists, 0)),
  ...ofStore('GET /custom_fields', 'products:read', onePage(plainLists, 1)),
  ofOperators('GET /tokens', onePage(plainLists, 2)),
  ...ofStore('GET /webhook_endpoints', 'webhooks:read', onePage(plainLists, 3)),
]
