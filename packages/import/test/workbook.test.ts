/** Workbooks as Excel, LibreOffice, openpyxl, SheetJS, Power BI and others write them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { columnsOf } from '../columns.ts'
import { FileError } from '../file-error.ts'
import { openFile } from '../read.ts'
import { type Correction, recognize } from '../recognize.ts'
import type { Reason } from '../reasons.ts'
import { sourceOf } from './memory.ts'
import { packageOf, RELATIONS, SPREADSHEET, workbookXml } from './workbook.ts'

const RELATIONS_STRICT = 'http://purl.oclc.org/ooxml/officeDocument/relationships'
const ANA = ['A', 'B', 'a@example.com']
const HEADER = ['name', 'last_name', 'email', 'phone', 'external_id', 'custom_fields.x', 'product', 'product_due_date']

/** A text cell, or the XML of another one. Without a value there is no cell. */
function rowOf(line: number, cells: (string | undefined)[]): string {
  const tags = cells.map((cell, i) => {
    const at = `r="${String.fromCodePoint(65 + i)}${line}"`
    if (cell === undefined) return ''
    return cell.startsWith('<') ? cell.replace('<c', `<c ${at}`) : `<c ${at} t="inlineStr"><is><t>${cell}</t></is></c>`
  })
  return `<row r="${line}">${tags.join('')}</row>`
}

/** One row with these cells below the headings. */
function sheetOf(cells: { phone?: string; id?: string; x?: string; due?: string }): string {
  const { phone, id, x, due } = cells
  return rowOf(1, HEADER) + rowOf(2, ['A', 'B', 'a@example.com', phone, id, x, due && 'algebra', due])
}

function workbookFiles(sheet: string): Record<string, string> {
  return {
    'xl/workbook.xml': `<workbook xmlns="${SPREADSHEET}" xmlns:r="${RELATIONS}"><sheets><sheet name='S' sheetId='1' r:id='rId1'/></sheets></workbook>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${SPREADSHEET}"><sheetData>${sheet}</sheetData></worksheet>`,
  }
}

/** The workbook with these shared texts. */
function withTexts(files: Record<string, string>, texts: string[]): Buffer {
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id='${id}' Type='${RELATIONS}/${type}' Target='${target}'/>`
  return packageOf({
    ...files,
    'xl/sharedStrings.xml': `<sst xmlns="${SPREADSHEET}">${texts.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relation('rId1', 'worksheet', '../xl/worksheets/sheet1.xml')}${relation('rId2', 'sharedStrings', 'sharedStrings.xml')}</Relationships>`,
  })
}

interface ReadRow {
  line: number
  item?: ReadItem
  reasons?: Reason[]
}

interface ReadItem {
  phone?: string
  external_id?: string
  custom_fields: Record<string, unknown>
  product_accesses: { access_due_date?: string }[]
}

async function read(bytes: Uint8Array, correction: Correction = {}) {
  const { source, ...recognized } = await recognize(sourceOf(new Uint8Array(bytes)), correction)
  const opened = await openFile(source)
  const columns = columnsOf(opened)
  const rows = []
  for await (const row of opened.rows) rows.push({ line: row.line, ...columns.toItem(row) })
  const parsed: ReadRow[] = JSON.parse(JSON.stringify(rows))
  return { ...recognized, rows: parsed }
}

async function itemOf(bytes: Uint8Array): Promise<ReadItem> {
  const [row] = (await read(bytes)).rows
  assert.ok(row?.item, JSON.stringify(row))
  return row.item
}

async function reasonsOf(bytes: Uint8Array): Promise<string[]> {
  const [row] = (await read(bytes)).rows
  return (row?.reasons ?? []).map((reason) => `${reason.column}: ${reason.explanation}`)
}

/** The value of a custom field in a cell with this format. */
async function shown(value: string, format: string, properties = ''): Promise<unknown> {
  const sheet = sheetOf({ x: `<c s="1"><v>${value}</v></c>` })
  const { custom_fields } = await itemOf(workbookXml({ S: sheet }, { formats: [format], properties }))
  return custom_fields['x']
}

describe('An error in a cell', () => {
  it('is an error of its row and names the cell, and so is a formula without a stored result', async () => {
    const sheet = sheetOf({
      phone: '<c t="e"><f>X</f><v>#N/A</v></c>',
      x: '<c t="e"><v>#REF!</v></c>',
      due: '<c><f>DATE(2027,12,31)</f></c>',
    })
    assert.deepEqual(await reasonsOf(workbookXml({ S: sheet })), [
      'phone: the cell D2 contains #N/A',
      'custom_fields.x: the cell F2 contains #REF!',
      'product_due_date: the cell H2 contains a formula without a stored result',
    ])
  })

  it('is none if the formula has a result, even an empty text', async () => {
    const sheet = sheetOf({ phone: '<c t="str"><f>""</f><v></v></c>', x: '<c><f>1+1</f><v>2</v></c>' })
    const item = await itemOf(workbookXml({ S: sheet }))
    assert.deepEqual([item.phone, item.custom_fields], [undefined, { x: 2 }])
  })
})

describe('A value that cannot be read', () => {
  it('is an error of its row and names the cell', async () => {
    const expected = [
      ['<c t="s"><v>7</v></c>', 'a text that the workbook does not have'],
      ['<c t="s"><v>-1</v></c>', 'a text that the workbook does not have'],
      ['<c t="s"><v>x</v></c>', 'a text that the workbook does not have'],
      ['<c><v>1e999</v></c>', 'a number that no spreadsheet can show'],
      ['<c t="n"><v>NaN</v></c>', 'a number that cannot be read'],
      ['<c><v>0x10</v></c>', 'a number that cannot be read'],
      ['<c><is><t>5</t></is></c>', 'a number that cannot be read'],
      ['<c t="d" s="1"><v>46752</v></c>', 'a date that cannot be read'],
      ['<c t="b"><v>yes</v></c>', 'a value that cannot be read'],
      ['<c t="inlineStr"><v>text</v></c>', 'a value that cannot be read'],
      ['<c t="other"><v>5</v></c>', 'a value that cannot be read'],
      ['<c t="e"/>', 'an error'],
      ['<c t="str"><f>A1</f></c>', 'a formula without a stored result'],
      ['<c t="b"><f>A1</f></c>', 'a formula without a stored result'],
      ['<c><f t="shared" si="0"/></c>', 'a formula without a stored result'],
    ] as const
    for (const [x, error] of expected) {
      const bytes = workbookXml({ S: sheetOf({ x }) }, { formats: ['yyyy-mm-dd'] })
      assert.deepEqual([x, ...(await reasonsOf(bytes))], [x, `custom_fields.x: the cell F2 contains ${error}`])
    }
  })

  it('is an error of its row, if it refers to half a text', async () => {
    const sheet = sheetOf({ x: '<c t="s"><v>0.5</v></c>' })
    assert.deepEqual(await reasonsOf(withTexts(workbookFiles(sheet), ['first'])), [
      'custom_fields.x: the cell F2 contains a text that the workbook does not have',
    ])
  })

  it('in a heading is an error of the file', async () => {
    const sheet = sheetOf({}).replace(/<c r="H1".*?<\/c>/, '<c r="H1" t="s"><v>9</v></c>')
    await assert.rejects(
      read(workbookXml({ S: sheet })),
      /a heading is a text that the workbook does not have, in cell H1/,
    )
  })

  it('is none if there is nothing in the cell', async () => {
    for (const x of ['<c t="s"/>', '<c t="s"><v> </v></c>', '<c t="b"/>', '<c><v> </v></c>', '<c t="b"><v/></c>']) {
      const bytes = withTexts(workbookFiles(sheetOf({ x })), ['first'])
      assert.deepEqual([x, (await itemOf(bytes)).custom_fields], [x, undefined])
    }
  })
})

describe('The format of a cell', () => {
  it('decides what a number is', async () => {
    const expected: [value: string, format: string, text: unknown][] = [
      ['46752', 'dd/mm/yyyy', '2027-12-31'],
      ['46752', 'ddmmyyyy', '2027-12-31'],
      ['46752.99', 'yyyy-mm-dd', '2027-12-31'],
      ['46752.7708333333', 'd/m/yy h:mm', '2027-12-31T18:30:00'],
      ['46752', 'd/m/yy h:mm', '2027-12-31'],
      ['0.7708333333333334', 'h:mm', '18:30'],
      ['0.7708333333333334', 'h:mm:ss', '18:30:00'],
      ['0.7708333333333334', 'h:mm AM/PM', '18:30'],
      ['1.25', '[h]:mm', '30:00'],
      ['1.25', '[hh]:mm:ss', '30:00:00'],
      ['59', '[h]:mm', '1416:00'],
      ['61', '[h]:mm', '1464:00'],
      ['15', 'yyyy-mm-dd', '1900-01-15'],
      ['8001', '00000', '08001'],
      ['34600111222', '\\+0', '+34600111222'],
      ['34600111222', '"+"0', '+34600111222'],
      ['600111222', '000 000 000', '600 111 222'],
      ['50', '[>100]00000;000', '050'],
      ['101', '[>100]00000;000', '00101'],
      ['6001112222', '[<=9999999]###-####;(###) ###-####', '(600) 111-2222'],
      ['-8001', '00000;(00000)', '(08001)'],
      ['-8001', '[Red]00000;@', '-08001'],
      ['0', '000;-000;"no "00', 'no 00'],
      ['-5', '0;[Red]0', -5],
      ['5', '0;;;@', 5],
      ['-5', '0', -5],
      ['0.5', '0%', '50%'],
      ['45.1', '0.00', 45.1],
      ['0.30000000000000004', 'General', 0.3],
      ['1234567', '#,##0', 1234567],
    ]
    for (const [value, format, text] of expected) assert.deepEqual([format, await shown(value, format)], [format, text])
  })

  it('of the 1904 date system is recognized in both spellings', async () => {
    assert.equal(await shown('45290', 'yyyy-mm-dd', 'date1904="1"'), '2027-12-31')
    assert.equal(await shown('45290', 'yyyy-mm-dd', 'date1904="true"'), '2027-12-31')
    assert.equal(await shown('46752', 'yyyy-mm-dd', 'date1904="false"'), '2027-12-31')
  })

  it('may redefine one of Excel, such as 14', async () => {
    const styles = (code: string) =>
      `<numFmts><numFmt numFmtId="14" formatCode="${code}"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>`
    const sheet = { S: sheetOf({ x: '<c s="1"><v>28001</v></c>' }) }
    assert.equal((await itemOf(workbookXml(sheet, { styles: styles('00000') }))).custom_fields['x'], '28001')
    assert.equal((await itemOf(workbookXml(sheet, { styles: styles('yyyy-mm-dd') }))).custom_fields['x'], '1976-08-29')
  })
})

describe('A cell', () => {
  it('with a date as ISO text is a wall time, and midnight is a day', async () => {
    const expected = [
      ['2027-12-31', new Date(2027, 11, 31, 23, 59, 59, 999)],
      ['2027-12-31T00:00:00', new Date(2027, 11, 31, 23, 59, 59, 999)],
      ['2027-12-31T18:30:00', new Date(2027, 11, 31, 18, 30)],
      ['2027-12-31T18:30:00Z', new Date(2027, 11, 31, 18, 30)],
      ['2027-12-31T18:30:00.0500000000', new Date(2027, 11, 31, 18, 30)],
      ['2027-12-31T18:30:00.9999999999', new Date(2027, 11, 31, 18, 30, 1)],
      ['2027-12-31T23:59:59.9999999999Z', new Date(2027, 11, 31, 23, 59, 59, 999)],
    ] as const
    for (const [text, time] of expected) {
      const sheet = sheetOf({ due: `<c s="1" t="d"><v>${text}</v></c>` })
      const item = await itemOf(workbookXml({ S: sheet }, { formats: ['yyyy-mm-dd'] }))
      assert.equal(item.product_accesses[0]?.access_due_date, time.toISOString())
    }
  })

  it('with a phonetic reading has its text alone', async () => {
    const reading = '<rPh sb="0" eb="1"><t>kan</t></rPh>'
    for (const text of ['<t>a&amp;kan</t>', '<r><t>a&amp;</t></r><r><t>kan</t></r>']) {
      const sheet = sheetOf({ x: `<c t="inlineStr"><is>${text}${reading}</is></c>` })
      assert.equal((await itemOf(workbookXml({ S: sheet }))).custom_fields['x'], 'a&kan')
    }
  })

  it('with text stays text', async () => {
    for (const text of ['4E2', '28001', 'true', 'null', '08001']) {
      assert.equal((await itemOf(workbookXml({ S: sheetOf({ x: text }) }))).custom_fields['x'], text)
    }
  })

  it('with a boolean is one, in both spellings', async () => {
    for (const value of ['1', 'true']) {
      const sheet = sheetOf({ x: `<c t="b"><v>${value}</v></c>`, phone: `<c t="b"><v>${value}</v></c>` })
      const item = await itemOf(workbookXml({ S: sheet }))
      assert.deepEqual([item.custom_fields['x'], item.phone], [true, 'TRUE'])
    }
  })

  it('with an integer keeps all its digits, compressed or not', async () => {
    for (const digits of ['9007199254740991', '1234567890123456789', '12345678901234567890123']) {
      const number = `<c><v>${digits}</v></c>`
      const item = await itemOf(
        workbookXml(
          { Other: sheetOf({ id: '<c><v>5</v></c>' }), S: sheetOf({ id: number }) },
          { states: ['state="hidden"'] },
        ),
      )
      assert.equal(item.external_id, digits)
    }
  })

  it('with a date that no spreadsheet can show is an error', async () => {
    for (const value of ['-5', '99999999']) {
      const sheet = sheetOf({ due: `<c s="1"><v>${value}</v></c>` })
      assert.deepEqual(await reasonsOf(workbookXml({ S: sheet }, { formats: ['yyyy-mm-dd'] })), [
        'product_due_date: the cell H2 contains a date that no spreadsheet can show',
      ])
    }
  })

  it('with an integer of which Excel has kept 15 digits is an error', async () => {
    const sheet = sheetOf({ id: '<c><v>1.23456789012345E+18</v></c>' })
    assert.deepEqual(await reasonsOf(workbookXml({ S: sheet })), [
      'external_id: a spreadsheet has rounded the number; format the column as text',
    ])
  })

  it('with a rounded number is an error', async () => {
    const sheet = sheetOf({ phone: '<c><v>1E-7</v></c>', id: '<c><v>1E+21</v></c>' })
    assert.deepEqual(
      (await reasonsOf(workbookXml({ S: sheet }))).map((reason) => reason.split(',')[0]),
      [
        'phone: a spreadsheet has rounded the number; format the column as text',
        'external_id: a spreadsheet has rounded the number; format the column as text',
      ],
    )
  })

  it('may contain CDATA and references to characters above U+FFFF', async () => {
    const sheet = sheetOf({
      phone: '<c t="inlineStr"><is><t><![CDATA[+34 600]]></t></is></c>',
      x: '&#x20BB7;&#128512; Mc &amp; Co',
    })
    const item = await itemOf(workbookXml({ S: sheet }))
    assert.deepEqual([item.phone, item.custom_fields['x']], ['+34 600', '𠮷😀 Mc & Co'])
  })
})

describe('A workbook', () => {
  it('needs neither references of cells nor styles', async () => {
    const number = '<c><v>1234567890123456789</v></c>'
    const sheet = sheetOf({ phone: '600', id: number }).replaceAll(/ r="\w+"/g, '')
    const item = await itemOf(workbookXml({ S: sheet }))
    assert.deepEqual([item.phone, item.external_id], ['600', '1234567890123456789'])
  })

  it('may be Strict Open XML, with a prefix', async () => {
    const [strict, relations] = ['http://purl.oclc.org/ooxml/spreadsheetml/main', RELATIONS_STRICT]
    const sheet = sheetOf({ id: '<c><v>1234567890123456789</v></c>', due: '<c t="d"><v>2027-12-31T18:30:00</v></c>' })
    const item = await itemOf(
      packageOf({
        'xl/workbook.xml': `<x:workbook xmlns:x="${strict}" xmlns:r="${relations}" conformance="strict"><x:sheets><x:sheet name="S" sheetId="1" r:id="rId1"/></x:sheets></x:workbook>`,
        'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="/xl/worksheets/sheet1.xml"/></Relationships>`,
        'xl/worksheets/sheet1.xml': `<x:worksheet xmlns:x="${strict}"><x:sheetData>${sheet.replaceAll(/<(\/?)(?=[a-z])/g, '<$1x:')}</x:sheetData></x:worksheet>`,
      }),
    )
    assert.equal(item.external_id, '1234567890123456789')
    assert.equal(item.product_accesses[0]?.access_due_date, new Date(2027, 11, 31, 18, 30).toISOString())
  })

  it('that cannot be read names the cell', async () => {
    const broken = sheetOf({ x: '<c t="inlineStr"><is><t>a<![CDATA[b</t></is></c>' })
    await assert.rejects(
      read(workbookXml({ Other: sheetOf({}), S: broken }), { sheet: 'S' }),
      /the XML of the sheet is broken, in cell F2/,
    )
    const rest = sheetOf({ x: 'text', due: '2027-12-31' })
    for (const part of ['</c>', '<c r="F2"', 't="inlineStr"><is><t>te']) {
      const at = rest.indexOf(part, rest.indexOf('r="F2"') - 3) + part.length
      const sheet = rest.slice(0, at)
      await assert.rejects(read(workbookXml({ S: sheet })), /the XML of the sheet is broken, in cell [CF]2/)
    }
    const unclosed = rest.replace('</c><c r="F2"', '<c r="F2"')
    await assert.rejects(read(workbookXml({ S: unclosed })), /the XML of the sheet is broken, in cell C2/)
    const twice = rest + rowOf(2, ['C', 'D', 'c@example.com'])
    await assert.rejects(read(workbookXml({ S: twice })), /the same cell twice, in cell A2/)
    const outside = sheetOf({}).replace('r="B2"', 'r="ZZZZ2"')
    await assert.rejects(read(workbookXml({ S: outside })), /the workbook cannot be read: .*"ZZZZ2"/)
  })

  it('may have backslashes in the names of its files', async () => {
    const bytes = packageOf(
      {
        'xl/workbook.xml': `<workbook xmlns="${SPREADSHEET}" xmlns:r="${RELATIONS}"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
        'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
        'xl/worksheets/sheet1.xml': `<worksheet xmlns="${SPREADSHEET}"><sheetData>${sheetOf({ id: '<c><v>1234567890123456789</v></c>' })}</sheetData></worksheet>`,
      },
      (name) => name.replaceAll('/', '\\'),
    )
    assert.equal((await itemOf(bytes)).external_id, '1234567890123456789')
  })

  it('proposes its first visible sheet', async () => {
    const sheets = { Notes: rowOf(1, ['x']), People: sheetOf({}), Times: rowOf(1, ['<c t="d"><v>18:30:00</v></c>']) }
    const bytes = workbookXml(sheets, { states: ['state="veryHidden"'] })
    const { sheet, sheets: names } = await read(bytes)
    assert.deepEqual([sheet, names], ['People', ['Notes', 'People', 'Times']])
    await assert.rejects(
      read(bytes, { sheet: 'Nobody' }),
      /there is no sheet "Nobody"\. The workbook has "Notes", "People", "Times"\./,
    )
  })

  it('keeps the numbers of its rows, and skips blank ones', async () => {
    const sheet = rowOf(1, HEADER) + rowOf(3, [' ', '\u00a0']) + rowOf(5, ['A', 'B', 'a@example.com'])
    assert.deepEqual(
      (await read(workbookXml({ S: sheet }))).rows.map(({ line }) => line),
      [5],
    )
  })

  it('reports values beyond the headings', async () => {
    const sheet = rowOf(1, HEADER) + rowOf(2, [...ANA, ...Array.from({ length: 5 }, () => undefined), 'beyond'])
    assert.deepEqual(await reasonsOf(workbookXml({ S: sheet })), [': the row has 9 values, the header 8'])
  })

  it('with a password, and an old one, is refused with a sentence that says so', async () => {
    const start = Buffer.from('d0cf11e0a1b11ae1', 'hex')
    const encrypted = Buffer.concat([start, Buffer.alloc(500), Buffer.from('EncryptedPackage', 'utf16le')])
    await assert.rejects(read(encrypted), /protected with a password/)
    await assert.rejects(read(start), /old format \(\.xls\)/)
    await assert.rejects(read(Buffer.from('504b0304ffff', 'hex')), FileError)
  })
})
