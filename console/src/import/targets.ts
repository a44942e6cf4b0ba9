/** Which field of a user each column of a file probably holds, by its name, in the three languages of our schools. */
import { CUSTOM_FIELD, IGNORED, JSON_FIELDS, PRODUCTS, REQUIRED, TEXTS } from './engine.ts'

/** A column to be left out: the engine's word for it. */
export const LEFT_OUT = ''

export interface CustomField {
  key: string
  label: string | null
}

/** By the field; without accents, spaces and capitals. */
const NAMES: Record<string, string[]> = {
  name: ['firstname', 'givenname', 'forename', 'nombre', 'nombres', 'primernombre', 'nome', 'primeironome'],
  last_name: ['surname', 'familyname', 'apellido', 'apellidos', 'sobrenome', 'sobrenomes', 'apelido', 'ultimonome'],
  email: ['mail', 'emailaddress', 'correo', 'correoelectronico', 'direcciondecorreo', 'correioeletronico'],
  phone: ['telephone', 'phonenumber', 'mobile', 'cell', 'telefono', 'movil', 'celular', 'telefone', 'telemovel'],
  country: ['countrycode', 'pais', 'codigopais', 'codigodopais'],
  language: ['lang', 'locale', 'idioma', 'lengua', 'lingua'],
  external_id: ['externalid', 'idexterno', 'codigoexterno', 'studentid', 'matricula'],
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
    'vencimento',
    'datadevencimento',
    'datalimite',
  ],
}
/** Words that an address of e-mail is called by in longer names, such as "Endereço de e-mail". */
const EMAIL = /email|correo/

/** What a column of such a file may hold. */
export function fieldsOf(format: 'csv' | 'ndjson'): string[] {
  return format === 'csv' ? [...TEXTS, ...PRODUCTS, 'custom_fields'] : [...JSON_FIELDS]
}

/** Each field once: a name as the API has it goes before one that sounds like it. */
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
    (column: string) => fields.find((field) => plain(field) === plain(column) || NAMES[field]?.includes(plain(column))),
    (column: string) => (EMAIL.test(plain(column)) ? 'email' : undefined),
  ]
  for (const guess of rounds) {
    for (const column of columns) {
      const field = guesses.has(column) || IGNORED.has(column) ? undefined : guess(column)
      if (field === undefined || taken.has(field)) continue
      guesses.set(column, field)
      taken.add(field)
    }
  }
  // A file without products tells of something else by its "status".
  const isUseless = (field: string) => !taken.has('product') && PRODUCTS.includes(field)
  for (const [column, field] of guesses) if (isUseless(field)) guesses.delete(column)
  return Object.fromEntries(columns.map((column) => [column, guesses.get(column) ?? LEFT_OUT]))
}

export interface MappingProblems {
  missing: string[]
  repeated: string[]
  /** The file tells of the status or date of an access, and not of which product. */
  lacksProduct: boolean
}

export function problemsOf(rename: Record<string, string>): MappingProblems {
  const chosen = Object.values(rename).filter((field) => field !== LEFT_OUT)
  return {
    missing: REQUIRED.filter((field) => !chosen.includes(field)),
    repeated: [...new Set(chosen.filter((field, i) => chosen.indexOf(field) < i))],
    lacksProduct: !chosen.includes('product') && PRODUCTS.some((field) => chosen.includes(field)),
  }
}

export function isComplete({ missing, repeated, lacksProduct }: MappingProblems): boolean {
  return missing.length === 0 && repeated.length === 0 && !lacksProduct
}

function customFieldNamed(column: string, customFields: CustomField[]): string | undefined {
  const found = customFields.find(
    ({ key, label }) => plain(key) === plain(column) || (label !== null && plain(label) === plain(column)),
  )
  return found && CUSTOM_FIELD + found.key
}

function plain(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
}
