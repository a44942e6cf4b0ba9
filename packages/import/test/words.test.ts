/** What the command says before it sends anything, and about rows that it leaves out. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { after, afterEach, before, describe, it } from 'node:test'
import { readNames } from '../../../scripts/import-names.ts'
import { withAliases } from '../../../scripts/import-products.ts'
import { run } from './command.ts'
import { csvOf } from './memory.ts'
import { type FakeService, startService } from './service.ts'
import { workbookXml, type ZipEntry } from './workbook.ts'

let service: FakeService
const folder = mkdtempSync(join(tmpdir(), 'registrar-import-'))

before(async () => {
  service = await startService()
})
afterEach(() => service.reset())
after(async () => {
  await service.stop()
  rmSync(folder, { recursive: true })
})

function importRows(name: string, header: string[], rows: string[][], args: string[] = []) {
  const path = join(folder, name)
  writeFileSync(path, csvOf(header, rows))
  return run('import', [path, ...args], { to: service })
}

describe('npm run import', () => {
  it('lists how whole names are split', async () => {
    const rows = Array.from({ length: 23 }, (_, i) => ['García López, José', `j${i}@example.com`])
    const { code, stdout } = await importRows('split.csv', ['Nome completo', 'E-mail'], rows, ['--dry-run'])
    assert.equal(code, 0)
    assert.match(
      stdout,
      /The whole names in "Nome completo" are split, after a comma the first names, otherwise at the first space:\n {2}row 2: José \| García López\n/,
    )
    assert.match(stdout, / {2}row 21: .*\n {2}and 3 more rows\n/)
  })

  it('lists doubtful names first, and takes the names of a file that a dry run has written', async () => {
    const plain = Array.from({ length: 22 }, (_, i) => [`Ana Gil${i}`, `a${i}@example.com`])
    const rows = [
      ...plain,
      ['Ana  Maria da Silva', 'b@example.com'],
      ['=Rita Sol Luz', 'c@example.com'],
      ['Cher', 'd@x.es'],
    ]
    const header = ['Nome completo', 'E-mail']
    const dry = await importRows('names.csv', header, rows, ['--dry-run'])
    assert.match(
      dry.stdout,
      / {2}row 24: Ana \| Maria da Silva\n {2}row 25: =Rita \| Sol Luz\n {2}row 2: Ana \| Gil0\n/,
    )
    assert.match(dry.stdout, / {2}and 4 more rows\n.* They are 2 of 24\.\n/)
    assert.match(dry.stdout, /How each whole name is split is in names\.csv\.dry-run\.names\.csv\./)
    const names = join(folder, 'names.csv.dry-run.names.csv')
    assert.equal(statSync(names).mode & 0o777, 0o600)
    const text = readFileSync(names, 'utf8')
    assert.match(text, /^whole_name,name,last_name,doubtful,_line\r\nAna Gil0,Ana,Gil0,,2\r\n/)
    assert.match(
      text,
      /\nAna Maria da Silva,Ana,Maria da Silva,yes,24\r\n'=Rita Sol Luz,'=Rita,Sol Luz,yes,25\r\nCher,,,yes,26\r\n$/,
    )

    const mended = text
      .replace(',Ana,Maria da Silva,', ',Ana Maria,da Silva,')
      .replace(",'=Rita,Sol Luz,", ',Luz,=Rita Sol,')
    writeFileSync(names, mended)
    const again = await importRows('names.csv', header, rows, ['--dry-run'])
    assert.match(again.stdout, /names\.csv\.dry-run\.names\.csv is kept as it is/)
    assert.equal(readFileSync(names, 'utf8'), mended)
    const { code, stdout } = await importRows('names.csv', header, rows, ['--names', names])
    assert.equal(code, 1)
    assert.match(stdout, / {2}row 24: Ana Maria \| da Silva\n {2}row 25: Luz \| =Rita Sol\n/)
    const stored = service.users.slice(-2).map(({ name, last_name: last }) => [name, last])
    assert.deepEqual(stored, [
      ['Ana Maria', 'da Silva'],
      ['Luz', '=Rita Sol'],
    ])
  })

  it('refuses names that are not those of the file', async () => {
    const faulty: [lines: string, message: RegExp][] = [
      ['Ana Maria Gil,Ana,Gil', /row 2: "Ana" and "Gil" are not the words of "Ana Maria Gil"/],
      ['Ana Maria Gil,Ana Maria,', /row 2: "Ana Maria Gil" needs both a name and a last_name/],
      ['Ana Maria Gil,Ana Maria,Gil\nAna Maria Gil,Ana,Maria Gil', /row 3: "Ana Maria Gil" is split otherwise in an/],
      ['Ana Maria Gil,Ana,Maria Gil\nAna Maria Gil,Ana Maria,Gil', /row 3: "Ana Maria Gil" is split otherwise in an/],
      ['"Ana', /--names: .*faulty\.csv, line 2, column 1: a quote is opened here and never closed/],
    ]
    const names = join(folder, 'faulty.csv')
    for (const [lines, message] of faulty) {
      writeFileSync(names, `whole_name,name,last_name\n${lines}\n`)
      await assert.rejects(readNames(names, { Nome: 'full_name' }), message)
    }
    writeFileSync(names, 'whole_name,name,last_name\nAna MarÃa Gil,Ana MarÃa,Gil\n')
    const rows = [['Ana Maria Gil', 'a@example.com']]
    const { code, stderr } = await importRows('wrong.csv', ['Nome completo', 'E-mail'], rows, ['--names', names])
    assert.match(stderr, /no row of .*wrong\.csv has the whole name "Ana MarÃa Gil"/)
    assert.equal(code, 2)
    const none = await importRows(
      'wrong.csv',
      ['name', 'last_name', 'email'],
      [['A', 'B', 'a@x.es']],
      ['--names', names],
    )
    assert.match(none.stderr, /the file has no column with whole names/)
    assert.equal(service.batches.length, 0)
  })

  it('takes a text of the file for a product of the store', async () => {
    service.scopes = [...service.scopes, 'products:read']
    const header = ['name', 'last_name', 'email', 'Curso']
    const rows = [['Ana', 'Gil', 'ana@example.com', 'Álgebra = nivel 1|logic']]
    const { code, stdout } = await importRows('alias.csv', header, rows, ['--product', 'algebra = NIVEL 1=algebra'])
    assert.equal(code, 0, stdout)
    assert.deepEqual(service.batches[0]?.items[0]?.['product_accesses'], [{ slug: 'algebra' }, { slug: 'logic' }])
    const products = [
      { name: 'Álgebra I', slug: 'algebra' },
      { name: 'logic', slug: 'logic' },
    ]
    assert.throws(() => withAliases(products, [{ name: 'X', slug: 'nothing' }]), /no product with the slug "nothing"/)
    for (const name of ['Algebra I', 'logic'])
      assert.throws(
        () => withAliases(products, [{ name, slug: 'algebra' }]),
        /the name or the slug of a product already/,
      )
    const refused = await importRows('alias.csv', header, rows, ['--product', 'logic'])
    assert.match(refused.stderr, /write a text of the file and the slug/)
  })

  it('joins two surnames, and prefers columns of both names to one of the whole name', async () => {
    const header = ['Nombre completo', 'Nombre', 'Primer apellido', 'Segundo apellido', 'Correo']
    const row = ['X', 'José', 'García', 'López', 'jose@example.com']
    const { code, stdout } = await importRows('surnames.csv', header, [row])
    assert.match(stdout, /The column "Nombre completo" is ignored\./)
    assert.match(stdout, /The column "Segundo apellido" is read as second_last_name\./)
    assert.deepEqual([code, service.users[0]?.['last_name']], [0, 'García López'])
  })

  /** The second person is hidden. With `extra`, the archive promises more than 100 times its size. */
  function importWorkbook(name: string, args: string[], extra: Record<string, ZipEntry> = {}) {
    const cells = (...texts: string[]) => texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')
    const rows = [
      `<row>${cells('name', 'last_name', 'email')}</row>`,
      `<row>${cells('Ana', 'Gil', 'ana@example.com')}</row>`,
      `<row hidden="1">${cells('Luis', 'Sol', 'luis@example.com')}</row>`,
    ]
    const path = join(folder, name)
    writeFileSync(path, workbookXml({ People: rows.join('') }, { extra }))
    return run('import', [path, ...args], { to: service })
  }

  it('leaves out hidden rows and says so before anything is sent, or reads them with --hidden-rows', async () => {
    const dry = await importWorkbook('dry.xlsx', ['--dry-run'])
    assert.match(dry.stdout, /\n1 hidden row is left out, .* To read hidden rows, add --hidden-rows\.\n/)
    assert.match(dry.stdout, /Would create 1,/)
    const left = await importWorkbook('hidden.xlsx', [])
    assert.deepEqual([left.code, service.users.map((user) => user['name'])], [0, ['Ana']])
    const read = await importWorkbook('read.xlsx', ['--hidden-rows', '--on-existing', 'skip'])
    assert.doesNotMatch(read.stdout, /hidden/)
    assert.deepEqual([read.code, service.users.map((user) => user['name'])], [0, ['Ana', 'Luis']])
    const text = await importRows('people.csv', ['name', 'last_name', 'email'], [], ['--hidden-rows'])
    assert.deepEqual([text.code, text.stderr], [2, '--hidden-rows is for workbooks.\n'])
  })

  it('refuses a workbook that promises too much before anything is sent, unless --large-files is there', async () => {
    const length = 1_000_000
    const extra = { 'xl/x': { content: deflateRawSync(' '.repeat(length)), isPacked: true, promise: length } }
    const refused = await importWorkbook('large.xlsx', [], extra)
    assert.match(refused.stderr, /the workbook would take 2 MB: .* add --large-files\.\nNothing was sent\.\n$/s)
    assert.deepEqual([refused.code, service.batches.length], [2, 0])
    const read = await importWorkbook('large.xlsx', ['--large-files'], extra)
    assert.deepEqual([read.code, service.users.length], [0, 1])
  })

  it('says before anything is sent which rows with the email of another one are left out, or would rename somebody', async () => {
    const header = ['name', 'last_name', 'email', 'product']
    const courses = [
      ['Ana', 'Gil', 'ana@example.com', 'algebra'],
      ['ANA', 'Gil', 'Ana@example.com', 'engines'],
    ]
    const skipped = await importRows('skip.csv', header, courses, ['--on-existing', 'skip', '--dry-run'])
    assert.match(
      skipped.stdout,
      /Rows with the email of an earlier row: 1, first in row 3\. .* and so are their products/,
    )
    const both = await importRows('both.csv', header, courses, ['--on-existing', 'update'])
    assert.deepEqual([both.code, service.accesses.length], [0, 2])
    const family = [...courses, ['Luis', 'Gil', 'ana@example.com', '']]
    const sent = service.batches.length
    const refused = await importRows('family.csv', header, family, ['--on-existing', 'update'])
    assert.match(refused.stdout, /\nRow 4 would rename the person of row 2: both have the same email\.\n/)
    assert.match(refused.stderr, /say with --rename that the names of later rows are right\.\nNothing was sent\.\n$/)
    assert.deepEqual([refused.code, service.batches.length], [2, sent])
    const dry = await importRows('family.csv', header, family, ['--on-existing', 'update', '--dry-run'])
    assert.deepEqual([dry.code, service.users[0]?.['name']], [0, 'ANA'])
    const confirmed = await importRows('family.csv', header, family, ['--on-existing', 'update', '--rename'])
    assert.deepEqual([confirmed.code, service.users[0]?.['name']], [0, 'Luis'])
  })

  it('says how many rows --only update leaves out', async () => {
    const rows = [['Ana', 'Gil', 'ana@example.com']]
    const { code, stdout } = await importRows('only.csv', ['name', 'last_name', 'email'], rows, ['--only', 'update'])
    assert.match(stdout, /1 row would create somebody and was left out \(--only update\), first row 2\./)
    assert.deepEqual([code, service.users.length], [0, 0])
    const bad = await importRows('bad.csv', ['email'], rows, ['--only', 'update', '--on-existing', 'skip'])
    assert.equal(bad.code, 2)
    assert.match(bad.stderr, /--only takes "update", and goes with --on-existing update/)
  })

  it('says once that many rows name an unknown course', async () => {
    const header = ['Nombre', 'Apellidos', 'Correo', 'Curso']
    const rows = Array.from({ length: 38 }, (_, i) => ['Ana', 'Gil', `a${i}@example.com`, 'ingles-b1'])
    const { code, stdout } = await importRows('course.csv', header, rows, ['--dry-run'])
    assert.equal(code, 1)
    assert.match(stdout, /38 rows fail for "ingles-b1" in the column "Curso", first row 2: /)
    assert.equal(stdout.match(/ingles-b1/g)?.length, 1)
  })
})
