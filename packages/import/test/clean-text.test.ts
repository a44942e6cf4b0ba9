/** What every cell goes through, whoever wrote the file. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isBroken } from '../broken-text.ts'
import { cleanText, textProblem } from '../clean-text.ts'
import { columnsOf } from '../columns.ts'
import { fileValue } from '../custom-values.ts'
import { inspect } from '../inspect.ts'
import { isSameValue } from '../same-value.ts'
import { USER_COLUMNS } from '../../../src/modules/users/csv-columns.ts'
import { sourceOf } from './memory.ts'

const codeOf = (field: string, cell: string) => textProblem(field, cell)?.code

describe('A cell', () => {
  it('that a spreadsheet has rounded is an error in phones, ids and custom fields', () => {
    const rounded: [field: string, cells: string[]][] = [
      ['phone', ['5.21551E+12', '3,46E+10', '3.46e10', '34600111222.0', '+34600111222,0']],
      ['external_id', ['5.21551E+12', '12345.0', '1.0']],
      ['custom_fields.x', ['5.21551E+12', '1E+12', '5,2E+12', '5215512345678.0', '4.1111111111111114e+17']],
    ]
    for (const [field, cells] of rounded)
      for (const cell of cells) assert.equal(codeOf(field, cell), 'rounded', `${field} ${cell}`)
    const kept: [field: string, cells: string[]][] = [
      ['phone', ['+34 600.0', '600111222', '-']],
      ['external_id', ['4E2', '12E4', '1.10']],
      ['custom_fields.x', ['5.0', '7.5', '1e+21', '1.7976931348623157e+308', '4E2', '1234567.0', '1e-7']],
      ['last_name', ['None', '5.0', '12345678.0']],
    ]
    for (const [field, cells] of kept)
      for (const cell of cells) assert.equal(codeOf(field, cell), undefined, `${field} ${cell}`)
  })

  it('that a program writes for a missing value is none where it cannot be a name or an answer', () => {
    for (const cell of ['None', 'nan', 'NaN', 'null', 'N/A', 'undefined'])
      assert.deepEqual(
        ['phone', 'external_id', 'last_name', 'custom_fields.x'].map((field) => codeOf(field, cell)),
        ['no_value', 'no_value', undefined, undefined],
        cell,
      )
  })

  it('that is the error of a spreadsheet is one in every column', () => {
    for (const error of ['#N/A', '#¡REF!', '#¿NOMBRE?', '#ERROR!', 'Err:508', '#####', '<NA>', 'NULL'])
      for (const field of ['name', 'phone', 'avatar', 'product', 'custom_fields.x', 'password'])
        assert.equal(codeOf(field, error), 'no_value', `${field} ${error}`)
  })

  it('loses blanks at its ends, and a mark before what a spreadsheet would run, but not in a password', () => {
    const cells = [' A-1 ', "'+34", " '=1", "a\n'@b", "x;'-y", "o'clock", "'tis", "'\tx"]
    assert.deepEqual(
      cells.map((cell) => cleanText('phone', cell)),
      ['A-1', '+34', '=1', 'a\n@b', 'x;-y', "o'clock", "'tis", 'x'],
    )
    assert.equal(cleanText('password', " '+1 "), " '+1 ")
  })
})

describe('Digits that a program has kept from spreadsheets', () => {
  it('are read without their marks, and in a custom field as a text', () => {
    for (const cell of ['="08001"', "'08001"]) {
      assert.equal(cleanText('phone', cell), '08001')
      assert.equal(fileValue(cleanText('custom_fields.zip', cell)), '08001')
    }
    for (const cell of ['="28001"', "'28001"]) assert.equal(fileValue(cleanText('custom_fields.zip', cell)), '28001')
    assert.equal(cleanText('phone', "'+34 (600) 111.222"), '+34 (600) 111.222')
    assert.equal(cleanText('last_name', '="Gil"'), 'Gil')
    assert.equal(cleanText('custom_fields.x', '=""'), '')
  })

  it('are no others: a password, a formula, or a text that begins with an apostrophe', () => {
    assert.equal(cleanText('password', "'08001"), "'08001")
    for (const cell of ['="a"&"b"', "'90s kid", "'tis", '=1+1']) assert.equal(cleanText('custom_fields.x', cell), cell)
  })

  it('change nobody who has them', () => {
    for (const stored of ['="08001"', "'28001"])
      for (const field of ['phone', 'custom_fields.x'])
        for (const reading of ['text', 'saved', 'sheet'] as const) {
          const cell = cleanText(field, stored)
          const value = field === 'phone' ? cell : fileValue(cell)
          assert.ok(isSameValue(reading, field, { stored, value }), `${reading} ${field} ${stored}`)
        }
  })
})

describe('Text that an earlier program has broken', () => {
  it('is found', () => {
    for (const text of [
      'JosÃ©',
      'MUÃ‘OZ',
      'Ã\u0081lvaro',
      'JoÃ£o',
      'Jos\ufffd',
      'Oâ€™Neill',
      'NÂº 3',
      'Jos&eacute;',
      'O&#039;Neill',
      'Tom &amp; Ana',
    ])
      assert.ok(isBroken(text), text)
    for (const text of ['José', 'IRMÃ', 'Âmbar', 'Ãngela Ãvila', 'Tom & Ana; Luis', 'R&D;', '&c', 'Ανδρέας'])
      assert.ok(!isBroken(text), text)
  })

  it('is named before anything is sent, but not a password', async () => {
    const rows = ['Ana,Gil,a1@example.com,', 'JosÃ©,Gil,a2@example.com,', 'Ana,Gil,a3@example.com,x&amp;y z']
    const text = (last: string) => `name,last_name,email,${last}\n${rows.join('\n')}\n`
    const { broken } = await inspect(sourceOf(text('custom_fields.x')))
    assert.deepEqual(broken, { count: 2, first: 3, example: 'JosÃ©' })
    assert.equal((await inspect(sourceOf(text('password')))).broken?.count, 1)
  })
})

it('Our plain export is checked like any other file', () => {
  const cells: Record<string, string> = {
    name: 'Ana',
    last_name: 'Ruiz ',
    email: 'a1@example.com',
    phone: '5.21551E+12',
    avatar: '#N/A',
    external_id: 'A-1 ',
  }
  const { toItem } = columnsOf({ format: 'csv', header: [...USER_COLUMNS] })
  const { item, reasons } = toItem({ line: 2, cells: USER_COLUMNS.map((name) => cells[name] ?? '') })
  assert.deepEqual([item['last_name'], item['external_id']], ['Ruiz', 'A-1'])
  assert.deepEqual(
    reasons.map(({ field, code }) => [field, code]),
    [
      ['phone', 'rounded'],
      ['avatar', 'no_value'],
    ],
  )
})

describe('A value is the stored one', () => {
  it('if it lacks only what reading takes off', () => {
    const same: [stored: unknown, value: unknown][] = [
      [' A-1\u200B ', 'A-1'],
      ["'=1", '=1'],
      ['ES', 'es'],
    ]
    for (const [stored, value] of same)
      assert.ok(
        isSameValue('text', typeof value === 'string' && value === 'es' ? 'country' : 'phone', { stored, value }),
      )
    assert.ok(!isSameValue('text', 'phone', { stored: 'A-1', value: 'A-2' }))
    assert.ok(!isSameValue('json', 'phone', { stored: 'A-1 ', value: 'A-1' }))
  })

  it('in a custom field, if an export would write it so', () => {
    const field = 'custom_fields.x'
    const number = JSON.rawJSON('12345678901234567890.10')
    assert.ok(isSameValue('text', field, { stored: number, value: number }))
    assert.ok(isSameValue('sheet', field, { stored: number, value: JSON.rawJSON('12345678901234567000') }))
    assert.ok(isSameValue('sheet', field, { stored: JSON.rawJSON('7'), value: '7' }))
    assert.ok(isSameValue('sheet', field, { stored: '"x"', value: 'x' }))
    assert.ok(!isSameValue('text', field, { stored: JSON.rawJSON('7'), value: '7' }), 'a text file says it with quotes')
    assert.ok(!isSameValue('text', field, { stored: '7', value: JSON.rawJSON('7') }))
    assert.ok(!isSameValue('sheet', field, { stored: undefined, value: '7' }))
    // The console writes 7.50 as the text 7.5, of which a spreadsheet may make a number.
    const grade = JSON.rawJSON('7.50')
    for (const reading of ['sheet', 'saved'] as const)
      for (const value of reading === 'sheet' ? ['7.5', JSON.rawJSON('7.5')] : [JSON.rawJSON('7.5')])
        assert.ok(isSameValue(reading, field, { stored: grade, value }), reading)
    assert.ok(isSameValue('saved', field, { stored: '7', value: JSON.rawJSON('7') }))
    assert.ok(isSameValue('saved', field, { stored: 'TRUE', value: true }))
    assert.ok(!isSameValue('saved', field, { stored: '7', value: JSON.rawJSON('8') }))
  })

  it('and a boolean whoever has written it into CSV', () => {
    const cells = [
      'TRUE',
      'true',
      'True',
      'VERDADERO',
      'VERDADEIRO',
      'false',
      'FALSE',
      'FALSO',
      'Verdadero',
      'falso',
      'Sí',
    ]
    assert.deepEqual(
      cells.map((cell) => fileValue(cell)),
      [true, true, true, true, true, false, false, false, 'Verdadero', 'falso', 'Sí'],
    )
  })
})
