/** The fields of a user on v1 and v3, and what a create or a change makes of them (contract, sections 3 and 9). */
import { LENGTH } from '../../../src/limits.ts'
import { type Row, toRow } from '../rows.ts'
import { changesOf, iso, type State, type User, withFields } from './state.ts'
import * as values from './values.ts'
import type { Rule } from './values.ts'

const { filled, text, optional, ifSent } = values

/** In characters. */
const MAX = { phone: 64, avatar: 2048, external_id: 255 }

const customFields = values.all(
  values.customFields,
  values.rule((value) => !values.isTooLarge(toRow(value))),
)

export const CREATE_V1: Record<string, Rule> = {
  name: filled(LENGTH.name),
  last_name: filled(LENGTH.name),
  email: values.email,
  phone: optional(text(MAX.phone)),
  country: optional(values.country),
  language: optional(values.language),
  external_id: optional(text(MAX.external_id)),
  avatar: optional(text(MAX.avatar)),
  custom_fields: optional(customFields),
  password: optional(filled(LENGTH.password)),
}

/** Null clears what may be absent. */
export const CHANGE: Record<string, Rule> = {
  ...CREATE_V1,
  name: ifSent(filled(LENGTH.name)),
  last_name: ifSent(filled(LENGTH.name)),
  email: ifSent(values.email),
  language: ifSent(values.language),
  custom_fields: optional(values.customFields),
  password: ifSent(filled(LENGTH.password)),
}

export const CREATE_V3: Record<string, Rule> = {
  name: filled(LENGTH.name),
  last_name: filled(LENGTH.name),
  email: values.email,
  phone: filled(MAX.phone),
  avatar: text(MAX.avatar),
  country: values.letters,
  language: values.upperCaseLetters,
  password: filled(LENGTH.password),
  external_id: filled(MAX.external_id),
  custom_fields: values.all(customFields, (value, now) =>
    filled(LENGTH.customFieldValue)(toRow(value)['field1'], now).map(() => 'field1'),
  ),
}

/** The fields that a user may be without. */
export const REMOVABLE = ['phone', 'country', 'external_id', 'avatar', 'custom_fields']

/** The keys of custom fields that the store has not defined. To remove a key, it need not be defined any more. */
export function undefinedKeys(state: State, fields: unknown, { isV3 = false, isChange = false } = {}): string[] {
  return Object.entries(toRow(fields))
    .filter(([key, value]) => !state.fields.has(key) && !(isV3 && key === 'field1') && !(isChange && value === null))
    .map(([key]) => `custom_fields.${key}`)
}

const upper = (country: unknown) => (typeof country === 'string' ? country.toUpperCase() : country)

/** The user whom a create makes. */
export function newUser(state: State, body: Row, { id, etag, now }: { id: string; etag: string; now: number }): User {
  const known = Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(CREATE_V1, name)))
  const { password, custom_fields, country, language, ...fields } = known
  const json = withFields(
    { role: 'student', created_at: iso(now), updated_at: iso(now) },
    {
      ...fields,
      id,
      language: language ?? state.json['language'],
      country: upper(country),
      // No field at all is the same as an omitted object.
      custom_fields: Object.keys(toRow(custom_fields)).length > 0 ? custom_fields : undefined,
    },
  )
  return { json, etag, password: typeof password === 'string' ? password : undefined }
}

/** The user after a change, and the names of the fields that differ. A password that is sent always counts. */
export function changedUser(user: User, set: Row, now: number): { user: User; changed: string[] } {
  const { password, custom_fields, ...fields } = set
  const merged = withFields(toRow(user.json['custom_fields']), toRow(custom_fields))
  const isEmpty = custom_fields === null || Object.keys(merged).length === 0
  const next: Row = {
    ...fields,
    ...('country' in set && { country: upper(set['country']) }),
    ...(custom_fields !== undefined && { custom_fields: isEmpty ? null : merged }),
  }
  const changed = [...Object.keys(changesOf(user.json, next)), ...(password === undefined ? [] : ['password'])]
  const json = withFields(user.json, { ...next, ...(changed.length > 0 && { updated_at: iso(now) }) })
  return { user: { ...user, json, password: typeof password === 'string' ? password : user.password }, changed }
}

/** As v1 shows the user: a field without a value is missing, and so is the password. */
export const toV1 = ({ json }: User): Row => ({
  ...Object.fromEntries([...REMOVABLE, 'password'].map((name) => [name, undefined])),
  ...json,
})

/** As v3 shows the user: every field has a value. */
export function toV3({ json }: User): Row {
  const { id, phone = '', avatar = '', country = '', external_id = '', custom_fields = {}, ...always } = json
  const fields = { field1: '', ...toRow(custom_fields) }
  return { ...always, id: Number(id), phone, avatar, country, external_id, custom_fields: fields, password: undefined }
}
