/**
 * What people call the fields of a user, one entry each: the labels of the console in its languages, and the headings that
 * the import knows, which are all labels and these.
 */
import { ofEach, namesOf } from '../../src/lib/names.ts'
import type { UserField } from '../../src/modules/users/user-fields.ts'

interface FieldName {
  en: string
  es: string
  'pt-BR': string
  /** Only if it differs from that of Brazil. */
  'pt-PT'?: string
  /** As `normalizeName` returns them. */
  headings?: readonly string[]
}

type Language = Exclude<keyof FieldName, 'headings'>

export const FIELD_NAMES: Readonly<Record<UserField, FieldName>> = {
  name: {
    en: 'Name',
    es: 'Nombre',
    'pt-BR': 'Nome',
    headings: [
      'firstname',
      'firstnames',
      'givenname',
      'givennames',
      'forename',
      'nombres',
      'nombredepila',
      'primernombre',
      'nomes',
      'primeironome',
      'nomeproprio',
      'nomesproprios',
    ],
  },
  last_name: {
    en: 'Last name',
    es: 'Apellidos',
    'pt-BR': 'Sobrenome',
    'pt-PT': 'Apelido',
    headings: [
      'surname',
      'surnames',
      'familyname',
      'lastnames',
      'apellido',
      'sobrenomes',
      'apelidos',
      'ultimonome',
      'ultimosnomes',
      'nomedefamilia',
    ],
  },
  email: {
    en: 'Email',
    es: 'Correo electrónico',
    'pt-BR': 'E-mail',
    headings: [
      'mail',
      'emailaddress',
      'emailid',
      'useremail',
      'correo',
      'direcciondecorreo',
      'direcciondecorreoelectronico',
      'direccionemail',
      'correioeletronico',
      'correioelectronico',
      'enderecodeemail',
      'enderecodecorreioeletronico',
      'enderecodecorreioelectronico',
    ],
  },
  phone: {
    en: 'Phone',
    es: 'Teléfono',
    'pt-BR': 'Telefone',
    headings: [
      'telephone',
      'telephonenumber',
      'phonenumber',
      'mobile',
      'mobilephone',
      'mobilenumber',
      'cell',
      'cellphone',
      'telefonomovil',
      'telefonocelular',
      'numerodetelefono',
      'movil',
      'celular',
      'telefonemovel',
      'telefonecelular',
      'numerodetelefone',
      'telemovel',
      'numerodetelemovel',
      'notelefone',
      'nodetelefone',
      'nodetelefono',
      'notelemovel',
      'nodetelemovel',
      'tel',
      'telf',
      'tlf',
      'tlm',
    ],
  },
  avatar: {
    en: 'Picture (URL)',
    es: 'Imagen (URL)',
    'pt-BR': 'Foto (URL)',
    headings: ['avatarurl', 'photourl', 'pictureurl', 'fotourl', 'imagenurl', 'imagemurl'],
  },
  country: {
    en: 'Country',
    es: 'País',
    'pt-BR': 'País',
    headings: [
      'countrycode',
      'countryregion',
      'codigopais',
      'codigodepais',
      'codigodelpais',
      'codigodopais',
      'paisderesidencia',
    ],
  },
  language: {
    en: 'Language',
    es: 'Idioma',
    'pt-BR': 'Idioma',
    headings: ['lang', 'locale', 'preferredlanguage', 'lengua', 'lingua'],
  },
  external_id: {
    en: 'External ID',
    es: 'ID externo',
    'pt-BR': 'ID externo',
    headings: [
      'codigoexterno',
      'studentid',
      'studentnumber',
      'idnumber',
      'numerodeid',
      // "Nº matrícula" and "N.º de matrícula", whose sign is a letter; and both without it
      'nomatricula',
      'nodematricula',
      'nmatricula',
      'ndematricula',
      'numerodematricula',
      'numerodeexpediente',
      'noexpediente',
      'nodeexpediente',
    ],
  },
  password: {
    en: 'Password',
    es: 'Contraseña',
    'pt-BR': 'Senha',
    'pt-PT': 'Palavra-passe',
    headings: ['pass'],
  },
  custom_fields: { en: 'Custom fields', es: 'Campos personalizados', 'pt-BR': 'Campos personalizados' },
}

/** The label of each field in a language. */
export function labelsIn(language: Language): Record<UserField, string> {
  return ofEach(namesOf(FIELD_NAMES), (field) => FIELD_NAMES[field][language] ?? FIELD_NAMES[field]['pt-BR'])
}
