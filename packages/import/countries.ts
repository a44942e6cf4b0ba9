/** Finds the code of a country by its name in English, Spanish or Portuguese, as people write it in spreadsheets. */
import { isCountry } from '../../src/modules/users/countries.ts'
import { normalizeName } from './normalize-name.ts'

/**
 * Names of ISO 3166 and of common use that a version of the Unicode CLDR lacks. The browser's version decides whether
 * it has `Turkey` or `Türkiye`, so both are here.
 */
const OTHER_NAMES: Record<string, string[]> = {
  AE: ['UAE', 'EAU'],
  AG: ['Antigua and Barbuda', 'Antigua y Barbuda', 'Antígua e Barbuda'],
  BA: [
    'Bosnia and Herzegovina',
    'Bosnia y Herzegovina',
    'Bósnia e Herzegovina',
    'Bosnia',
    'Bósnia',
    'Bosnia-Hercegovina',
  ],
  BN: ['Brunei Darussalam', 'Brunei', 'Brunéi'],
  BO: ['Bolivia, Plurinational State of', 'Plurinational State of Bolivia', 'Estado Plurinacional de Bolivia'],
  BQ: ['Bonaire, Sint Eustatius and Saba'],
  BS: ['The Bahamas', 'Las Bahamas'],
  BY: ['Belarus', 'Bielorrusia', 'Bielorrússia', 'Belarús'],
  CC: ['Cocos Islands', 'Keeling Islands'],
  CD: [
    'Congo, Democratic Republic of the',
    'Congo, The Democratic Republic of the',
    'Democratic Republic of the Congo',
    'DR Congo',
    'República Democrática del Congo',
    'República Democrática do Congo',
  ],
  CG: ['Congo', 'Republic of the Congo', 'República del Congo', 'República do Congo'],
  CI: ["Côte d'Ivoire", 'Ivory Coast', 'Costa de Marfil', 'Costa do Marfim'],
  CV: ['Cape Verde', 'Cabo Verde'],
  CZ: ['Czech Republic', 'Czechia', 'República Checa', 'Chequia', 'Tchéquia', 'República Tcheca'],
  DO: ['República Dominicana', 'Dominican Republic', 'Rep. Dominicana'],
  FK: ['Falkland Islands', 'Malvinas', 'Islas Malvinas', 'Falkland Islands (Malvinas)'],
  FM: ['Micronesia, Federated States of', 'Federated States of Micronesia'],
  GB: [
    'UK',
    'Great Britain',
    'United Kingdom of Great Britain and Northern Ireland',
    'England',
    'Scotland',
    'Wales',
    'Gran Bretaña',
    'Grã-Bretanha',
    'Inglaterra',
    'Escocia',
    'Escócia',
  ],
  GM: ['The Gambia'],
  GS: ['South Georgia and the South Sandwich Islands'],
  GW: ['Guinea-Bissau', 'Guinea Bissau', 'Guinea-Bisáu', 'Guiné Bissau'],
  HK: ['Hong Kong', 'Hongkong'],
  HM: ['Heard Island and McDonald Islands'],
  IR: ['Iran, Islamic Republic of', 'Islamic Republic of Iran', 'Irán', 'Irã', 'Irão'],
  KG: ['Kyrgyz Republic'],
  KN: ['Saint Kitts and Nevis', 'San Cristóbal y Nieves', 'São Cristóvão e Nevis'],
  KP: ["Korea, Democratic People's Republic of", "Democratic People's Republic of Korea", 'North Korea'],
  KR: ['Korea, Republic of', 'Republic of Korea', 'South Korea', 'Korea', 'Corea', 'Coreia'],
  LA: ["Lao People's Democratic Republic", 'Laos'],
  LC: ['Saint Lucia', 'Santa Lucía', 'Santa Lúcia'],
  MD: ['Moldova, Republic of', 'Republic of Moldova', 'Moldavia', 'Moldávia'],
  MF: ['Saint Martin (French part)'],
  MK: ['North Macedonia', 'Macedonia', 'Macedonia, the former Yugoslav Republic of', 'Macedônia', 'Macedónia'],
  MM: ['Burma', 'Myanmar', 'Birmania', 'Birmânia', 'Mianmar'],
  MO: ['Macao', 'Macau'],
  NL: ['Holland', 'The Netherlands', 'Netherlands, Kingdom of the', 'Holanda', 'Países Bajos', 'Países Baixos'],
  PM: ['Saint Pierre and Miquelon'],
  PS: ['Palestine', 'Palestine, State of', 'State of Palestine', 'Palestina'],
  RU: [
    'Russia',
    'Russian Federation',
    'Federación Rusa',
    'Federación de Rusia',
    'Federação Russa',
    'Federação da Rússia',
  ],
  SH: ['Saint Helena', 'Saint Helena, Ascension and Tristan da Cunha'],
  SJ: ['Svalbard and Jan Mayen'],
  ST: ['Sao Tome and Principe', 'Santo Tomé y Príncipe', 'São Tomé e Príncipe'],
  SX: ['Sint Maarten (Dutch part)'],
  SY: ['Syrian Arab Republic', 'Syria', 'Siria', 'República Árabe Siria'],
  SZ: ['Swaziland', 'Eswatini', 'Suazilandia', 'Esuatini', 'Suazilândia'],
  TC: ['Turks and Caicos Islands'],
  TF: ['French Southern Territories'],
  TL: ['Timor-Leste', 'East Timor', 'Timor Oriental', 'Timor Leste'],
  TR: ['Turkey', 'Türkiye', 'Turkiye', 'Turquía', 'Turquia'],
  TT: ['Trinidad and Tobago', 'Trinidad y Tobago', 'Trinidad e Tobago', 'Trinidade e Tobago', 'Trinidad'],
  TW: ['Taiwan', 'Taiwan, Province of China', 'Taiwán'],
  TZ: ['Tanzania, United Republic of', 'United Republic of Tanzania'],
  UM: ['United States Minor Outlying Islands'],
  US: [
    'USA',
    'U.S.',
    'United States of America',
    'America',
    'EEUU',
    'EE. UU.',
    'EUA',
    'Estados Unidos de América',
    'Estados Unidos da América',
  ],
  VA: ['Holy See', 'Vatican', 'Vaticano', 'Santa Sede'],
  VC: ['Saint Vincent and the Grenadines', 'San Vicente y las Granadinas', 'São Vicente e Granadinas'],
  VE: ['Venezuela, Bolivarian Republic of', 'Bolivarian Republic of Venezuela', 'República Bolivariana de Venezuela'],
  VG: ['Virgin Islands (British)', 'British Virgin Islands'],
  VI: ['Virgin Islands (U.S.)', 'US Virgin Islands'],
  VN: ['Viet Nam', 'Vietnam', 'Vietnã', 'Vietname'],
  WF: ['Wallis and Futuna'],
}
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')

let codes: Map<string, string> | undefined

/** Returns the text unchanged if it names no country: the service then says so. */
export function countryCode(text: string): string {
  if (isCountry(text.trim().toUpperCase())) return text.trim()
  codes ??= codesByName()
  return codes.get(normalizeName(text)) ?? text
}

function codesByName(): Map<string, string> {
  const found = new Map<string, string>()
  for (const language of ['en', 'es', 'pt', 'pt-PT']) {
    const names = new Intl.DisplayNames(language, { type: 'region' })
    for (const code of LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(isCountry)) {
      const name = names.of(code) ?? code
      // A version of the CLDR may add the other name in brackets, or an ampersand.
      for (const each of [name, name.replace(/\s*\(.*\)$/, ''), name.replace(/^The /, ''), name.replaceAll('&', 'and')])
        if (!found.has(normalizeName(each))) found.set(normalizeName(each), code)
    }
  }
  for (const [code, names] of Object.entries(OTHER_NAMES))
    for (const name of names) found.set(normalizeName(name), code)
  return found
}
