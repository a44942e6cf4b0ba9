/** The fields of a user on v1 and v3, and what a create or a change makes of them (contract, sections 3 and 9). */
import { LENGTH } from '../../../src/limits.ts'
import { type Input, inputsOf, type Schema } from '../operations.ts'
import { type Row, toRow } from '../rows.ts'
import { changesOf, iso, type State, type User, withFields } from './state.ts'
import * as values from './values.ts'
import type { Rule } from './values.ts'

const CREATE = 'POST /v1/stores/{store_id}/users'
const UPDATE = 'PATCH /v1/stores/{store_id}/users/{id}'

/** A field as the document describes it; the rules of the contract that the document cannot say are given. */
function fieldsIn(operation: string, rules: Record<string, Rule>): Record<string, Rule> {
  return Object.fromEntries(inputsOf(operation).map((input) => [input.name, fieldRule(input, rules[input.name])]))
}

function fieldRule({ schema, isRequired }: Input, known?: Rule): Rule {
  const inner = known ?? textRule(schema)
  if (isRequired) return inner
  return isNullable(schema) ? values.optional(inner) : values.ifSent(inner)
}

function textRule(schema: Schema): Rule {
  // Beside null, a choice is one of two kinds.
  const [kind = schema] = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
  const { enum: choices, format, minLength, maxLength = Infinity } = kind
  if (choices) return values.oneOf(choices.filter((choice) => typeof choice === 'string'))
  if (format === 'email') return values.email
  return minLength === undefined ? values.text(maxLength) : values.filled(maxLength)
}

const isNullable = ({ type = [], anyOf = [] }: Schema) => [type].flat().includes('null') || anyOf.some(isNullable)

const customFields = values.all(
  values.customFields,
  values.rule((value) => !values.isTooLarge(toRow(value))),
)

export const CREATE_V1 = fieldsIn(CREATE, { country: values.country, custom_fields: customFields })

/** Null clears what may be absent. */
export const CHANGE = fieldsIn(UPDATE, { country: values.country, custom_fields: values.customFields })

export const CREATE_V3 = fieldsIn('POST /v3/public/users', {
  country: values.letters,
  language: values.upperCaseLetters,
  custom_fields: values.all(customFields, (value, now) =>
    values
      .filled(LENGTH.customFieldValue)(toRow(value)['field1'], now)
      .map(() => 'field1'),
  ),
})

/** The fields that a user may be without. */
export const REMOVABLE = inputsOf(UPDATE)
  .filter(({ schema }) => isNullable(schema))
  .map(({ name }) => name)

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
