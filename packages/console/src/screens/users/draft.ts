/**
 * The values of a user's form: a text for each field. The keys are paths as in the API's errors, so an error finds its
 * input.
 */
import { CLEARABLE_FIELDS, PLAIN_FIELDS, REQUIRED_FIELDS } from '../../../../../src/modules/users/user-fields.ts'
import type { Schemas } from '../../api/client.ts'

export type User = Schemas['User']
export type Draft = ReadonlyMap<string, string>

export const STORE_LANGUAGES = ['ES', 'PT', 'EN'] as const

type CustomValue = string | number | boolean | null

export function customPath(key: string): string {
  return `custom_fields.${key}`
}

/** Returns the values of the form for a user. The password is never included, because the API does not return it. */
export function draftOf(user: User): Draft {
  const own = PLAIN_FIELDS.map((field) => [field, user[field] ?? ''] as const)
  const custom = Object.entries(user.custom_fields ?? {}).map(
    ([key, value]) => [customPath(key), customText(value)] as const,
  )
  return new Map([...own, ...custom])
}

export function customText(value: CustomValue): string {
  return value === null ? '' : String(value)
}

/** Returns the body of a create. Empty inputs are omitted. */
export function newUserOf(draft: Draft): Schemas['CreateUser'] {
  const text = (path: string) => draft.get(path) ?? ''
  const custom = customEntries(draft, undefined).filter(([, value]) => value !== null)
  return {
    name: text('name'),
    last_name: text('last_name'),
    email: text('email'),
    ...Object.fromEntries(CLEARABLE_FIELDS.filter((field) => text(field) !== '').map((field) => [field, text(field)])),
    ...languageOf(text('language')),
    ...(text('password') !== '' && { password: text('password') }),
    ...(custom.length > 0 && { custom_fields: Object.fromEntries(custom) }),
  }
}

/** Returns the body of an update: only what differs from `base`. An optional field that was emptied is removed. */
export function changesOf(base: User, draft: Draft): Schemas['UpdateUser'] {
  const before = draftOf(base)
  const text = (path: string) => draft.get(path) ?? ''
  const isChanged = (path: string) => text(path) !== (before.get(path) ?? '')
  const custom = customEntries(draft, base).filter(([key]) => isChanged(customPath(key)))
  return {
    ...Object.fromEntries(REQUIRED_FIELDS.filter(isChanged).map((field) => [field, text(field)])),
    ...Object.fromEntries(CLEARABLE_FIELDS.filter(isChanged).map((field) => [field, text(field) || null])),
    ...(isChanged('language') && languageOf(text('language'))),
    ...(text('password') !== '' && { password: text('password') }),
    ...(custom.length > 0 && { custom_fields: Object.fromEntries(custom) }),
  }
}

export interface Difference {
  path: string
  before: string
  theirs: string
  yours: string
}

/** Returns the fields that someone else has changed since `base`, with the value in the draft for comparison. */
export function differences(base: User, now: User, draft: Draft): Difference[] {
  const [before, theirs] = [draftOf(base), draftOf(now)]
  return [...new Set([...before.keys(), ...theirs.keys()])]
    .map((path) => ({
      path,
      before: before.get(path) ?? '',
      theirs: theirs.get(path) ?? '',
      yours: draft.get(path) ?? '',
    }))
    .filter((field) => field.before !== field.theirs)
}

/**
 * Moves the draft onto `now`: fields that the operator has not changed get the new values, the others keep the
 * operator's.
 */
export function rebase(base: User, now: User, draft: Draft): Draft {
  const followed = differences(base, now, draft).filter(({ before, yours }) => yours === before)
  return new Map([...draft, ...followed.map(({ path, theirs }) => [path, theirs] as const)])
}

/**
 * Keeps the type of a number or boolean if the text still is one. Sent as text, an unchanged-looking value would change
 * its type.
 */
function customEntries(draft: Draft, base: User | undefined): [string, CustomValue][] {
  const prefix = customPath('')
  return [...draft]
    .filter(([path]) => path.startsWith(prefix))
    .map(([path, text]) => {
      const key = path.slice(prefix.length)
      return [key, customValue(text, new Map(Object.entries(base?.custom_fields ?? {})).get(key))]
    })
}

function customValue(text: string, before: CustomValue | undefined): CustomValue {
  if (text === '') return null
  if (typeof before === 'number' && String(Number(text)) === text && Number.isFinite(Number(text))) return Number(text)
  if (typeof before === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

function languageOf(text: string): Pick<Schemas['UpdateUser'], 'language'> {
  const language = STORE_LANGUAGES.find((known) => known === text)
  return language === undefined ? {} : { language }
}
