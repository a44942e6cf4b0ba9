/** The headings of common files and of the console's own, in English, Spanish and Portuguese, as `normalizeName` returns them. */
import { ofEach } from '../../src/lib/names.ts'
import { FIELD_NAMES } from './field-names.ts'
import { type HeadingField, TEXT_FIELDS } from './fields.ts'
import { normalizeName } from './normalize-name.ts'
import { statusNamed } from './statuses.ts'

/** The labels of a field, and its further headings. */
function headingsOf(field: keyof typeof FIELD_NAMES): string[] {
  const { headings = [], ...labels } = FIELD_NAMES[field]
  return [...Object.values(labels).map(normalizeName), ...headings]
}

export const HEADING_NAMES: Record<HeadingField, readonly string[]> = {
  ...ofEach(TEXT_FIELDS, headingsOf),
  product: [
    'products',
    'productslug',
    'productname',
    'course',
    'courses',
    'coursename',
    'producto',
    'productos',
    'curso',
    'cursos',
    'nombredelcurso',
    'produto',
    'produtos',
    'nomedocurso',
  ],
  product_status: [
    'status',
    'state',
    'accessstatus',
    'accessstate',
    'statusoftheaccess',
    'estado',
    'estadodeacceso',
    'estadodelacceso',
    'estadodoacesso',
    'statusdoacesso',
    'situacion',
    'situacao',
    'situacaodoacesso',
  ],
  product_due_date: [
    'due',
    'duedate',
    'accessduedate',
    'accessuntil',
    'validuntil',
    'expires',
    'expiry',
    'expirydate',
    'expiration',
    'expirationdate',
    'enddate',
    'vence',
    'venceel',
    'venceem',
    'caduca',
    'caducael',
    'expira',
    'expirael',
    'vencimiento',
    'fechadevencimiento',
    'fechavencimiento',
    'fechalimite',
    'caducidad',
    'fechadecaducidad',
    'fechacaducidad',
    'expiracion',
    'fechadeexpiracion',
    'fechadefin',
    'fechafin',
    'fechafinal',
    'fechadetermino',
    'datafinal',
    'accesohasta',
    'validohasta',
    'validez',
    'vencimento',
    'datadevencimento',
    'datalimite',
    'expiracao',
    'datadeexpiracao',
    'expiraem',
    'acessoate',
    'validoate',
    'validade',
    'datadevalidade',
    'datadefim',
    'datafim',
    'datadetermino',
    'fimdoacesso',
    'findelacceso',
    'fechadefindelacceso',
    'datadefimdoacesso',
  ],
}

/** The columns of the console's workbooks that an import cannot set, in its three languages. */
export const OWN_HEADINGS: ReadonlySet<string> = new Set([
  'created',
  'creacion',
  'criadoem',
  'criacao',
  'progress',
  'progreso',
  'progresso',
])

interface WeakName {
  field: HeadingField
  names: readonly string[]
  isValue: (text: string) => boolean
}

/** An address or a file. A form asks whether somebody may be in a picture. */
const PICTURE = /^(?:https?:|data:|\/)|\.(?:jpe?g|png|gif|webp|svg|avif)$/i
/** A fee, a day or an answer is no number of a student. */
const NUMBER_OF_STUDENT = /^(?=.*\d)[\p{L}\p{N}][\p{L}\p{N}\s._/-]*$/u
const DAY = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b/
const PHONE = /^[+(]?\d[\d\s().\-/]{5,}$/

/** Headings that mean something else as often, so the values of the column decide: `Estado` may be a state of Mexico. */
export const WEAK_NAMES: readonly WeakName[] = [
  { field: 'product_status', names: HEADING_NAMES.product_status, isValue: isStatus },
  {
    field: 'external_id',
    names: ['matricula', 'expediente'],
    isValue: (text) => NUMBER_OF_STUDENT.test(text) && !DAY.test(text),
  },
  { field: 'avatar', names: ['photo', 'picture', 'foto', 'imagen', 'imagem'], isValue: (text) => PICTURE.test(text) },
  { field: 'phone', names: ['contact', 'contacto', 'contato'], isValue: (text) => PHONE.test(text) },
]

function isStatus(text: string): boolean {
  return text.split('|').every((part) => statusNamed(part) !== undefined)
}
