/** One column for the whole name, or two for surnames. */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { beforeTable } from '../before.ts'
import { columnsOf } from '../columns.ts'
import { FileError } from '../file-error.ts'
import { guessColumns } from '../headings.ts'
import { inspect } from '../inspect.ts'
import { splitsOf } from '../whole-name.ts'
import { csvOf, importText, sourceOf } from './memory.ts'
import { type FakeService, startService } from './service.ts'

let service: FakeService

before(async () => {
  service = await startService()
})
afterEach(() => service.reset())
after(() => service.stop())

function itemOf(rename: Record<string, string>, cells: Record<string, string>) {
  const header = Object.keys(cells)
  return columnsOf({ format: 'csv', header }, { rename }).toItem({ line: 2, cells: Object.values(cells) })
}

function split(name: string, heading = 'Nombre completo') {
  return itemOf({ [heading]: 'full_name' }, { [heading]: name, email: 'a@example.com' })
}

describe('A whole name', () => {
  const cases: [whole: string, name: string, lastName: string][] = [
    ['García López, José', 'José', 'García López'],
    ['de la Cruz,María José', 'María José', 'de la Cruz'],
    ['Ana Gil', 'Ana', 'Gil'],
    ['Ana Maria  da Silva', 'Ana', 'Maria da Silva'],
    ['Ana\u00a0Gil', 'Ana', 'Gil'],
    ['José\u3000García López', 'José', 'García López'],
    ['山田，太郎', '太郎', '山田'],
    ["O'Neill, Siobhán-Mary", 'Siobhán-Mary', "O'Neill"],
  ]
  for (const [whole, name, lastName] of cases)
    it(`is split: ${whole}`, () => {
      const { item, wholeName, reasons } = split(whole)
      assert.deepEqual(reasons, [])
      assert.deepEqual([item['name'], item['last_name'], wholeName], [name, lastName, `${name} ${lastName}`])
    })

  for (const whole of ['Cher', 'García López,', ', José', 'Silva, Ana, Rita'])
    it(`is an error of its row if nothing says how: ${whole}`, () => {
      const [reason, ...more] = split(whole).reasons
      assert.deepEqual([reason?.column, reason?.code, more.length], ['Nombre completo', 'whole_name', 0])
      assert.match(reason?.explanation ?? '', /write both with a space between them, or "García López, José"/)
    })

  it('needs a comma in a column whose heading begins with the surnames', () => {
    for (const heading of ['Apellidos y nombre', 'Apellidos, Nombre', 'Sobrenome e nome', 'Apelido e nome']) {
      assert.equal(split('García López José', heading).reasons[0]?.code, 'surname_first')
      assert.equal(split('García López, José', heading).item['name'], 'José')
    }
  })

  it('that is empty is missing', () => {
    const { reasons } = split('')
    assert.deepEqual(
      reasons.map(({ column, code }) => [column, code]),
      [['Nombre completo', 'missing_parameter']],
    )
  })

  it('is not accepted beside a column for one of its parts', () => {
    const header = ['full_name', 'last_name', 'email']
    assert.throws(
      () => columnsOf({ format: 'csv', header }),
      (error: unknown) => error instanceof FileError && error.problem.code === 'repeated_column',
    )
  })
})

describe('Headings of names', () => {
  function read(columns: string[], values: Record<string, string[]> = {}) {
    const { fields, unclear, ignored } = guessColumns(columns, 'csv', [], (column) => values[column] ?? [])
    return { fields: columns.map((column) => fields[column]), unclear, ignored }
  }

  for (const heading of [
    'Nome completo',
    'Nombre completo',
    'Nombre y apellidos',
    'Apellidos y nombre',
    'Apellidos, Nombre',
    'Full name',
    'full_name',
    'Nome do aluno',
    'NOME COMPLETO *',
  ])
    it(`of a whole name: ${heading}`, () => {
      assert.deepEqual(read([heading, 'E-mail']).fields, ['full_name', 'email'])
    })

  it('that may be something else are decided by their values', () => {
    assert.deepEqual(read(['Aluno', 'E-mail'], { Aluno: ['Ana Gil', 'Gil, Ana'] }).fields, ['full_name', 'email'])
    assert.deepEqual(read(['Aluno', 'E-mail'], { Aluno: ['12345', 'A 17'] }).fields, ['', 'email'])
  })

  it('prefer the columns of both parts, and say what is ignored', () => {
    const guess = read(['Nome completo', 'Nome', 'Sobrenome', 'E-mail'])
    assert.deepEqual(guess.fields, ['', 'name', 'last_name', 'email'])
    assert.deepEqual([guess.unclear, guess.ignored], [[], ['Nome completo']])
  })

  it('ask if there is a column for one part only, which may be the other one', () => {
    const columns = ['Apellidos', 'Nombre completo']
    const guess = read([...columns, 'Correo'])
    assert.deepEqual([guess.fields, guess.unclear], [['', '', 'email'], [{ field: 'full_name', columns }]])
  })

  for (const [first, second] of [
    ['Primer apellido', 'Segundo apellido'],
    ['Apellido 1', 'Apellido 2'],
    ['1.º apellido', '2.º apellido'],
    ['1er apellido', '2do apellido'],
    ['Apellido paterno', 'Apellido materno'],
    ['Apellido', 'Segundo apellido'],
    ['last_name', 'second_last_name'],
  ])
    it(`of two surnames: ${first}, ${second}`, () => {
      const columns = [second ?? '', 'Nombre', first ?? '', 'Correo']
      assert.deepEqual(read(columns).fields, ['second_last_name', 'name', 'last_name', 'email'])
    })

  it('of a second surname count only beside a first one', () => {
    assert.deepEqual(read(['Nombre', 'Apellidos', 'Segundo apellido']).fields, ['name', 'last_name', ''])
    assert.deepEqual(read(['Nombre', 'Segundo apellido']).fields, ['name', ''])
  })
})

describe('Two surnames', () => {
  const rename = { 'Primer apellido': 'last_name', 'Segundo apellido': 'second_last_name' }
  const surnames = (first: string, second: string) =>
    itemOf(rename, { 'Segundo apellido': second, name: 'José', 'Primer apellido': first, email: 'a@example.com' })

  it('are joined with a space', () => {
    assert.equal(surnames('García', 'López').item['last_name'], 'García López')
    assert.equal(surnames('García', '').item['last_name'], 'García')
    assert.equal('second_last_name' in surnames('García', 'López').item, false)
  })
})

describe('An import of whole names', () => {
  const rename = { 'Nome completo': 'full_name' }
  const header = ['Nome completo', 'email']

  it('knows all splits before anything is sent', async () => {
    const rows = Array.from({ length: 30 }, (_, i) => [`Ana Gil${i}`, `a${i}@example.com`])
    const { splits } = await inspect(sourceOf(csvOf(header, rows)), { rename })
    assert.deepEqual([splits?.count, splits?.first.length], [30, 20])
    assert.deepEqual(splits?.first[1], { line: 3, name: 'Ana', last_name: 'Gil1' })
  })

  it('shows doubtful splits first', async () => {
    const names = ['Ana Gil', 'Sol de Luz', 'Gil, Ana', 'Ana Maria Gil', 'Otto von', 'Cher', 'Luz Sol']
    const rows = names.map((name, i) => [name, `a${i}@example.com`])
    const { splits } = await inspect(sourceOf(csvOf(header, rows)), { rename })
    assert.deepEqual([splits?.count, splits?.doubtful], [6, 4])
    assert.deepEqual(
      splits?.first.map(({ line }) => line),
      [3, 4, 5, 6, 2, 8],
    )
  })

  it('creates people, and fails a row that cannot be split with all its faults', async () => {
    const kept = { state: undefined, failed: '' }
    const rows = [
      ['Gil, Ana María', 'ana@example.com'],
      ['Cher', 'not an email'],
    ]
    const { created, failed } = await importText(service, csvOf(header, rows), { rename, kept })
    assert.deepEqual([created, failed], [1, 1])
    assert.deepEqual([service.users[0]?.['name'], service.users[0]?.['last_name']], ['Ana María', 'Gil'])
    const [, line = ''] = kept.failed.split('\r\n')
    assert.match(line, /^Cher,not an email,3,/)
    assert.match(line, /email: .*; Nome completo: cannot be split/)
    assert.equal(line.match(/Nome completo:/g)?.length, 1)
  })

  it('splits the names of single rows as an operator has chosen', async () => {
    const header = ['Nome completo', 'E-mail']
    const rows = [
      ['José Carlos Dias', 'a@example.com'],
      ['Ana Gil Sol', 'b@example.com'],
    ]
    const options = { rename: { 'Nome completo': 'full_name', 'E-mail': 'email' }, splits: { 2: 1 } }
    await importText(service, csvOf(header, rows), options)
    // Whoever chooses another split later wants that one, although the whole name is the same.
    const state = await importText(service, csvOf(header, rows), { ...options, splits: { 3: 1 }, onExisting: 'update' })
    assert.equal(state.changed, 1)
    assert.deepEqual(
      service.users.map((user) => [user['name'], user['last_name']]),
      [
        ['José Carlos', 'Dias'],
        ['Ana Gil', 'Sol'],
      ],
    )
    assert.deepEqual(
      splitsOf('García López José', 'Apellidos y nombre').map(({ name }) => name),
      ['López José', 'José'],
    )
    assert.deepEqual(splitsOf('García López, José', 'Nome completo'), [])
  })

  it('does not change a name that is stored with another split', async () => {
    const people = csvOf(['name', 'last_name', 'email'], [['Ana María', 'Gil', 'ana@example.com']])
    await importText(service, people)
    const state = await importText(service, csvOf(header, [['Ana María Gil', 'ana@example.com']]), {
      rename,
      onExisting: 'update',
    })
    assert.deepEqual([state.existing, state.changed, service.users[0]?.['name']], [1, 0, 'Ana María'])
  })

  it('keeps the earlier names in two columns', () => {
    const before = { name: 'Ana María', last_name: 'Gil', email: 'ana@example.com' }
    const table = beforeTable(header, rename)
    const [row] = table.rowsOf([{ line: 2, id: '1', person: 'Ana', before, changes: [] }])
    assert.deepEqual(table.header, ['name', 'last_name', 'email'])
    assert.deepEqual(
      row?.cells.map(({ text }) => text),
      Object.values(before),
    )
  })
})
