/** Text files as spreadsheets, databases and people write them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isCountry } from '../../../src/modules/users/countries.ts'
import { disarm } from '../../../src/modules/csv-files/csv.ts'
import { USER_COLUMNS } from '../../../src/modules/users/csv-columns.ts'
import { columnsOf } from '../columns.ts'
import { countryCode } from '../countries.ts'
import { dueDateOf } from '../due-dates.ts'
import { detectEncoding, encodingNamed, inUtf8 } from '../encoding.ts'
import { languageCode } from '../languages.ts'
import { openFile } from '../read.ts'
import type { Source } from '../source.ts'
import type { Reason } from '../reasons.ts'
import { sourceOf } from './memory.ts'

interface ReadRow {
  line: number
  item?: Record<string, unknown>
  reasons?: Reason[]
}

async function read(content: string | Source) {
  const opened = await openFile(typeof content === 'string' ? sourceOf(content) : content)
  const columns = columnsOf(opened)
  const items = []
  for await (const row of opened.rows) {
    const { item, reasons } = columns.toItem(row)
    items.push({ line: row.line, ...(reasons.length > 0 ? { reasons } : { item }) })
  }
  const parsed: ReadRow[] = JSON.parse(JSON.stringify(items))
  return { ...opened, items: parsed }
}

async function itemsOf(content: string | Source): Promise<ReadRow[]> {
  return (await read(content)).items
}

const ANA = 'Ana,Ruiz,ana@example.com'
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')
const CODES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
const ITEM = { name: 'Ana', last_name: 'Ruiz', email: 'ana@example.com' }

describe('A CSV file', () => {
  it('may name its separator in the first line', async () => {
    for (const [start, separator] of [
      ['sep=;', ';'],
      ['SEP=|', '|'],
      ['"sep=;"', ';'],
      ['sep=;;;', ';'],
      ['sep=,,,', ','],
      ['\ufeffsep=\t', '\t'],
    ]) {
      const text = `${start}\r\nname,last_name,email\r\n${ANA}\r\n`.replaceAll(',', separator ?? '')
      const { delimiter, items } = await read(text)
      assert.deepEqual([delimiter, items], [separator, [{ line: 3, item: ITEM }]])
    }
  })

  it('may have bars as separators', async () => {
    assert.deepEqual(await itemsOf('name|last_name|email\nAna|Ruiz|ana@example.com\n'), [{ line: 2, item: ITEM }])
  })

  it('may end with empty columns', async () => {
    assert.deepEqual(await itemsOf(`name,last_name,email,,\n${ANA},,\n${ANA}, ,\n${ANA}\n`), [
      { line: 2, item: ITEM },
      { line: 3, item: ITEM },
      { line: 4, item: ITEM },
    ])
    const [{ reasons } = {}] = await itemsOf(`name,last_name,email,\n${ANA},x\n`)
    assert.equal(reasons?.[0]?.code, 'width')
  })

  it('may have blank rows and end with Ctrl-Z', async () => {
    assert.deepEqual(await itemsOf(`,,\nname,last_name,email\n,,\n ,\u00a0,\u200b\n${ANA}\n,,\n\u001a`), [
      { line: 5, item: ITEM },
    ])
    for (const end of ['\u001a', '\r\n\u001a\u001a\u001a']) {
      assert.deepEqual(await itemsOf(`name,last_name,email\r\n${ANA}${end}`), [{ line: 2, item: ITEM }])
      assert.deepEqual(await itemsOf(JSON.stringify(ITEM) + end), [{ line: 1, item: ITEM }])
    }
  })

  it('may have invisible characters around its values, which are removed, but not inside an email', async () => {
    const [ana, eva] = await itemsOf(
      'name,\u00a0last_name,email \n\ufeffAna,Ruiz\u00a0,\u200bana@example.com \nEva,Sol,eva\u200b@example.com\n',
    )
    assert.deepEqual(ana?.item, ITEM)
    assert.deepEqual(eva?.reasons, [
      {
        column: 'email',
        field: 'email',
        code: 'invisible',
        explanation: 'contains a blank or an invisible character (U+200B) as character 4',
      },
    ])
  })

  it('may have blanks around a password, which are a part of it', async () => {
    const [{ item } = {}] = await itemsOf(`name,last_name,email,password\n${ANA}, secret \n`)
    assert.equal(item?.['password'], ' secret ')
  })

  it('has errors where a spreadsheet or a database wrote no value', async () => {
    const errors = [
      '#N/A',
      '#N/D',
      '#REF!',
      '#¡REF!',
      '#VALUE!',
      '#¡VALOR!',
      '#VALOR!',
      '#¿NOMBRE?',
      '#NOME?',
      '#¡NUM!',
      '#NÚM!',
    ]
    const numbers = ['3.46E+10', '3,46E+10', '3.46e10', '346E+8']
    for (const value of [...errors, '#¡DIV/0!', '#NULO!', 'NULL', '\\N', ...numbers]) {
      const [{ reasons } = {}] = await itemsOf(`name,last_name,email,phone\n${ANA},"${value}"\n`)
      assert.equal(reasons?.[0]?.column, 'phone', value)
    }
    const [{ item } = {}] = await itemsOf(`name,last_name,email,external_id\nNull,Ruiz,ana@example.com,12E4\n`)
    assert.deepEqual(item, { ...ITEM, name: 'Null', external_id: '12E4' })
  })

  it('of our export for spreadsheets comes back as it was, also without the mark of that export', async () => {
    const cells: Record<string, string> = {
      ...ITEM,
      id: '6',
      phone: '+34600111222',
      avatar: '=1\n-2',
      external_id: "'x",
    }
    for (const [start, separator] of [
      ['\ufeff', ';'],
      ['\ufeff', ','],
      ['', ';'],
      ['', ','],
    ] as const) {
      const row = USER_COLUMNS.map((name) => `"${disarm(cells[name] ?? '')}"`).join(separator)
      const [{ item } = {}] = await itemsOf(`${start}${USER_COLUMNS.join(separator)}\r\n${row}\r\n`)
      assert.deepEqual(item, { ...ITEM, phone: '+34600111222', avatar: '=1\n-2', external_id: "'x" })
    }
    const [{ item } = {}] = await itemsOf(
      `name,last_name,email,phone,avatar,external_id,password\n${ANA},'+34,'a';'=b,"x\n'@","'+"\n`,
    )
    const { phone, avatar, external_id: id, password } = item ?? {}
    assert.deepEqual([phone, avatar, id, password], ['+34', "'a';=b", 'x\n@', "'+"])
  })

  it('may be another format than its name says, which is recognized', async () => {
    await assert.rejects(read('<html><table>'), /web page \(HTML or XML\)/)
    await assert.rejects(read('{\n  "name": "Ana"\n}\n'), /each object on one line/)
  })
})

describe('An encoding', () => {
  const source = (bytes: number[], chunk = 2) =>
    sourceOf(new Uint8Array([...Buffer.from('name;last_name\nIn'), ...bytes]), chunk)

  it('refuses a byte that it does not have, with its line and column', async () => {
    for (const size of [1, 2, 1000]) {
      const drain = async (encoding: string) => {
        for await (const chunk of inUtf8(source([0x90, 0x73], size), encoding).open()) void chunk
      }
      await assert.rejects(
        drain('windows-1252'),
        /line 2, character 3: the file is not windows-1252, which has no byte 0x90/,
      )
      await drain('macintosh')
    }
  })

  it('refuses a file that ends within a character', async () => {
    const bytes = new Uint8Array([...Buffer.from('name\n'), 0x83])
    await assert.rejects(async () => {
      for await (const chunk of inUtf8(sourceOf(bytes), 'shift_jis').open()) void chunk
    }, /line 2, character 1: the file is not shift_jis, which has no byte 0x83/)
  })

  it('of a Mac is guessed by a byte that Windows-1252 does not have', async () => {
    assert.equal(await detectEncoding(source([0x90])), 'macintosh')
    assert.equal(await detectEncoding(source([0xea])), 'windows-1252')
  })

  it('has every name of the WHATWG standard', () => {
    const names = ['macintosh', 'windows-1250', 'shift_jis', 'Latin1', 'x-sjis'].map(encodingNamed)
    assert.deepEqual(names, ['macintosh', 'windows-1250', 'shift_jis', 'windows-1252', 'shift_jis'])
    assert.equal(encodingNamed('ebcdic'), undefined)
  })
})

describe('A due date', () => {
  /** Without the mark of a local date. */
  const inZone = (zone: string, text: string, order?: 'dmy' | 'mdy') => {
    const due = dueDateOf(text, { zone, order })
    return 'date' in due ? { date: due.date } : due
  }
  const read = (text: string, order?: 'dmy' | 'mdy') => dueDateOf(text, { zone: 'Europe/Madrid', order })

  it('is a day, a time in the zone of the store, or one with an offset', () => {
    const accepted: [string, string | null][] = [
      ['2027-12-31', '2027-12-31T22:59:59.999Z'],
      ['2027/12/31', '2027-12-31T22:59:59.999Z'],
      ['2027-12-31 18:00', '2027-12-31T17:00:00.000Z'],
      ['2027-12-31T18:00', '2027-12-31T17:00:00.000Z'],
      ['2027-12-31 18:00:00', '2027-12-31T17:00:00.000Z'],
      ['2027-12-31T18:00:00.123', '2027-12-31T17:00:00.123Z'],
      ['2027-12-31T00:00:00+0000', '2027-12-31T00:00:00+0000'],
      // What programs write for a day.
      ['2027-12-31 00:00:00', '2027-12-31T22:59:59.999Z'],
      ['2027-12-31T00:00', '2027-12-31T22:59:59.999Z'],
      ['2027-12-31T00:00:00Z', '2027-12-31T00:00:00Z'],
      ['9999-12-31', '9999-12-31T22:59:59.999Z'],
      ['none', null],
      ['No limit', null],
      ['Sin límite', null],
      ['sem limite', null],
    ]
    for (const [text, date] of accepted) assert.deepEqual([text, inZone('Europe/Madrid', text)], [text, { date }])
  })

  it('is an error that lists what is accepted', () => {
    const PROBLEMS: Record<string, string> = {
      None: 'none_date',
      NULL: 'none_date',
      '27-12-31': 'short_year',
      '31/12/27': 'short_year',
      '2027-12-31 00:00:00 CET': 'zone_date',
    }
    const refused =
      '46752|2027-12-31 00:00:00 CET|December 2027|0000-00-00|0000-00-00 00:00:00|-|None|NULL|never|20271231|0001-01-01T00:00:00Z|1899-12-30|2027-02-30|0031-12-27|27-12-31|31/12/27|2027-12-31T24:00:00Z|1900-01-01|2027-12/31'
    for (const text of refused.split('|')) {
      const due = read(text)
      assert.ok('problem' in due, text)
      assert.equal(due.problem, PROBLEMS[text] ?? 'not_date', text)
      assert.match(due.explanation, /2027-12-31 18:00 \(in the time zone of the store\), or "none"/)
    }
  })

  it('whose day and month are unclear needs their order', () => {
    for (const text of ['31/12/2027', '12/31/2027', '1.2.2027', '01-02-2027']) {
      const due = read(text)
      assert.ok('problem' in due && due.problem === 'unclear_date', text)
      assert.match(due.explanation, /--dates dmy or --dates mdy/)
    }
    const end = { date: '2027-12-31T22:59:59.999Z' }
    assert.deepEqual(inZone('Europe/Madrid', '31/12/2027', 'dmy'), end)
    assert.deepEqual(inZone('Europe/Madrid', '12/31/2027', 'mdy'), end)
    assert.deepEqual(inZone('Europe/Madrid', '1.2.2027 18:00', 'dmy'), { date: '2027-02-01T17:00:00.000Z' })
    assert.ok('problem' in read('31/12/2027', 'mdy'))
    assert.ok('problem' in read('12/31/2027', 'dmy'))
  })

  it('on which the clocks change at midnight ends when the next day begins', () => {
    const ends: [zone: string, day: string, end: string][] = [
      ['America/Santiago', '2027-04-03', '2027-04-04T03:59:59.999Z'],
      ['America/Santiago', '2027-04-02', '2027-04-03T02:59:59.999Z'],
      ['America/Santiago', '2027-09-04', '2027-09-05T03:59:59.999Z'],
      ['Africa/Cairo', '2027-10-28', '2027-10-28T21:59:59.999Z'],
      ['Asia/Beirut', '2027-10-30', '2027-10-30T21:59:59.999Z'],
      ['America/Sao_Paulo', '2027-12-31', '2028-01-01T02:59:59.999Z'],
    ]
    for (const [zone, day, end] of ends) assert.deepEqual([zone, inZone(zone, day)], [zone, { date: end }])
  })
})

describe('A country and a language', () => {
  it('have many names', () => {
    const names: [string, string][] = [
      ['Bosnia and Herzegovina', 'BA'],
      ['Bosnia & Herzegovina', 'BA'],
      ['Turkey', 'TR'],
      ['Türkiye', 'TR'],
      ['Turquía', 'TR'],
      ['Hong Kong', 'HK'],
      ['Russian Federation', 'RU'],
      ['Ivory Coast', 'CI'],
      ["Côte d'Ivoire", 'CI'],
      ['Costa do Marfim', 'CI'],
      ['Trinidad and Tobago', 'TT'],
      ['Korea, Republic of', 'KR'],
      ['Viet Nam', 'VN'],
      ['Czechia', 'CZ'],
      ['Tanzania, United Republic of', 'TZ'],
      ['EE.UU.', 'US'],
      ['Reino Unido', 'GB'],
      ['Guinea', 'GN'],
      ['Guinea Ecuatorial', 'GQ'],
      ['Niger', 'NE'],
      ['Nigeria', 'NG'],
      ['Dominica', 'DM'],
      ['República Dominicana', 'DO'],
      [' España ', 'ES'],
      [' es ', 'es'],
    ]
    for (const [name, code] of names) assert.deepEqual([name, countryCode(name)], [name, code])
    assert.equal(countryCode('Atlantis'), 'Atlantis')
  })

  it('have the names of this version of CLDR, in three languages', () => {
    for (const language of ['en', 'es', 'pt-BR', 'pt-PT']) {
      const names = new Intl.DisplayNames(language, { type: 'region' })
      for (const code of CODES.filter(isCountry)) {
        const name = names.of(code) ?? ''
        assert.deepEqual([name, countryCode(` ${name.toUpperCase()} `)], [name, code])
      }
    }
  })

  it('may be a code in any case, with a region', () => {
    const codes = ['es', 'ES', 'Español', 'pt-BR', 'en_US', 'Inglés', 'Português', ' pt ', 'Klingon'].map(languageCode)
    assert.deepEqual(codes, ['ES', 'ES', 'ES', 'PT', 'EN', 'EN', 'PT', 'PT', 'Klingon'])
  })
})
