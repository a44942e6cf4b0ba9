/** The labels of a user's fields, one entry each: the console has them from here, in each of its languages. */
import { ofEach, namesOf } from '../../src/lib/names.ts'
import type { UserField } from '../../src/modules/users/user-fields.ts'

interface FieldName {
  en: string
  es: string
  'pt-BR': string
  /** Only if it differs from that of Brazil. */
  'pt-PT'?: string
}

const FIELD_NAMES: Readonly<Record<UserField, FieldName>> = {
  name: { en: 'Name', es: 'Nombre', 'pt-BR': 'Nome' },
  last_name: { en: 'Last name', es: 'Apellidos', 'pt-BR': 'Sobrenome', 'pt-PT': 'Apelido' },
  email: { en: 'Email', es: 'Correo electrónico', 'pt-BR': 'E-mail' },
  phone: { en: 'Phone', es: 'Teléfono', 'pt-BR': 'Telefone' },
  avatar: { en: 'Picture (URL)', es: 'Imagen (URL)', 'pt-BR': 'Foto (URL)' },
  country: { en: 'Country', es: 'País', 'pt-BR': 'País' },
  language: { en: 'Language', es: 'Idioma', 'pt-BR': 'Idioma' },
  external_id: { en: 'External ID', es: 'ID externo', 'pt-BR': 'ID externo' },
  password: { en: 'Password', es: 'Contraseña', 'pt-BR': 'Senha', 'pt-PT': 'Palavra-passe' },
  custom_fields: { en: 'Custom fields', es: 'Campos personalizados', 'pt-BR': 'Campos personalizados' },
}

/** The label of each field in a language. */
export function labelsIn(language: keyof FieldName): Record<UserField, string> {
  return ofEach(namesOf(FIELD_NAMES), (field) => FIELD_NAMES[field][language] ?? FIELD_NAMES[field]['pt-BR'])
}
