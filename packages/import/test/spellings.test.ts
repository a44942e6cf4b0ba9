import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { countryCode } from '../countries.ts'
import { OTHER_NAMES } from '../country-names.ts'
import { languageCode } from '../languages.ts'
import { normalizeName } from '../normalize-name.ts'
import { statusNamed } from '../statuses.ts'
import { detectEncoding, inUtf8 } from '../encoding.ts'
import { guessFields } from '../headings.ts'
import { columnsOf } from '../columns.ts'
import { sourceOf } from './memory.ts'

const TEXT = 'name;last_name\nJosé;Muñoz\n'
const FILES: [string, Buffer][] = [
  ['utf-8', Buffer.from(TEXT)],
  ['utf-8', Buffer.from(`\ufeff${TEXT}`)],
  ['windows-1252', Buffer.from(TEXT, 'latin1')],
  ['utf-16le', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
  ['utf-16le', Buffer.from(TEXT, 'utf16le')],
  ['utf-16be', Buffer.from(`\ufeff${TEXT}`, 'utf16le').swap16()],
]

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const chunk of bytes) parts.push(chunk)
  return new TextDecoder().decode(Buffer.concat(parts))
}

describe('The encoding of a file', () => {
  it('is recognized and converted, for any size of chunks', async () => {
    for (const [encoding, bytes] of FILES) {
      for (const size of [1, 3, 65_536]) {
        const source = sourceOf(new Uint8Array(bytes), size)
        assert.equal(await detectEncoding(source), encoding)
        assert.equal(await textOf(inUtf8(source, encoding).open()), TEXT)
      }
    }
  })

  it('is UTF-8 for an empty file', async () => {
    assert.equal(await detectEncoding(sourceOf('')), 'utf-8')
  })
})

describe('A country', () => {
  it('is recognized by its name in three languages, and by its code', () => {
    const codes = ['España', 'Spain', 'ESPANHA', 'es', 'Estados Unidos', 'USA', 'México', 'Brazil'].map(countryCode)
    assert.deepEqual(codes, ['ES', 'ES', 'ES', 'es', 'US', 'US', 'MX', 'BR'])
  })

  it('stays as it is if it is unknown, so that the service rejects it', () => {
    for (const text of ['Atlantis', '', '?', 'República']) assert.equal(countryCode(text), text)
  })

  it('is recognized by the names of every runtime, of ISO 3166 and of common use', () => {
    const names: Record<string, string[]> = {
      HK: [
        'Hong Kong',
        'Hong Kong SAR China',
        'RAE de Hong Kong (China)',
        'Hong Kong, RAE da China',
        'Hong Kong (China)',
      ],
      MO: ['Macao', 'Macau', 'Macao SAR China', 'RAE de Macao (China)', 'Macau, RAE da China'],
      PS: [
        'Palestina',
        'Palestinian Territories',
        'Territorios Palestinos',
        'Territórios palestinos',
        'Palestina, Estado de',
      ],
      FK: ['Islas Malvinas (Islas Falkland)', 'Islas Malvinas', 'Falkland Islands (Islas Malvinas)'],
      KR: ['Corea (la República de)'],
      KP: ['Corea (la República Popular Democrática de)'],
      NL: ['Países Bajos (los)'],
      CD: ['Congo (la República Democrática del)'],
      CG: ['Congo (el)'],
      DO: ['Dominicana (la República)'],
      RU: ['Rusia (la Federación de)'],
      MX: ['Méjico'],
      GB: ['Gales', 'Irlanda del Norte', 'Reino Unido de Gran Bretaña e Irlanda del Norte (el)'],
      NZ: ['Nueva Zelandia'],
      KZ: ['Kazajstán'],
      BH: ['Bahrein'],
      SG: ['Cingapura'],
      MU: ['Maurícias', 'Ilhas Maurício'],
      KG: ['Kirguizistán'],
      WS: ['Samoa Occidental'],
      RE: ['La Reunión'],
      UM: ['Islas Ultramarinas de EE.UU.'],
    }
    for (const [code, each] of Object.entries(names))
      for (const name of each) assert.equal(countryCode(name), code, name)
  })

  it('has in no two lists the same name for two countries', () => {
    const seen = new Map<string, string>()
    for (const [code, each] of Object.entries(OTHER_NAMES))
      for (const name of each.map(normalizeName)) {
        assert.equal(seen.get(name) ?? code, code, name)
        seen.set(name, code)
      }
  })

  it('is recognized in a cell', () => {
    const header = ['name', 'last_name', 'email', 'country']
    const { toItem } = columnsOf({ format: 'csv', header })
    const made = toItem({ line: 2, cells: ['Ana', 'Gil', 'ana@example.com', 'España'] })
    assert.equal(made.item['country'], 'ES')
  })
})

describe('A language', () => {
  it('is recognized with a country beside it', () => {
    const texts = [
      'portugués (Brasil)',
      'Português (Brasil)',
      'portugués de Brasil',
      'español (España)',
      'English (US)',
      'pt-BR',
    ]
    assert.deepEqual(texts.map(languageCode), ['PT', 'PT', 'PT', 'ES', 'EN', 'PT'])
    for (const text of ['inglés y español', 'klingon', '']) assert.equal(languageCode(text), text)
  })
})

describe('A status', () => {
  it('is read as the console writes it', () => {
    assert.deepEqual(['Em vigor', 'VENCIDO', 'closed', 'Sem acesso', 'Jalisco'].map(statusNamed), [
      'with_access',
      'with_access',
      'without_access',
      'without_access',
      undefined,
    ])
  })
})

describe('A due date', () => {
  it('that is a day lasts until its end', () => {
    const header = ['name', 'last_name', 'email', 'product', 'product_due_date']
    const { toItem } = columnsOf({ format: 'csv', header })
    const made = toItem({ line: 2, cells: ['Ana', 'Gil', 'ana@example.com', 'algebra', '2027-06-30'] })
    const end = new Date(2027, 5, 30, 23, 59, 59, 999).toISOString()
    assert.deepEqual(made.item['product_accesses'], [{ slug: 'algebra', access_due_date: end }])
  })
})

describe('The headings of a file', () => {
  it('are recognized in Spanish and Portuguese', () => {
    const guessed = guessFields(['Nombre', 'Apellidos', 'Correo electrónico', 'País', 'x'], 'csv', [])
    assert.deepEqual(guessed, {
      Nombre: 'name',
      Apellidos: 'last_name',
      'Correo electrónico': 'email',
      País: 'country',
      x: '',
    })
    assert.equal(guessFields(['Sobrenome'], 'csv', [])['Sobrenome'], 'last_name')
  })

  it('are those of an access only beside a product', () => {
    const columns = ['Estado', 'Vencimiento']
    assert.deepEqual(guessFields(columns, 'csv', []), { Estado: '', Vencimiento: '' })
    assert.deepEqual(guessFields([...columns, 'Curso'], 'csv', []), {
      Estado: 'product_status',
      Vencimiento: 'product_due_date',
      Curso: 'product',
    })
  })
})
