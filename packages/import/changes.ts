/** What an update would change: each existing user is read before, so that nobody's name is replaced without a word. */
import { isObject, parseLossless } from '../../src/lib/json.ts'
import type { Client } from './client.ts'
import { CUSTOM_FIELD } from './fields.ts'
import type { LeftField } from './left-fields.ts'
import { isSameValue } from './same-value.ts'
import type { AccessChange } from './stored-accesses.ts'
import { textIn } from './text-in.ts'

type Values = Record<string, unknown>

const NAMES = ['name', 'last_name']

export interface FieldChange {
  /** A field of a user, or `custom_fields.KEY`. */
  field: string
  /** As text; empty without a value, and of a password. */
  from: string
  to: string
}

/** An existing user whom a row changes. */
export interface Change {
  line: number
  /** Is empty if an earlier row of a dry run is to create the user. */
  id: string
  /** The name as it was, or else the email. */
  person: string
  /** An earlier row of the file that names the same user. */
  repeats?: number
  /** The user as it was. Its password cannot be read. */
  before: Values
  changes: FieldChange[]
  /** Missing in the record of an older import, which did not compare them. */
  accesses?: AccessChange[]
  /** The changed values, exactly. Missing in the record of an older import. */
  left?: LeftField[]
  /** True if the user is not older than the import, so that an earlier row has probably created the user. */
  isRecent?: boolean
}

/** Returns the users with these ids (at most 100). One who was erased meanwhile is missing. */
export async function readUsers({ call }: Pick<Client, 'call'>, ids: string[]): Promise<Map<string, Values>> {
  if (ids.length === 0) return new Map()
  const { text } = await call('GET', `/users?limit=100&ids=${ids.join(',')}`)
  // JSON.parse would change digits of numbers, and an unchanged one would count as a change.
  const body = parseLossless(text)
  const data = isObject(body) && Array.isArray(body['data']) ? body['data'].filter(isObject) : []
  return new Map(data.map((user) => [textIn(user, 'id') ?? '', user]))
}

/** Returns what the fields of an item change of a user. Its accesses are compared in stored-accesses.ts. */
export function changesOf(
  item: Values,
  user: Values,
  isSame = (field: string, stored: unknown, value: unknown) => isSameValue('json', field, { stored, value }),
): FieldChange[] {
  const stored = new Map(fieldsOf(user))
  return fieldsOf(item).flatMap(([field, value]) => {
    if (field === 'password') return [{ field, from: '', to: '' }]
    if (isSame(field, stored.get(field), value)) return []
    return [
      { field, from: valueText(stored.get(field)), to: valueText(field === 'country' ? upperCase(value) : value) },
    ]
  })
}

/** Returns a user as it is after a row, or as the row creates it. */
export function afterRow(user: Values, item: Values): Values {
  const { country, ...values } = { ...user, ...withoutNulls(item) }
  const custom = [user, item].map(({ custom_fields }) => (isObject(custom_fields) ? withoutNulls(custom_fields) : {}))
  return { ...values, country: upperCase(country), custom_fields: Object.assign({}, ...custom) }
}

function withoutNulls(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
}

/** The first and the last name, as an export of accesses writes them. */
export function joinedName(values: Values): string {
  return NAMES.map((field) => valueText(values[field]))
    .join(' ')
    .replaceAll(/\s+/gu, ' ')
    .trim()
}

/** Returns the name in a user or an item, or else the email. */
export function personIn(values: Values): string {
  return joinedName(values) || valueText(values['email'])
}

/** The whole name before and after, if the row changes it. */
export function nameChange({ before, changes }: Change): { from: string; to: string } | undefined {
  if (!changes.some(({ field }) => NAMES.includes(field))) return undefined
  const changed = new Map(changes.map(({ field, to }) => [field, to]))
  const nameOf = (of: (field: string) => string): string => NAMES.map(of).join(' ').trim()
  return {
    from: nameOf((field) => valueText(before[field])),
    to: nameOf((field) => changed.get(field) ?? valueText(before[field])),
  }
}

/** A value as text, which is JSON unless it is a string. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The custom fields come one by one. */
function fieldsOf(values: Values): [field: string, value: unknown][] {
  return Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
    if (name === 'product_accesses' || value === null) return []
    if (name !== 'custom_fields' || !isObject(value)) return [[name, value]]
    return Object.entries(value).map(([key, own]) => [CUSTOM_FIELD + key, own])
  })
}

function upperCase(value: unknown): unknown {
  return typeof value === 'string' ? value.toUpperCase() : value
}
