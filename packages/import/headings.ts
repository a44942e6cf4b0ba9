/**
 * Guesses the field of each column of a file from its name in English, Spanish or Portuguese. Exact names come first, or a
 * column whose name is only similar could take the field. If two columns fit a field equally well, it gets neither, because
 * half of such guesses would be wrong values that nobody notices.
 */
import { CUSTOM_FIELD, IGNORED, JSON_FIELDS, PRODUCTS, TEXTS } from './fields.ts'
import { type Guess, NO_FIELD, type Unclear } from './guess.ts'
import { HEADING_NAMES, OWN_HEADINGS, WEAK_NAMES } from './heading-names.ts'
import { nameColumn, settleNames } from './name-headings.ts'
import { ownFields } from './own-accesses.ts'
import { foldName, normalizeName } from './normalize-name.ts'
import { NAME_COLUMNS } from './whole-name.ts'

export { type Guess, NO_FIELD, type Unclear } from './guess.ts'

export interface CustomField {
  key: string
  label: string | null
}

/** Returns some values of a column, without empty ones. */
export type ValuesOf = (column: string) => string[]

type Round = (column: string) => string | undefined

const names: Readonly<Record<string, readonly string[]>> = HEADING_NAMES
/** Part of longer names of the email column, such as "E-mail del alumno". */
const EMAIL = /email|correo|correio/
/** Such a column may have the email of somebody else, or no email, so it is never taken without a question. */
const OTHERS_EMAIL =
  /parent|mother|father|guardian|tutor|padre|madre|\b(?:pai|mae|pais|opt|sent|date|data|fecha)\b|encarregado|responsa|recover|recupera|backup|secondary|secundari|alternat|billing|factura|fatura|cobr|consent|newsletter|boletin|accept|acept|aceit|verif|confirm|envia|status|emergenc/
/** What is written behind a heading for the reader, such as "[Required]" in the template of Google Workspace. */
const REMARK = /\s*(?:[[(](?:required|optional|obligatori[oa]|opcional|obrigatóri[oa])[\])]|\*)\s*$/i

/** Returns the fields that a column of this format may be mapped to. */
export function fieldsOf(format: 'csv' | 'ndjson'): string[] {
  return format === 'csv' ? [...TEXTS, ...NAME_COLUMNS, ...PRODUCTS, 'custom_fields'] : [...JSON_FIELDS]
}

export function guessFields(
  columns: string[],
  format: 'csv' | 'ndjson',
  customFields: CustomField[],
  valuesOf?: ValuesOf,
): Record<string, string> {
  return guessColumns(columns, format, customFields, valuesOf).fields
}

/** Each field gets one column at most. Without values, a heading of several meanings has that of the import. */
export function guessColumns(
  columns: string[],
  format: 'csv' | 'ndjson',
  customFields: CustomField[],
  valuesOf: ValuesOf = () => [],
): Guess {
  const guesses = new Map<string, string>()
  const taken = new Set<string>()
  const unclear: Unclear[] = []
  const asked = new Set<string>()
  const own = format === 'csv' ? ownFields(columns) : new Map<string, string>()
  for (const [column, field] of own) {
    if (field === NO_FIELD) asked.add(column)
    else guesses.set(column, field)
    taken.add(field)
  }
  const distinct = [...new Set(columns)].filter((column) => !IGNORED.has(column))
  for (const round of roundsFor(format, customFields, valuesOf)) {
    const open = distinct.filter((column) => !guesses.has(column) && !asked.has(column))
    const found = Map.groupBy(open, (column) => round(column) ?? NO_FIELD)
    for (const [field, fitting] of found) {
      const [column, ...others] = fitting
      if (field === NO_FIELD || taken.has(field) || column === undefined) continue
      taken.add(field)
      if (others.length === 0 && !mayBeOthers(field, column)) guesses.set(column, field)
      else unclear.push({ field, columns: fitting })
      if (!guesses.has(column)) for (const each of fitting) asked.add(each)
    }
  }
  // In a file without products, a "status" column means something else than the status of an access.
  const isUseless = (field: string) => !taken.has('product') && !taken.has('product_id') && PRODUCTS.includes(field)
  for (const [column, field] of guesses) if (isUseless(field)) guesses.delete(column)
  return settleNames({
    fields: Object.fromEntries(columns.map((column) => [column, guesses.get(column) ?? NO_FIELD])),
    unclear: unclear.filter(({ field }) => !isUseless(field)),
    ignored: distinct.filter(
      (column) => !guesses.has(column) && (own.has(column) || OWN_HEADINGS.has(normalizeName(column))),
    ),
  })
}

/** In their order: a field that one round has found is closed to the later ones. */
function roundsFor(format: 'csv' | 'ndjson', customFields: CustomField[], valuesOf: ValuesOf): Round[] {
  const fields = fieldsOf(format)
  // A custom field may have the name of the others as its key.
  const isOfApi = (column: string) => fields.includes(column) && !NAME_COLUMNS.includes(column)
  const api = (column: string) => (isOfApi(column) || column.startsWith(CUSTOM_FIELD) ? column : undefined)
  const isWeak = (field: string) => WEAK_NAMES.some((weak) => weak.field === field && weak.names === names[field])
  const named = (column: string) => {
    const name = normalizeName(column)
    return fields.find((field) => normalizeName(field) === name || (!isWeak(field) && names[field]?.includes(name)))
  }
  const rounds: Round[] = [
    api,
    (column) => customFieldNamed(column, customFields, exactName),
    // A "Name" may be the whole one beside a "First name", so it is compared with that.
    (column) => fields.find((field) => field !== 'name' && exactName(field) === exactName(column)),
    (column) => customFieldNamed(column, customFields, foldName, foldKey),
    (column) => named(column) ?? named(column.replace(REMARK, '')),
    (column) => (format === 'csv' ? nameColumn(column.replace(REMARK, ''), () => valuesOf(column)) : undefined),
    (column) => weakField(column, valuesOf(column)),
    (column) => (isEmailHeading(column, valuesOf(column)) ? 'email' : undefined),
  ]
  return rounds.map((round) => (column) => (exactName(column) === '' ? undefined : round(column)))
}

function exactName(name: string): string {
  return name.normalize('NFC').trim().toLowerCase()
}

/** A key has no blanks. */
function foldKey(key: string): string {
  return foldName(key.replaceAll(/[_.-]/g, ' '))
}

/** Undefined if no custom field has this name, or several do. */
function customFieldNamed(
  column: string,
  customFields: CustomField[],
  fold: (name: string) => string,
  foldOfKey = fold,
): string | undefined {
  const name = fold(column)
  const isNamed = ({ key, label }: CustomField) =>
    (label !== null && fold(label) === name) || foldOfKey(key) === foldOfKey(column)
  const [found, ...others] = name === '' ? [] : customFields.filter(isNamed)
  return found === undefined || others.length > 0 ? undefined : CUSTOM_FIELD + found.key
}

function weakField(column: string, values: string[]): string | undefined {
  const name = normalizeName(column)
  return WEAK_NAMES.find((weak) => weak.names.includes(name) && isMost(values, weak.isValue))?.field
}

function isEmailHeading(column: string, values: string[]): boolean {
  return EMAIL.test(normalizeName(column)) && isMost(values, (value) => value.includes('@'))
}

function mayBeOthers(field: string, column: string): boolean {
  const name = normalizeName(column)
  const isKnown = normalizeName('email') === name || HEADING_NAMES.email.includes(name)
  return field === 'email' && !isKnown && OTHERS_EMAIL.test(foldName(column))
}

/** A few wrong values may be faults of their rows. Without a value, nothing speaks against the heading. */
function isMost(values: string[], isValue: (value: string) => boolean): boolean {
  return values.length === 0 || values.filter(isValue).length * 2 > values.length
}
