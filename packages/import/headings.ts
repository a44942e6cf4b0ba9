/** Guesses the field of each column of a file from its name in English, Spanish or Portuguese. */
import { CUSTOM_FIELD, type HeadingField, IGNORED, JSON_FIELDS, PRODUCTS, TEXTS } from './columns.ts'
import { normalizeName } from './normalize-name.ts'

/** The engine's value for a column that is ignored. */
export const NO_FIELD = ''

export interface CustomField {
  key: string
  label: string | null
}

/** Common names of each field, as `normalizeName` returns them. */
const NAMES: Record<HeadingField, string[]> = {
  name: ['firstname', 'givenname', 'forename', 'nombre', 'nombres', 'primernombre', 'nome', 'primeironome'],
  last_name: ['surname', 'familyname', 'apellido', 'apellidos', 'sobrenome', 'sobrenomes', 'apelido', 'ultimonome'],
  email: ['mail', 'emailaddress', 'correo', 'correoelectronico', 'direcciondecorreo', 'correioeletronico'],
  phone: ['telephone', 'phonenumber', 'mobile', 'cell', 'telefono', 'movil', 'celular', 'telefone', 'telemovel'],
  country: ['countrycode', 'pais', 'codigopais', 'codigodopais'],
  language: ['lang', 'locale', 'idioma', 'lengua', 'lingua'],
  external_id: [
    'externalid',
    'idexterno',
    'codigoexterno',
    'studentid',
    'studentnumber',
    'matricula',
    // "Nº matrícula" and "N.º de matrícula"
    'nmatricula',
    'ndematricula',
    'numerodematricula',
    'expediente',
    'numerodeexpediente',
  ],
  avatar: ['avatarurl', 'photo', 'picture', 'foto', 'imagen', 'imagem'],
  password: ['pass', 'contrasena', 'clave', 'senha', 'palavrapasse'],
  product: ['products', 'course', 'courses', 'producto', 'productos', 'curso', 'cursos', 'produto', 'produtos'],
  product_status: ['status', 'accessstatus', 'estado', 'estadodeacceso', 'estadodoacesso', 'situacao'],
  product_due_date: [
    'duedate',
    'accessduedate',
    'expires',
    'expirationdate',
    'vencimiento',
    'fechadevencimiento',
    'fechalimite',
    'caducidad',
    'fechadecaducidad',
    'fechadefin',
    'vencimento',
    'datadevencimento',
    'datalimite',
  ],
}
const names: Readonly<Record<string, string[]>> = NAMES
/** Part of longer names of the email column, such as "Endereço de e-mail". */
const EMAIL = /email|correo/

/** Returns the fields that a column of this format may be mapped to. */
export function fieldsOf(format: 'csv' | 'ndjson'): string[] {
  return format === 'csv' ? [...TEXTS, ...PRODUCTS, 'custom_fields'] : [...JSON_FIELDS]
}

/**
 * Maps each field to one column at most. Exact names of the API are matched first, or a column with a similar name
 * could take the field.
 */
export function guessFields(
  columns: string[],
  format: 'csv' | 'ndjson',
  customFields: CustomField[],
): Record<string, string> {
  const fields = fieldsOf(format)
  const guesses = new Map<string, string>()
  const taken = new Set<string>()
  const rounds = [
    (column: string) => (fields.includes(column) || column.startsWith(CUSTOM_FIELD) ? column : undefined),
    (column: string) => customFieldNamed(column, customFields),
    (column: string) =>
      fields.find(
        (field) => normalizeName(field) === normalizeName(column) || names[field]?.includes(normalizeName(column)),
      ),
    (column: string) => (EMAIL.test(normalizeName(column)) ? 'email' : undefined),
  ]
  for (const guess of rounds) {
    for (const column of columns) {
      const field = guesses.has(column) || IGNORED.has(column) ? undefined : guess(column)
      if (field === undefined || taken.has(field)) continue
      guesses.set(column, field)
      taken.add(field)
    }
  }
  // In a file without products, a "status" column means something else than the status of an access.
  const isUseless = (field: string) => !taken.has('product') && PRODUCTS.includes(field)
  for (const [column, field] of guesses) if (isUseless(field)) guesses.delete(column)
  return Object.fromEntries(columns.map((column) => [column, guesses.get(column) ?? NO_FIELD]))
}

function customFieldNamed(column: string, customFields: CustomField[]): string | undefined {
  const found = customFields.find(
    ({ key, label }) =>
      normalizeName(key) === normalizeName(column) ||
      (label !== null && normalizeName(label) === normalizeName(column)),
  )
  return found && CUSTOM_FIELD + found.key
}
