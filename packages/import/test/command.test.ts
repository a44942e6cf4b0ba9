/** These tests start the command as a process, because kills, leftover files, memory and exit codes show only there. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { finished } from 'node:stream/promises'
import { type Exit, run, start, unusedAddress, waitForExit } from './command.ts'
import { csvOf, people } from './memory.ts'
import { workbookXml } from './workbook.ts'
import { type FakeService, OPERATOR_TOKEN, startService, STORE_TOKEN, WORDS } from './service.ts'

let service: FakeService
let folder: string

before(async () => {
  service = await startService()
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'registrar-import-'))
})
afterEach(() => {
  service.reset()
  rmSync(folder, { recursive: true })
})
after(() => service.stop())

function write(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const HEADER = ['name', 'last_name', 'email']

const EXCEL = 'Nombre;Apellidos;Correo electrónico;País\r\nJosé;Muñoz;jose@example.com;España\r\nAna;Gil\r\n'

function importFile(args: string[], options: { token?: string; zone?: string } = {}): Promise<Exit> {
  return run('import', args, { to: service, ...options })
}

describe('npm run import', () => {
  it('prints what it read and did, and leaves no file', async () => {
    const path = write('people.csv', people(120))
    const { code, stdout } = await importFile([path])
    assert.equal(code, 0)
    assert.match(
      stdout,
      /people\.csv: 120 rows, 4 columns separated by commas\nCreated 120, existing .* 0, failed 0, in \d+ s \(\d+ rows per second\)\.\n/,
    )
    assert.deepEqual([existsSync(`${path}.failed.csv`), existsSync(`${path}.registrar-import.json`)], [false, false])
  })

  it('exits with 1 when rows failed, and does not overwrite their file', async () => {
    const path = write('people.csv', csvOf(HEADER, [['A', 'B', 'nobody']]))
    const { code, stdout } = await importFile([path])
    assert.equal(code, 1)
    assert.match(stdout, /The failed rows are in people\.csv\.failed\.csv, each with its reasons/)
    assert.equal(
      readFileSync(`${path}.failed.csv`, 'utf8'),
      `name,last_name,email,_line,_errors\r\nA,B,nobody,2,email: ${WORDS}\r\n`,
    )
    const again = await importFile([path])
    assert.equal(again.code, 2)
    assert.match(again.stderr, /people\.csv\.failed\.csv exists from an earlier run/)
    assert.equal((await importFile([path, '--restart'])).code, 1)
  })

  it('writes a separate file with --dry-run, which can be repeated', async () => {
    const path = write(
      'people.csv',
      csvOf(HEADER, [
        ['A', 'B', 'nobody'],
        ['A', 'B', 'a@example.com'],
      ]),
    )
    for (let i = 0; i < 2; i++) {
      const { code, stdout } = await importFile([path, '--dry-run'])
      assert.equal(code, 1)
      assert.match(stdout, /Dry run, nothing was changed\. Would create 1, .* failed 1/)
    }
    assert.ok(existsSync(`${path}.dry-run.failed.csv`))
    assert.equal(service.users.length, 0)
    assert.equal((await importFile([path])).code, 1)
  })

  it('reads what Excel saves, with the headings and countries that the console knows, and lists a faulty row', async () => {
    const files: [string, Buffer, string[]][] = [
      ['utf16.txt', Buffer.from(`\ufeff${EXCEL.replaceAll(';', '\t')}`, 'utf16le'), []],
      ['ansi.csv', Buffer.from(EXCEL, 'latin1'), ['--encoding', 'windows-1252']],
    ]
    for (const [name, content, args] of files) {
      service.clear()
      const { code, stdout } = await importFile([write(name, content), ...args])
      assert.equal(code, 1)
      assert.match(stdout, /The column "Correo electrónico" is read as email\./)
      const [user] = service.users
      assert.deepEqual([user?.['name'], user?.['last_name'], user?.['country']], ['José', 'Muñoz', 'ES'])
      const failed = readFileSync(join(folder, `${name}.failed.csv`), 'utf8')
      assert.match(failed, /Ana.*Gil.*3.*the row has 2 values, the header 4/)
    }
  })

  it('reads a column with the label of a custom field, if the token may read the custom fields', async () => {
    const path = write('labels.csv', 'Nombre,Apellidos,Correo,EQUIPO DE VENTAS\nAna,Gil,ana@example.com,WKCR\n')
    const refused = await importFile([path])
    assert.match(refused.stdout, /The labels of the custom fields are not known.*products:read/)
    assert.match(refused.stderr, /unknown column|EQUIPO DE VENTAS/)
    assert.equal(refused.code, 2)
    service.scopes = [...service.scopes, 'products:read']
    const { code, stdout } = await importFile([path])
    assert.equal(code, 0)
    assert.match(stdout, /The column "EQUIPO DE VENTAS" is read as custom_fields\.team\./)
    assert.deepEqual(service.users[0]?.['custom_fields'], { team: 'WKCR' })
  })

  it('reads workbooks, dates in their order, and leaves out columns', async () => {
    const text = (cells: string[]) =>
      `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`
    const header = text(['Nombre', 'Apellidos', 'Correo', 'Curso', 'Vencimiento', 'Notas', 'role'])
    const rows = header + text(['José', 'Muñoz', 'jose@example.com', 'algebra', '31/12/2027', 'x', 'y'])
    // The content decides, not the name.
    const path = write('people.csv', workbookXml({ Notes: text(['x']), People: rows }))
    const unknown = await importFile([path, '--sheet', 'People'])
    assert.match(unknown.stderr, /unknown column "Notas".*--ignore "Notas"/)
    assert.equal(unknown.code, 2)
    service.setStore({ time_zone: 'America/Santiago' })
    const { code, stdout } = await importFile([path, '--sheet', 'People', '--ignore', 'Notas', '--dates', 'dmy'], {
      zone: ':/etc/localtime',
    })
    assert.match(stdout, /The sheet "People" is read\. The workbook has Notes, People\./)
    assert.match(stdout, /The column "Notas" is ignored\.\n/)
    assert.equal(stdout.match(/The column "role" is ignored\./g)?.length, 1)
    assert.match(stdout, /Due dates without a time zone are in America\/Santiago\./)
    assert.equal(code, 0)
    const [item] = service.batches.at(-1)?.items ?? []
    assert.deepEqual(item?.['product_accesses'], [{ slug: 'algebra', access_due_date: '2028-01-01T02:59:59.999Z' }])
  })

  it('reads the headings below a title, and finds products by their names', async () => {
    const title = 'Alumnos de 2027\n'
    const path = write('title.csv', `${title}Nombre;Apellidos;Correo;Curso\nAna;Gil;ana@example.com;algebra i\n`)
    service.scopes = [...service.scopes, 'products:read']
    const { code, stdout } = await importFile([path])
    assert.match(stdout, /The headings are in row 2\..* --headings\./)
    assert.equal(code, 0)
    assert.deepEqual(service.batches.at(-1)?.items[0]?.['product_accesses'], [{ slug: 'algebra' }])
    const other = await importFile([path, '--headings', 'x'])
    assert.match(other.stderr, /--headings: "x" is not the number of a row/)
    assert.equal(other.code, 2)
  })

  it('says with --dry-run --on-existing update whom it would rename, and writes them as they are', async () => {
    const [yolanda, aranzazu] = [
      ['Yolanda', 'Quispe'],
      ['Aránzazu', 'Sempere'],
    ]
    await importFile([write('first.csv', csvOf(HEADER, [[...yolanda, '+y@example.com']]))])
    const path = write('people.csv', csvOf(HEADER, [[...aranzazu, '+y@example.com']]))
    const update = ['--on-existing', 'update']
    const { stdout } = await importFile([path, '--dry-run', ...update])
    assert.match(stdout, /Would create 0, existing 1, of which 1 would change, failed 0/)
    assert.match(stdout, /Row 2 would rename Yolanda Quispe to Aránzazu Sempere\./)
    const before = `${path}.dry-run.before.csv`
    write('people.csv.before.csv', 'a file of the operator')
    await importFile([path, ...update])
    assert.ok(existsSync(`${path}.before.csv`))
    assert.match(stdout, /import that file with --on-existing update\./)
    assert.equal(readFileSync(before, 'utf8'), "name,last_name,email,_line\r\nYolanda,Quispe,'+y@example.com,2\r\n")
    assert.equal((await importFile([before, ...update])).code, 0)
    assert.equal(service.users[0]?.['name'], 'Yolanda')
  })

  it("leaves out all unknown columns with --ignore '*'", async () => {
    const path = write('moodle.csv', 'username,firstname,lastname,email,course1\nada,Ada,Byron,ada@example.com,C101\n')
    const { code, stdout } = await importFile([path, '--ignore', '*'])
    assert.match(stdout, /The column "course1" is ignored\./)
    assert.equal(code, 0)
    assert.deepEqual(
      service.users.map((user) => user['name']),
      ['Ada'],
    )
  })

  it('asks which column is the email if several may be, and takes the one that is left', async () => {
    const path = write(
      'parents.csv',
      'Name,Last name,Parent email,Student email\nAna,Gil,mum@example.com,ana@example.com\n',
    )
    const asked = await importFile([path, '--ignore', '*'])
    assert.match(asked.stderr, /more than one column may be "email": "Parent email", "Student email"/)
    assert.deepEqual([asked.code, service.batches.length], [2, 0])
    const { code, stdout } = await importFile([path, '--ignore', 'Parent email'])
    assert.match(stdout, /The column "Student email" is read as email\.\n/)
    assert.deepEqual([code, service.users[0]?.['email']], [0, 'ana@example.com'])
  })

  it('says that a column of days beside a column of courses is ignored', async () => {
    const text = 'Nombre,Apellidos,Correo,Curso,Hasta cuándo\nAna,Gil,ana@example.com,algebra,31/12/2027\n'
    const { code, stdout } = await importFile([write('days.csv', text), '--ignore', '*'])
    assert.match(stdout, /The column "Hasta cuándo" has days, but is ignored: the products decide/)
    assert.equal(code, 0)
  })

  it('says with --dry-run which accesses would be closed or end earlier, and reads no day in a zone that it does not know', async () => {
    const header = [...HEADER, 'product', 'product_status', 'product_due_date']
    const people = [
      ['Ana', 'Ruiz', 'a1@example.com', 'algebra', '', '2028-12-31'],
      ['Luis', 'Gil', 'a2@example.com', 'algebra', '', '2028-12-31'],
    ]
    service.scopes = [...service.scopes, 'product_accesses:read']
    service.setStore({ time_zone: 'Europe/Madrid' })
    await importFile([write('first.csv', csvOf(header, people))])
    const rows = [
      ['Ana', 'Ruiz', 'a1@example.com', 'algebra', 'without_access', ''],
      ['Luis', 'Gil', 'a2@example.com', 'algebra', '', '2027-01-31'],
    ]
    const path = write('people.csv', csvOf(header, rows))
    const past = csvOf(header, [['Ana', 'Ruiz', 'a1@example.com', 'algebra', '', '2017-12-31']])
    const old = await importFile([write('past.csv', past), '--dry-run', '--on-existing', 'update'])
    assert.match(old.stdout, /Due dates that have passed: 1, first in row 2\. These accesses end at once\./)
    const { stdout } = await importFile([path, '--dry-run', '--on-existing', 'update'])
    assert.match(stdout, /existing 2, of which 2 would change/)
    assert.match(stdout, /Accesses of existing people: 1 would end earlier, 1 would be closed\./)
    assert.match(
      stdout,
      /Row 3: Luis Gil, Álgebra I: would end earlier, from 2028-12-31 to 2027-01-31\.\nRow 2: Ana Ruiz/,
    )
    const before = readFileSync(`${path}.dry-run.before.csv`, 'utf8')
    assert.match(before, /Luis,Gil,a2@example\.com,algebra,with_access,2028-12-31,3/)
    service.setStore({ time_zone: 'Atlantis/Capital' })
    const unknown = await importFile([path, '--dry-run', '--on-existing', 'update'])
    assert.match(unknown.stderr, /does not know the time zone of the store, "Atlantis\/Capital", so it can read no day/)
    assert.equal(unknown.code, 2)
  })

  it('exits with 2 when it cannot start, and sends nothing', async () => {
    const good = write('good.csv', people(1))
    const cases: [args: string[], message: RegExp, token?: string][] = [
      [[], /npm run import -- FILE/],
      [[good, '--colour'], /Unknown option '--colour'/],
      [[good, '--on-existing', 'maybe'], /npm run import -- FILE/],
      [[join(folder, 'none.csv')], /none\.csv cannot be read: ENOENT/],
      [
        [write('bad.csv', 'name,last_name,email\nA,"B,C\n')],
        /bad\.csv, line 2, column 2: a quote is opened here and never closed\nNothing was sent/,
      ],
      [
        [write('people.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'))],
        /old format \(\.xls\).*save it as an Excel workbook/,
      ],
      [[write('page.xls', '<html><body><table><tr><td>name</td></tr></table>')], /page\.xls, .*this is a web page/],
      [[good, '--dates', 'ymd'], /npm run import -- FILE/],
      [[good, '--sheet', 'A'], /--sheet is for workbooks/],
      [[write('latin.csv', Buffer.from('name,last_name,email\nJosé,B,C\n', 'latin1'))], /--encoding: windows-1252/],
      [[good, '--encoding', 'ebcdic'], /there is no encoding "ebcdic"/],
      [[good, '--url', await unusedAddress()], /Nothing listens at [^]*Nothing was changed\./],
      [[good, '--url', 'http://example.com'], /others could read the token on the way/],
      [[good, '--store', 'other'], /The token belongs to the store "demo", not to "other"/],
      [[good, '--store', 'other'], /404 not_found/, OPERATOR_TOKEN],
      [[good], /REGISTRAR_TOKEN is not set/, ''],
      [[good], /U\+FEFF, as character 1/, '\ufeffrgs_secret'],
      [[good], /U\+201C, as character 1/, '“rgs_secret”'],
      [[good], /U\+000A, as character 11/, 'rgs_secret\n'],
    ]
    for (const [args, message, token = STORE_TOKEN] of cases) {
      const { code, stderr } = await importFile(args, { token })
      assert.match(stderr, message)
      assert.doesNotMatch(stderr, /rgs_secret/)
      assert.equal(code, 2)
    }
    assert.equal(service.batches.length, 0)
    assert.equal(existsSync(`${good}.registrar-import.json`), false)
  })

  it('exits with 2 if its state cannot be read, and with 3 if it cannot be written', async () => {
    const path = write('people.csv', people(1))
    const state = write('people.csv.registrar-import.json', '{"run":')
    const unreadable = await importFile([path])
    assert.equal(unreadable.code, 2)
    assert.match(
      unreadable.stderr,
      /^\S+ is not the state of an import\. Remove it, or start again with --restart\.\n$/,
    )

    rmSync(state)
    mkdirSync(`${state}.new`)
    const unwritable = await importFile([path])
    rmdirSync(`${state}.new`)
    assert.equal(unwritable.code, 3)
    assert.match(unwritable.stderr, /^EISDIR: [^\n]+\nRun the same command again to continue\.\n$/)
    assert.equal((await importFile([path])).code, 0)
  })

  it('continues after kill -9 at any moment, and creates each user and reports each failed row once', async () => {
    const bad = Array.from({ length: 40 }, (_, i) => `Bad,B,nobody${i},`)
    const path = write('people.csv', `${people(3000)}\r\n${bad.join('\r\n')}`)
    for (let kills = 0; kills < 4; kills++) {
      const child = start('import', [path], { to: service })
      const exit = waitForExit(child)
      const last = service.batches.length + 4 + kills
      // The process is killed before, during and after the response, because each leaves another state.
      service.fault = (_, index) => {
        if (index < last) return undefined
        setTimeout(() => child.kill('SIGKILL'), kills)
        return kills % 2 === 0 ? 'lost' : undefined
      }
      assert.equal((await exit).code, null)
    }
    service.fault = () => undefined
    const { code, stdout } = await importFile([path])
    assert.equal(code, 1)
    assert.match(stdout, /Continuing after row \d+00\./)
    assert.match(stdout, /Created 3000, .* 0, failed 40,/)
    assert.equal(service.users.length, 3000)
    const failed = readFileSync(`${path}.failed.csv`, 'utf8').trim().split('\r\n').slice(1)
    assert.deepEqual(
      failed.map((line) => Number(line.split(',')[4])),
      bad.map((_, i) => 3002 + i),
    )
  })

  it('drops failed rows that were written after the last state before a crash', async () => {
    const path = write('people.csv', `${people(199)}\r\nBad,B,nobody,`)
    const child = start('import', [path], { to: service })
    service.fault = (_, index) => {
      if (index === 1) child.kill('SIGKILL')
      return index === 1 ? 'lost' : undefined
    }
    await waitForExit(child)
    writeFileSync(`${path}.failed.csv`, 'name,last_name,email,custom_fields.team,_line,_errors\r\nBad,B,nob')
    service.fault = () => undefined
    const { stdout } = await importFile([path])
    assert.match(stdout, /Continuing after row 100\.\nCreated 199, .* failed 1,/)
    const failed = `name,last_name,email,custom_fields.team,_line,_errors\r\nBad,B,nobody,,201,email: ${WORDS}\r\n`
    assert.equal(readFileSync(`${path}.failed.csv`, 'utf8'), failed)
  })

  it('continues only with the same sheet, order of dates and ignored columns', async () => {
    const text = (cells: string[]) =>
      `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`
    const people = text([...HEADER, 'notes', 'x']) + text(['A', 'B', 'a@example.com', 'y', 'z'])
    const path = write('people.xlsx', workbookXml({ First: people, Second: people }))
    const args = [path, '--sheet', 'Second', '--dates', 'mdy', '--ignore', 'x', '--ignore', 'notes']
    const child = start('import', args, { to: service })
    service.fault = () => {
      child.kill('SIGINT')
      return [503, 60]
    }
    assert.equal((await waitForExit(child)).code, 130)
    service.fault = () => undefined
    const reading = '--sheet "Second" --dates mdy --ignore "notes" --ignore "x"'
    for (const other of [
      ['--dates', 'mdy', '--ignore', 'x', '--ignore', 'notes'],
      ['--sheet', 'Second', '--dates', 'dmy', '--ignore', 'x', '--ignore', 'notes'],
      ['--sheet', 'Second', '--dates', 'mdy', '--ignore', '*'],
    ]) {
      const { code, stderr } = await importFile([path, ...other])
      assert.equal(code, 2)
      assert.ok(stderr.includes(`belongs to an unfinished run with ${reading}. Finish that run`), stderr)
    }
    assert.equal((await importFile([path, ...args.slice(1, 5), '--ignore', 'notes', '--ignore', 'x'])).code, 0)
    assert.equal(service.users.length, 1)
  })

  it('is not run twice at once, nor taken back while it runs, and a kill leaves no lock', async () => {
    const path = write('people.csv', people(150))
    const child = start('import', [path], { to: service })
    const others: Exit[] = []
    service.fault = async (_, index) => {
      if (index !== 1) return undefined
      for (const args of [[path], [path, '--restart'], ['--undo', `${path}.state`]]) others.push(await importFile(args))
      child.kill('SIGKILL')
      return 'lost'
    }
    await waitForExit(child)
    for (const { code, stderr } of others) {
      assert.equal(code, 2)
      assert.match(stderr, /Another import of .*people\.csv, or its undo, is running\. Wait until it has ended\./)
    }
    assert.equal(others.length, 3)
    service.fault = () => undefined
    const { stdout } = await importFile([path])
    assert.match(stdout, /Continuing after row 100\.\nCreated 150, /)
    assert.deepEqual(readdirSync(folder).toSorted(), ['people.csv', 'people.csv.state'])
  })

  it('imports every row although nobody reads what it prints any more, as with `| head`', async () => {
    const child = start('import', [write('people.csv', people(250))], { to: service })
    child.stdout?.destroy()
    let stderr = ''
    child.stderr?.on('data', (chunk) => (stderr += chunk))
    const [code] = await once(child, 'close')
    assert.deepEqual({ code, stderr, users: service.users.length }, { code: 0, stderr: '', users: 250 })
  })

  it('takes paths from the folder in which npm was called, and no pipe', async () => {
    write('people.csv', people(2))
    const args = ['--prefix', process.cwd(), '--silent', 'run', 'import', '--', '--store', 'demo', '--url', service.url]
    const env = { ...process.env, REGISTRAR_TOKEN: STORE_TOKEN }
    const called = (path: string) => waitForExit(spawn('npm', [...args, path], { cwd: folder, env, stdio: 'pipe' }))
    const { code, stdout } = await called('people.csv')
    assert.equal(code, 0, stdout)
    assert.deepEqual(readdirSync(folder).toSorted(), ['people.csv', 'people.csv.state'])
    const pipe = await called('/dev/stdin')
    assert.equal(pipe.code, 2)
    assert.match(pipe.stderr, /^\/dev\/stdin is no file\./)
  })

  it('exits with 130 on Ctrl-C, and continues later only with the same file and options', async () => {
    const path = write('people.csv', people(500))
    const child = start('import', [path], { to: service })
    service.fault = (_, index) => {
      if (index === 2) child.kill('SIGINT')
      return index === 2 ? [503, 60] : undefined
    }
    const { code, stderr } = await waitForExit(child)
    assert.equal(code, 130)
    assert.match(stderr, /Interrupted\.\nRun the same command again to continue\./)
    service.fault = () => undefined
    assert.match((await importFile([path, '--dry-run'])).stdout, /Would create 300, /)
    const other = await importFile([path, '--on-existing', 'skip'])
    assert.match(other.stderr, /belongs to an unfinished run with --on-existing fail/)
    const shortens = await importFile([path, '--never-shorten'])
    assert.match(shortens.stderr, /belongs to an unfinished run with --on-existing fail\. Finish that run/)
    const dates = await importFile([path, '--dates', 'dmy'])
    assert.equal(dates.code, 2)
    assert.match(
      dates.stderr,
      /unfinished run with none of --sheet, --hidden-rows, --headings, --dates, --ignore, --names and --product\. Finish that run/,
    )
    writeFileSync(path, people(501))
    assert.match((await importFile([path])).stderr, /unfinished run with another file content/)
    writeFileSync(path, people(500))
    assert.match((await importFile([path])).stdout, /Continuing after row 200\.\nCreated 500, /)
  })
})

/** This runs in the process of the import: it collects garbage, and prints the largest heap at the end. */
const WATCH_HEAP = `let most = 0
function look() {
  gc()
  most = Math.max(most, process.memoryUsage().heapUsed)
}
setInterval(look, 500).unref()
process.on('exit', () => {
  look()
  console.log('heap', most)
})`

describe('The memory of an import', () => {
  it('does not grow with the file', async () => {
    const instant = await startService()
    // Without users, responses are fast.
    instant.fault = () => {
      instant.clear()
      return undefined
    }
    try {
      const small = await peakOf(instant, 20_000)
      const large = await peakOf(instant, Number(process.env['IMPORT_ROWS'] ?? 200_000))
      console.log(`heap after collection: ${small.toFixed(1)} MB and ${large.toFixed(1)} MB`)
      assert.ok(large < small * 1.25 + 2, `${small} MB for 20,000 rows, ${large} MB for more`)
    } finally {
      await instant.stop()
    }
  })

  /** Returns the largest heap after a garbage collection, in MB. */
  async function peakOf(instant: FakeService, count: number): Promise<number> {
    const path = join(folder, `${count}.csv`)
    const file = createWriteStream(path)
    file.write('name,last_name,email,custom_fields.team\n')
    for (let i = 0; i < count; i += 1000) {
      const lines = Array.from({ length: 1000 }, (_, k) => `Ada,Lovelace,user${i + k}@example.com,"a ""team"""\n`)
      if (!file.write(lines.join(''))) await once(file, 'drain')
    }
    await finished(file.end())
    const nodeOptions = ['--expose-gc', `--import=data:text/javascript,${encodeURIComponent(WATCH_HEAP)}`]
    const { code, stdout, stderr } = await run('import', [path], { to: instant, nodeOptions })
    assert.equal(code, 0, stderr)
    assert.match(stdout, new RegExp(`Created ${count},`))
    return Number(/heap (\d+)/.exec(stdout)?.[1]) / 1e6
  }
})
