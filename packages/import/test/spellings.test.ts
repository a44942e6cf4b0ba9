import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { countryCode } from '../countries.ts'
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
    assert.equal(countryCode('Atlantis'), 'Atlantis')
  })

  it('is recognized in a cell', () => {
    const header = ['name', 'last_name', 'email', 'country']
    const { toItem } = columnsOf({ format: 'csv', header })
    const made = toItem({ line: 2, cells: ['Ana', 'Gil', 'ana@example.com', 'España'] })
    assert.equal(made.item['country'], 'ES')
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
