/** People, as requests describe them. */
import * as contract from '../contract.ts'
import { inputsOf } from '../operations.ts'
import type { Random } from '../world/random.ts'
import { type Row, toRow } from '../rows.ts'
import type { Examiner } from './examiner.ts'

/** A spreadsheet takes what begins a line or follows a separator for a formula. */
const PHONES = ['', '=1+1', 'a,=1', 'a;@b', 'a\t-1', 'a\n=1', 'a =1']

const GIVEN_NAMES = ['José', 'Ana', 'MARÍA', 'Zoë', 'Lee-Ann']

type Pick = (random: Random, marker: string, exam: Examiner) => unknown

/** The fields that are any text and may be omitted. */
const TEXTS = inputsOf('POST /v1/stores/{store_id}/users').filter(
  ({ isRequired, schema: { type = [], format, minLength } }) =>
    !isRequired && [type].flat().includes('string') && format === undefined && minLength === undefined,
)

/** What a create may have besides the names and the email. */
export const OPTIONAL: Readonly<Record<string, Pick>> = {
  phone: (random) => (random.chance(0.5) ? `+34 600 000 ${100 + random.below(900)}` : random.pick(PHONES)),
  country: (random) => random.pick(['us', 'PT', 'eS']),
  language: (random) => random.pick(['ES', 'PT']),
  external_id: (random, marker) => random.pick(['ext,"1"', 'ext-2', marker]),
  avatar: (random) => random.pick(['', 'https://cdn.example.com/a.png']),
  password: (random) => contract.passwordOf(random.below(3)),
  custom_fields: (random, _, exam) => newCustomFields(exam, random),
}

/** Any other text of the document. */
const OTHERS = TEXTS.filter(({ name }) => !Object.hasOwn(OPTIONAL, name)).map(({ name }): [string, Pick] => [
  name,
  (random, marker) => random.pick(['', '=1+1', marker]),
])

/** A character is a code point, so the longest text has twice as many code units. A phone has digits, and the others none. */
const LONGEST = TEXTS.map(({ name, schema: { maxLength = 0 } }): [string, string] => [
  name,
  (name === 'phone' ? '0' : '😀').repeat(maxLength),
])

/** A person with some of the optional fields. All personal data names its store, and texts have special characters. */
export function newPerson(exam: Examiner, random: Random): Row {
  const marker = contract.personal(exam.model.slug, exam.slug('person'))
  const local = marker.replaceAll(/[^\w~-]/g, '').toLowerCase()
  const optional: Row = Object.fromEntries(
    [...Object.entries(OPTIONAL), ...OTHERS].map(([name, pick]) => [name, pick(random, marker, exam)]),
  )
  for (const [name, text] of LONGEST) if (random.chance(0.05)) optional[name] = text
  const chosen = Object.entries(optional).filter(() => random.chance(0.45))
  return {
    name: `${contract.personal(exam.model.slug, random.pick(GIVEN_NAMES))} ${random.below(20)}`,
    last_name: random.chance(0.05) ? ` ${marker}`.padStart(255, 'é') : marker,
    email: `${random.pick(['', 'X'])}${local}@${random.pick(['Example.com', 'Bücher.example.com'])}`,
    ...Object.fromEntries(chosen),
  }
}

function newCustomFields(exam: Examiner, random: Random): Row {
  const texts = ['é'.repeat(1000), 'text', ' 17', '17', '-5', 'null', '[]', '', 'a "b", c']
  // Each digit of a number counts, up to 64 characters.
  const numbers = ['17', '-0.5', '17.0', '1e2', `0.${'0'.repeat(61)}1`].map((digits) => JSON.rawJSON(digits))
  const values = [...texts, ...numbers, true, false]
  const keys = [...exam.model.fields.keys()].filter(() => random.chance(0.6))
  return Object.fromEntries(keys.map((key) => [key, random.pick(values)]))
}

/** With every field that v3 requires. */
export function newPersonV3(exam: Examiner, random: Random): Row {
  const { custom_fields, ...person } = newPerson(exam, random)
  const required = {
    phone: '+1',
    avatar: '',
    country: 'us',
    language: 'FR',
    external_id: 'v3',
    password: contract.passwordOf(1),
  }
  const { language: _, phone, ...sent } = person
  const known = new Set(['name', 'last_name', 'email', ...Object.keys(required)])
  const ofV3 = Object.fromEntries(Object.entries(sent).filter(([name]) => known.has(name)))
  const fields = { field1: 'built in', ...toRow(custom_fields) }
  return { ...required, ...ofV3, ...(phone ? { phone } : {}), custom_fields: fields }
}

export const swapCase = (text: string) =>
  text.replaceAll(/[a-z]/gi, (c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()))
