/** The users and products of the demo academy. The names are invented, and the email domains are reserved (RFC 2606). */

/** These ranges are reserved for fiction or not assigned, so no number belongs to a person. Two digits follow. */
const PHONES = {
  AR: '+54 11 0555 01',
  BR: '+55 11 0555 01',
  CA: '+1 613 555 01',
  CL: '+56 2 0555 01',
  CO: '+57 1 0555 01',
  ES: '+34 555 555 1',
  GB: '+44 7700 9001',
  IE: '+353 20 0555 01',
  MX: '+52 55 0555 01',
  PT: '+351 555 555 1',
  US: '+1 202 555 01',
}

type Country = keyof typeof PHONES

const ENGLISH = new Set<Country>(['CA', 'GB', 'IE', 'US'])
const PORTUGUESE = new Set<Country>(['BR', 'PT'])

/** Each row has name, last name, country, department and plan, in the order in which the users are created. */
const ROWS: [string, string, Country, string, string][] = [
  ['Lucía', 'Fernández Oliva', 'ES', 'Sales', 'premium'],
  ['Beatriz', 'Carvalho', 'BR', 'Support', 'basic'],
  ['Owen', 'Whitlock', 'GB', 'Engineering', 'premium'],
  ['Mateo', 'Quiroga', 'AR', 'Marketing', 'basic'],
  ['Inês', 'Salgueiro', 'PT', 'Finance', 'premium'],
  ['Harriet', 'Bloom', 'US', 'Sales', 'trial'],
  ['Tomás', 'Arriaga', 'MX', 'Engineering', 'basic'],
  ['Carmen', 'Villalba', 'ES', 'People', 'premium'],
  ['Rafael', 'Monteiro', 'BR', 'Sales', 'basic'],
  ['Fiona', 'Garrity', 'IE', 'Support', 'basic'],
  ['Valentina', 'Rojas Pinto', 'CL', 'Marketing', 'premium'],
  ['Duarte', 'Figueira', 'PT', 'Engineering', 'basic'],
  ['Caleb', 'Ashworth', 'CA', 'Finance', 'premium'],
  ['Sofía', 'Montalvo', 'CO', 'Support', 'trial'],
  ['Álvaro', 'Benítez', 'ES', 'Engineering', 'basic'],
  ['Larissa', 'Teixeira', 'BR', 'People', 'premium'],
  ['Martha', 'Pendleton', 'US', 'Marketing', 'basic'],
  ['Ignacio', 'Durán', 'CL', 'Sales', 'basic'],
  ['Nuria', 'Casals', 'ES', 'Finance', 'premium'],
  ['Thiago', 'Nogueira', 'BR', 'Engineering', 'trial'],
  ['Eleanor', 'Strand', 'GB', 'People', 'premium'],
  ['Camila', 'Ortega Ruiz', 'MX', 'Sales', 'basic'],
  ['Gonçalo', 'Pimentel', 'PT', 'Support', 'basic'],
  ['Julián', 'Echeverri', 'CO', 'Engineering', 'premium'],
  ['Rosalind', 'Achebe', 'GB', 'Marketing', 'basic'],
  ['Marta', 'Iriarte', 'ES', 'Support', 'premium'],
  ['Benjamin', 'Kowal', 'CA', 'Sales', 'trial'],
  ['Florencia', 'Acosta', 'AR', 'People', 'basic'],
  ['Vinícius', 'Prado', 'BR', 'Finance', 'premium'],
  ['Aoife', 'Brennock', 'IE', 'Engineering', 'basic'],
  ['Diego', 'Santamaría', 'MX', 'Marketing', 'premium'],
  ['Leonor', 'Abrantes', 'PT', 'Sales', 'basic'],
  ['Samuel', 'Oakes', 'US', 'Engineering', 'premium'],
  ['Paula', 'Zubiri', 'ES', 'People', 'basic'],
  ['Joaquín', 'Ferreyra', 'AR', 'Support', 'trial'],
  ['Helena', 'Sampaio', 'BR', 'Marketing', 'premium'],
  ['Daniela', 'Mejía', 'CO', 'Finance', 'basic'],
  ['Grant', 'Holloway', 'CA', 'Support', 'basic'],
  ['Renata', 'Vilas', 'BR', 'Sales', 'premium'],
  ['Andrés', 'Cifuentes', 'CL', 'Engineering', 'basic'],
  ['Priya', 'Lockwood', 'GB', 'Finance', 'premium'],
  ['Xavier', 'Pujades', 'ES', 'Marketing', 'basic'],
  ['Naomi', 'Castellan', 'US', 'People', 'trial'],
  ['Miguel', 'Serrão', 'PT', 'Engineering', 'premium'],
]

export const PEOPLE = ROWS.map(([name, last_name, country, field1, plan], i) => ({
  name,
  last_name,
  email: `${asciiOf(`${name}.${last_name}`)}@example.${i % 3 === 2 ? 'org' : 'com'}`,
  country,
  language: languageOf(country),
  external_id: `crm-${4001 + i}`,
  phone: i % 4 === 3 ? undefined : `${PHONES[country]}${10 + i}`,
  custom_fields: { field1, plan },
}))

/** These products are in addition to the first one of the demo store. */
export const PRODUCTS = [
  { name: 'Spanish at work', slug: 'spanish-at-work', type: 'course', expiration_days: 180 },
  { name: 'Portuguese at work', slug: 'portuguese-at-work', type: 'course', expiration_days: 180 },
  { name: 'Data skills, all courses', slug: 'data-skills', type: 'bundle', expiration_days: 365 },
  { name: 'Community of alumni', slug: 'alumni', type: 'community', expiration_days: null },
  { name: 'Live sessions with a mentor', slug: 'mentor-sessions', type: 'mentoring', expiration_days: 60 },
]

function languageOf(country: Country): 'ES' | 'PT' | 'EN' {
  if (ENGLISH.has(country)) return 'EN'
  return PORTUGUESE.has(country) ? 'PT' : 'ES'
}

function asciiOf(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll(' ', '-').toLowerCase()
}
