/** Which column is read as which field: exact names first, then similar ones, and a question where several fit. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type CustomField, guessColumns } from '../headings.ts'
import { ignoredStatuses } from '../ignored-statuses.ts'

function labels(...names: string[]): CustomField[] {
  return names.map((label, i) => ({ key: `f${i}`, label }))
}

/** Returns the columns that are read. */
function read(columns: string[], fields = labels(), values: Record<string, string[]> = {}): Record<string, string> {
  const guess = guessColumns(columns, 'csv', fields, (column) => values[column] ?? [])
  return Object.fromEntries(Object.entries(guess.fields).filter(([, field]) => field !== ''))
}

describe('A column is read as a custom field', () => {
  const people = ['name', 'last_name', 'email']
  const own = { name: 'name', last_name: 'last_name', email: 'email' }

  const cases: [label: string[], columns: string[], read: Record<string, string>][] = [
    [['Grupo A+'], ['Grupo A', 'Grupo A+'], { 'Grupo A+': 'custom_fields.f0' }],
    [['Asistencia'], ['% asistencia', 'Asistencia'], { Asistencia: 'custom_fields.f0' }],
    [['Nota 15'], ['Nota 1.5'], {}],
    [['Возраст'], ['#', 'Возраст'], { Возраст: 'custom_fields.f0' }],
    [['Возраст'], ['%', '№', ''], {}],
    [['学年'], ['年齢'], {}],
    [['Город', 'Возраст'], ['Возраст', 'Город'], { Возраст: 'custom_fields.f1', Город: 'custom_fields.f0' }],
    [['الفئة'], ['', 'الفئة'], { الفئة: 'custom_fields.f0' }],
    [['C++'], ['C#', 'C'], {}],
    [['C++', 'C#'], ['C#', 'c++'], { 'C#': 'custom_fields.f1', 'c++': 'custom_fields.f0' }],
    [['Τμήμα'], ['ΤΜΗΜΑ'], { ΤΜΗΜΑ: 'custom_fields.f0' }],
    [['Educación'], ['  EDUCACION '], { '  EDUCACION ': 'custom_fields.f0' }],
  ]
  for (const [label, columns, expected] of cases)
    it(`that has its name: ${label.join(', ')} from ${columns.join(', ')}`, () => {
      assert.deepEqual(read([...columns, ...people], labels(...label)), { ...expected, ...own })
    })

  it('by its key, whose signs are blanks in a heading', () => {
    const fields = [{ key: 'nota_media', label: null }]
    assert.deepEqual(read(['Nota media'], fields), { 'Nota media': 'custom_fields.nota_media' })
    assert.deepEqual(read(['NOTA_MEDIA'], fields), { NOTA_MEDIA: 'custom_fields.nota_media' })
  })

  it('unless two custom fields have that name', () => {
    assert.deepEqual(read(['Grupo'], labels('Grupo', 'grupo')), {})
  })

  it('by its exact label, before a column that only resembles it', () => {
    assert.deepEqual(read(['educacion', 'Educación'], labels('Educación')), { Educación: 'custom_fields.f0' })
  })
})

describe('A column is not read without a question', () => {
  function questions(columns: string[], values: Record<string, string[]> = {}) {
    return guessColumns(columns, 'csv', [], (column) => values[column] ?? []).unclear
  }

  it('if another one fits as well', () => {
    const emails = ['Parent email', 'Student email']
    assert.deepEqual(questions(['Name', 'Last name', ...emails]), [{ field: 'email', columns: emails }])
    assert.deepEqual(questions(['Teléfono', 'Móvil']), [{ field: 'phone', columns: ['Teléfono', 'Móvil'] }])
    assert.deepEqual(questions(['Name', 'Given name']), [{ field: 'name', columns: ['Name', 'Given name'] }])
    assert.deepEqual(read(['Teléfono', 'Móvil', 'phone']), { phone: 'phone' })
  })

  it('if it may be the email of somebody else', () => {
    for (const name of ['Email del tutor', 'Recovery email', 'E-mail do encarregado de educação', 'Email Status'])
      assert.deepEqual(questions([name]), [{ field: 'email', columns: [name] }], name)
    assert.deepEqual(questions(['Tutor email', 'Email']), [])
  })

  it('if its heading has several meanings and its values are not ours', () => {
    const columns = ['Estado', 'Curso', 'Clave', 'Contacto']
    const values = { Estado: ['Jalisco', 'Oaxaca'], Contacto: ['Ana Gil'] }
    assert.deepEqual(read(columns, [], values), { Curso: 'product' })
    assert.deepEqual(read(columns, [], { Estado: ['Vigente', 'Cerrado', 'x'], Contacto: ['+351 920 000 000'] }), {
      Estado: 'product_status',
      Curso: 'product',
      Contacto: 'phone',
    })
  })
})

it('A number of a student is read only if the values are such numbers', () => {
  for (const values of [['2026-0012'], ['A 12', '7'], ['0012']])
    assert.deepEqual(read(['Matrícula'], [], { Matrícula: values }), { Matrícula: 'external_id' })
  for (const values of [['Pagada', 'Pendiente'], ['120 €', '1.200,00 €'], ['15/09/2026'], ['2026-09-15'], ['Sí']])
    assert.deepEqual(read(['Matrícula'], [], { Matrícula: values }), {}, values[0])
})

it('A picture is read only if the values are addresses or files', () => {
  for (const value of ['https://example.com/a', 'ana.JPG', '/img/7'])
    assert.deepEqual(read(['Foto'], [], { Foto: [value] }), { Foto: 'avatar' })
  for (const value of ['Sí', 'no', 'x', '2']) assert.deepEqual(read(['Foto'], [], { Foto: [value] }), {}, value)
})

it('The name of a buyer is a whole one if it has two words', () => {
  assert.deepEqual(read(['Comprador(a)'], [], { 'Comprador(a)': ['Ana Maria Silva'] }), { 'Comprador(a)': 'full_name' })
  assert.deepEqual(read(['Cliente'], [], { Cliente: ['C-1001'] }), {})
})

describe('The email of a longer heading', () => {
  it('is found by its values', () => {
    const columns = ['Acepta recibir emails', 'E-mail del alumno']
    const values = { 'Acepta recibir emails': ['si'], 'E-mail del alumno': ['ana@example.com'] }
    assert.deepEqual(read(columns, [], values), { 'E-mail del alumno': 'email' })
  })
})

describe('Headings of the field', () => {
  it('are recognized in three languages', () => {
    const headings: Record<string, string[]> = {
      name: ['Nome próprio', 'First Name [Required]', 'Nombre *'],
      last_name: ['Apelido', 'Last Name (required)'],
      email: ['Endereço de correio eletrónico', 'Correio electrónico', 'Email Address [Required]'],
      phone: ['Teléfono móvil', 'Telemóvel', 'N.º de telefone'],
      external_id: ['Nº matrícula', 'N.º de matrícula'],
      product_due_date: [
        'Due',
        'Acesso até',
        'Acceso hasta',
        'Validade',
        'Data de expiração',
        'Data de fim',
        'Expiração',
      ],
      product_status: ['State', 'Situação', 'Estado'],
    }
    for (const [field, names] of Object.entries(headings))
      for (const heading of names) assert.equal(read([heading, 'product'])[heading], field, heading)
  })
})

describe('A status that is not read', () => {
  const columns = ['Email', 'Curso', 'Status', 'Estado']
  const rows = [
    ['a@x.es', 'A', 'paid', 'Jalisco'],
    ['b@x.es', 'A', 'refunded', ''],
  ].map((cells, i) => ({ line: i + 2, cells }))
  const head = { format: 'csv' as const, columns, rows }

  it('is named with its values, if the file grants accesses', () => {
    assert.deepEqual(ignoredStatuses(head, { Curso: 'product', Status: '', Estado: '' }), [
      { column: 'Status', values: ['paid', 'refunded'] },
      { column: 'Estado', values: ['Jalisco'] },
    ])
  })

  it('is none in a file without products, beside a status that is read, or with many values', () => {
    assert.deepEqual(ignoredStatuses(head, { Curso: '', Status: '' }), [])
    assert.deepEqual(ignoredStatuses(head, { Curso: 'product', Status: 'product_status', Estado: '' }), [])
    const many = Array.from({ length: 9 }, (_, i) => ({ line: i + 2, cells: ['', 'A', `S${i}`, ''] }))
    assert.deepEqual(ignoredStatuses({ ...head, rows: many }, { Curso: 'product', Status: '', Estado: '' }), [])
  })
})
