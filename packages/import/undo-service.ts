/** What an undo asks of the service. A dry run asks for the same, and remembers what it would have changed. */
import type { Detail } from 'registrar-client'
import { isObject, parseLossless } from '../../src/lib/json.ts'
import { readUsers } from './changes.ts'
import type { Client, Method, ServiceResponse } from './client.ts'
import { CUSTOM_FIELD } from './fields.ts'
import { type LeftField, toJson, valueIn } from './left-fields.ts'
import { listPages } from './pages.ts'
import { GaveUp, Refused } from './request-errors.ts'
import { type StoredAccess, toStored } from './stored-accesses.ts'
import { textIn } from './text-in.ts'

type Values = Record<string, unknown>

export interface FoundAccess extends StoredAccess {
  createdAt: string
  /** Those of the product. */
  expirationDays: number | undefined
  /** Whether the person has progress in it, or a result. */
  isUsed: boolean
}

export interface Person {
  user: Values
  accesses: FoundAccess[]
}

export interface FreshUser {
  /** As JSON; null without a value. */
  valueOf: (field: string) => string | null
  etag: string
}

export interface FreshAccess {
  access: FoundAccess
  etag: string
}

/**
 * `mismatch`: somebody has changed the record since it was read. `lost`: nobody knows whether it was written, which its next
 * reading shows.
 */
export type Written = 'done' | 'mismatch' | 'lost' | 'gone' | { rejected: Detail[] }

export interface AccessValues {
  status: string
  /** The date stays if this is undefined. */
  due?: string | null | undefined
}

export interface UndoService {
  isDryRun: boolean
  /** As many people are read at once. */
  groupSize: number
  /** Whoever was erased is missing. */
  readPeople: (ids: string[]) => Promise<Map<string, Person>>
  readUser: (id: string) => Promise<FreshUser | undefined>
  /** That of a user; undefined if the user was erased. A dry run reads it, too. */
  readEtag: (id: string) => Promise<string | undefined>
  readAccess: (id: string) => Promise<FreshAccess | undefined>
  /** As `readEtag`, of an access. */
  readAccessEtag: (id: string) => Promise<string | undefined>
  /** Writes the values before the import. */
  patchUser: (id: string, fields: LeftField[], etag: string) => Promise<Written>
  putAccess: (id: string, values: AccessValues, etag: string) => Promise<Written>
  eraseUser: (id: string, etag: string) => Promise<Written>
}

/**
 * Few people at once: an access that somebody grants between the reading and the erasure of its person is erased with the
 * person, because the ETag of a user does not change with the accesses.
 */
const GROUP = 10
const DRY_RUN_GROUP = 100
const MAX_PAUSE_MS = 30_000

/** `hasAccesses` is false if the import had nothing to do with accesses; the token then need not read them. */
export function liveService(client: Client, hasAccesses: boolean): UndoService {
  const write = writer(client)
  return {
    isDryRun: false,
    groupSize: GROUP,
    async readPeople(ids) {
      const users = await readUsers(client, ids)
      const found = hasAccesses && users.size > 0 ? await accessesOf(client, [...users.keys()]) : []
      const byUser = Map.groupBy(found, ({ user }) => user)
      return new Map([...users].map(([id, user]) => [id, { user, accesses: byUser.get(id) ?? [] }]))
    },
    async readUser(id) {
      const response = await readRecord(client, `/users/${id}`)
      const user = response && parseLossless(response.text)
      if (!response || !isObject(user)) return undefined
      return { etag: response.etag, valueOf: (field) => toJson(valueIn(user, field)) }
    },
    readEtag: async (id) => (await readRecord(client, `/users/${id}`))?.etag,
    readAccessEtag: async (id) => (await readRecord(client, `/product_accesses/${id}`))?.etag,
    async readAccess(id) {
      const response = await readRecord(client, `/product_accesses/${id}`)
      const [access] = toFound(response?.body)
      return response && access && { etag: response.etag, access }
    },
    patchUser: (id, fields, etag) => write('PATCH', `/users/${id}`, { etag, body: bodyOf(fields) }),
    putAccess: (id, { status, due }, etag) => {
      const body = JSON.stringify({ status, ...(due !== undefined && { access_due_date: due }) })
      return write('PUT', `/product_accesses/${id}`, { etag, body })
    },
    eraseUser: (id, etag) => write('DELETE', `/users/${id}`, { etag }),
  }
}

/** Changes nothing. What was read once is not read again, because a dry run needs no ETag of most people. */
export function dryRunService(client: Client, hasAccesses: boolean): UndoService {
  const live = liveService(client, hasAccesses)
  const fields = new Map<string, Map<string, string | null>>()
  const accesses = new Map<string, AccessValues>()
  let people = new Map<string, Person>()
  const withPlanned = (access: FoundAccess): FoundAccess => {
    const { status = access.status, due = access.due } = accesses.get(access.id) ?? {}
    return { ...access, status, due }
  }
  return {
    isDryRun: true,
    groupSize: DRY_RUN_GROUP,
    async readPeople(ids) {
      people = await live.readPeople(ids)
      for (const [id, { user, accesses: found }] of people) people.set(id, { user, accesses: found.map(withPlanned) })
      return people
    },
    async readUser(id) {
      const planned = fields.get(id)
      const known = people.get(id)?.user
      const read = known
        ? { etag: '', valueOf: (field: string) => toJson(valueIn(known, field)) }
        : await live.readUser(id)
      return (
        read && {
          ...read,
          valueOf: (field) => (planned?.has(field) ? (planned.get(field) ?? null) : read.valueOf(field)),
        }
      )
    },
    readEtag: live.readEtag,
    readAccessEtag: live.readAccessEtag,
    async readAccess(id) {
      const known = [...people.values()].flatMap((person) => person.accesses).find((access) => access.id === id)
      const read = known ? { etag: '', access: known } : await live.readAccess(id)
      return read && { ...read, access: withPlanned(read.access) }
    },
    async patchUser(id, back) {
      const planned = fields.get(id) ?? new Map<string, string | null>()
      for (const { field, from } of back) planned.set(field, from)
      fields.set(id, planned)
      return 'done'
    },
    async putAccess(id, values) {
      accesses.set(id, values)
      return 'done'
    },
    eraseUser: async () => 'done',
  }
}

async function accessesOf(client: Client, users: string[]): Promise<FoundAccess[]> {
  const found = await listPages(client, `/product_accesses?user_ids=${users.join(',')}`, toFound)
  if (found === undefined) throw new Refused({ code: 'missing_scopes', scopes: ['product_accesses:read'] })
  return found
}

function toFound(record: unknown): FoundAccess[] {
  if (!isObject(record)) return []
  const { expiration_days: days, progress, passed } = record
  const results = ['started_at', 'completed_at', 'grade', 'concept_grade', 'certificate_url']
  const about = {
    createdAt: textIn(record, 'created_at') ?? '',
    expirationDays: typeof days === 'number' ? days : undefined,
    isUsed: progress !== 0 || passed === true || results.some((name) => record[name] != null),
  }
  return toStored(record).map((access) => Object.assign(access, about))
}

async function readRecord({ call }: Client, path: string): Promise<ServiceResponse | undefined> {
  try {
    return await call('GET', path)
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return undefined
    throw error
  }
}

/** The client sends a request with an ETag once, because once applied, it would be rejected the second time. */
function writer({ call, pause }: Client) {
  let [losses, since] = [0, 0]
  return async (method: Method, path: string, { body, etag }: { body?: string; etag: string }): Promise<Written> => {
    try {
      await call(method, path, body, etag)
      losses = 0
      return 'done'
    } catch (error) {
      if (error instanceof GaveUp) {
        if (losses === 0) since = Date.now()
        if (Date.now() - since >= error.minutes * 60_000) throw error
        await pause(Math.min(1000 * 2 ** losses++, MAX_PAUSE_MS), error.reason)
        return 'lost'
      }
      losses = 0
      if (!(error instanceof Refused)) throw error
      if (error.status === 404) return 'gone'
      if (error.status === 412) return 'mismatch'
      if (error.status === 422) return { rejected: error.details }
      throw error
    }
  }
}

/** Is put together from JSON, or numbers would lose digits. Null removes a value. */
function bodyOf(fields: LeftField[]): string {
  const custom = fields.filter(({ field }) => field.startsWith(CUSTOM_FIELD))
  const plain = fields.filter(({ field }) => !field.startsWith(CUSTOM_FIELD))
  const members = plain.map(({ field, from }) => member(field, from))
  const keys = custom.map(({ field, from }) => member(field.slice(CUSTOM_FIELD.length), from))
  return `{${[...members, ...(keys.length > 0 ? [`"custom_fields":{${keys.join(',')}}`] : [])].join(',')}}`
}

function member(name: string, json: string | null): string {
  return `${JSON.stringify(name)}:${json ?? 'null'}`
}
