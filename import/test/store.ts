/** The store of the fake service: it applies batches to users in memory as the real service does. */
import { emailKey } from '../../src/domain/users/emails.ts'
import { ACCESS_STATUSES } from '../../src/db/schema/access-status.ts'
import { PLAIN_FIELDS } from '../../src/domain/users/fields.ts'
import { isObject } from '../../src/json.ts'

export interface User extends Record<string, unknown> {
  id: string
  email: string
  created_at: string
}

type Item = Record<string, unknown>

export interface Batch {
  items: Item[]
  dry_run: boolean
  on_existing: 'fail' | 'skip' | 'update'
  path: string
  bytes: number
}

export interface Result {
  index: number
  status: number
  id?: string
  error?: { type: string; code: string; message: string; details?: unknown }
}

type Outcome = Omit<Result, 'index'>

const FIELDS = [...PLAIN_FIELDS, 'custom_fields']
const PRODUCTS = new Set(['algebra', 'analytical-engines', 'engines', 'logic'])

export class Store {
  /** The keys are emails in the form in which the service compares them. */
  readonly users = new Map<string, User>()
  /** This many passwords are accepted before the quota is used up. */
  passwords = Number.POSITIVE_INFINITY
  #lastId = 0

  /** Returns the result of each item in order. */
  perform({ items, ...batch }: Batch): Result[] {
    const seen = new Set<string>()
    return items.map((item, index) => ({ index, ...this.#performOne(item, batch, seen) }))
  }

  /** `seen` contains the emails that the batch has used. */
  #performOne(item: Item, { dry_run, on_existing }: Omit<Batch, 'items'>, seen: Set<string>): Outcome {
    const error = errorOf(item)
    if (error) return error
    if (item['name'] === 'Trouble') return rejected(500, 'internal_error', 'A defect.')
    const key = emailKey(String(item['email'])) ?? ''
    const existing = this.users.get(key)
    if (seen.has(key)) return taken(existing)
    if (existing) {
      if (on_existing === 'fail') return taken(existing)
      seen.add(key)
      if (on_existing === 'update' && !dry_run) Object.assign(existing, fieldsOf(item))
      return { status: 200, id: existing.id }
    }
    if (item['password'] != null && !dry_run && this.passwords-- <= 0) {
      this.passwords = 20
      return rejected(429, 'rate_limited', 'Too many.')
    }
    seen.add(key)
    return dry_run ? { status: 201 } : { status: 201, id: this.#create(key, item).id }
  }

  #create(key: string, item: Item): User {
    const user: User = {
      ...fieldsOf(item),
      id: this.nextId(),
      email: String(item['email']),
      created_at: new Date().toISOString(),
    }
    this.users.set(key, user)
    return user
  }

  /** Ids have gaps, because they are the ids of events. */
  nextId(): string {
    return String((this.#lastId += 3))
  }
}

function rejected(status: number, code: string, message: string): Outcome {
  return { status, error: { type: code, code, message } }
}

function fieldsOf(item: Item): Record<string, unknown> {
  const fields = Object.fromEntries(FIELDS.filter((field) => item[field] != null).map((field) => [field, item[field]]))
  return { ...fields, ...(typeof item['country'] === 'string' && { country: item['country'].toUpperCase() }) }
}

function taken(existing: User | undefined): Outcome {
  const details = [{ field: 'email', value: '', explanation: 'already has an account in this store' }]
  return {
    status: 422,
    ...(existing && { id: existing.id }),
    error: { type: 'validation_error', code: 'email_taken', message: 'Taken.', details },
  }
}

function errorOf(item: Item): Outcome | undefined {
  const missing = ['name', 'last_name', 'email'].filter((field) => item[field] == null)
  if (missing.length > 0) {
    const error = {
      type: 'invalid_request',
      code: 'missing_parameter',
      message: `Missing: ${missing.join(', ')}.`,
      details: { field: missing[0], explanation: 'is required' },
    }
    return { status: 400, error }
  }
  const details = []
  if (emailKey(String(item['email'])) === undefined)
    details.push({ field: 'email', value: '', explanation: 'must be an email address' })
  if (typeof item['country'] === 'string' && !/^[A-Za-z]{2}$/.test(item['country']))
    details.push({ field: 'country', value: '', explanation: 'must be an ISO 3166-1 alpha-2 code' })
  // As in the real service, errors that need the database are reported only when everything else is valid.
  if (details.length > 0) return invalid(details)
  const custom = isObject(item['custom_fields']) ? item['custom_fields'] : {}
  for (const key of Object.keys(custom))
    if (!['field1', 'team'].includes(key))
      details.push({ field: `custom_fields.${key}`, value: '', explanation: 'is not defined in the store' })
  const accesses = Array.isArray(item['product_accesses']) ? item['product_accesses'] : []
  for (const [i, access] of accesses.entries()) {
    if (!PRODUCTS.has(access.slug))
      details.push({ field: `product_accesses.${i}.slug`, value: '', explanation: 'is not a product of the store' })
    if (access.status !== undefined && !ACCESS_STATUSES.some((status) => status === access.status))
      details.push({
        field: `product_accesses.${i}.status`,
        value: '',
        explanation: 'is not a status',
      })
  }
  return details.length > 0 ? invalid(details) : undefined
}

function invalid(details: unknown[]): Outcome {
  return { status: 422, error: { type: 'validation_error', code: 'invalid_parameter', message: 'Invalid.', details } }
}
