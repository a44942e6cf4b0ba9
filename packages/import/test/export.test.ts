import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { cellsOf } from '../export.ts'
import { type Exit, run, start, unusedAddress, waitForExit } from './command.ts'
import { csvOf, people } from './memory.ts'
import { type FakeService, OPERATOR_TOKEN, startService, STORE_TOKEN } from './service.ts'

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

function write(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const HEADER = ['name', 'last_name', 'email']

function importFile(args: string[]): Promise<Exit> {
  return run('import', args, { to: service })
}

function exportFile(args: string[], options: { token?: string } = {}): Promise<Exit> {
  return run('export', args, { to: service, ...options })
}

describe('npm run export', () => {
  const rows = [
    ['Zoë', 'O"Brien, Jr.', 'zoe@example.com', '+34 1', '"7"', '{"field1":7.50}'],
    ['=1+1', 'multi\r\nline', 'b@example.com', '', '', ''],
    ['＝1+1', 'Wide', 'c@example.com', '', '', ''],
  ]
  const header = [...HEADER, 'phone', 'custom_fields.team', 'custom_fields']

  for (const format of ['csv', 'ndjson']) {
    it(`writes ${format} with a token of a store, and an import of it creates the same users`, async () => {
      assert.equal((await importFile([write('people.csv', csvOf(header, rows))])).code, 0)
      const before = service.users.map(withoutIdAndTimes)
      const path = join(folder, `out.${format}`)
      const { code, stdout } = await exportFile([path])
      assert.equal(code, 0)
      assert.match(stdout, /out\.\w+: \d+ bytes\./)
      service.clear()
      assert.equal((await importFile([path])).code, 0)
      assert.deepEqual(service.users.map(withoutIdAndTimes), before)
    })
  }

  it('writes the CSV of the service with a token of an operator, and every page for NDJSON', async () => {
    await importFile([write('people.csv', people(250))])
    const path = join(folder, 'out.csv')
    assert.equal((await exportFile([path], { token: OPERATOR_TOKEN })).code, 0)
    assert.match(readFileSync(path, 'utf8'), /^id,name,last_name,email\r\n"\d+","Ada","L0","user0@example.com"\r\n/)
    const pages = join(folder, 'out.ndjson')
    assert.equal((await exportFile([pages], { token: OPERATOR_TOKEN })).code, 0)
    assert.equal(readFileSync(pages, 'utf8').split('\n').length, 251)
  })

  for (const kind of ['users', 'product_accesses'] as const)
    it(`keeps no file of ${kind} that ends before the newest record, however cleanly it ends`, async () => {
      const newest = kind === 'users' ? '4294967297' : '77'
      const cut = createServer(({ url = '' }, response) => {
        if (url.endsWith(`/${kind}?order=desc&limit=1`)) response.end(`{"data":[{"id":"${newest}"}],"next":null}`)
        else
          response.writeHead(200, { 'content-type': 'text/csv' }).end(`id,name\r\n1,"\n${newest}"\r\n2${newest},B\r\n`)
      }).listen(0, '127.0.0.1')
      await once(cut, 'listening')
      const address = cut.address()
      const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
      const path = join(folder, 'out.csv')
      const { code, stderr } = await exportFile([path, '--what', kind, '--url', url], { token: OPERATOR_TOKEN })
      cut.close()
      assert.match(
        stderr,
        new RegExp(`^The file ends before the record ${newest}, .* again\\.\nNothing was written\\.\n$`),
      )
      assert.deepEqual([code, readdirSync(folder)], [2, []])
    })

  it('writes a byte order mark and escapes formulas with --spreadsheet', async () => {
    await importFile([write('people.csv', csvOf(header, rows))])
    const path = join(folder, 'out.csv')
    await exportFile([path, '--spreadsheet'])
    assert.match(readFileSync(path, 'utf8'), /^\ufeffid,[^]*,'=1\+1,[^]*,＝1\+1,/)
  })

  it("writes the times of the store's zone with --spreadsheet, and instants without", async () => {
    await importFile([write('people.csv', csvOf(header, rows))])
    service.setStore({ time_zone: 'Asia/Tokyo' })
    const [user] = service.users
    if (user) user['created_at'] = '2027-06-30T15:00:00.000Z'
    const [local, plain] = [join(folder, 'local.csv'), join(folder, 'plain.csv')]
    assert.equal((await exportFile([local, '--spreadsheet'])).code, 0)
    assert.match(readFileSync(local, 'utf8'), /,2027-07-01 00:00:00,/)
    assert.equal((await exportFile([plain])).code, 0)
    assert.match(readFileSync(plain, 'utf8'), /,2027-06-30T15:00:00\.000Z,/)
    const due = { access_due_date: '2027-06-30T14:59:59.999Z' }
    assert.deepEqual(cellsOf(due, 'product_accesses', ['access_due_date'], 'Asia/Tokyo'), ['2027-06-30'])
    service.setStore({ time_zone: 'UTC' })
  })

  it("separates cells with --spreadsheet as the store's language needs it", async () => {
    await importFile([write('people.csv', csvOf(header, rows))])
    for (const [language, start] of Object.entries({
      EN: '\ufeffid,name,',
      ES: '\ufeffid;name;',
      PT: '\ufeffid;name;',
    })) {
      service.setStore({ language })
      const path = join(folder, `${language}.csv`)
      await exportFile([path, '--spreadsheet'])
      assert.ok(readFileSync(path, 'utf8').startsWith(start), language)
    }
    service.setStore({ language: 'EN' })
  })

  it('quotes what a spreadsheet with another separator would split', async () => {
    await importFile([write('people.csv', csvOf(HEADER, [['Ada;Bea', 'Tab\there', 'a@example.com']]))])
    const path = join(folder, 'out.csv')
    await exportFile([path, '--spreadsheet'])
    assert.match(readFileSync(path, 'utf8'), /,"Ada;Bea","Tab\there",/)
  })

  it('writes an empty grade in another way than none, as the service does', () => {
    const cells = ['', null, '7', 'A'].map((grade) => cellsOf({ grade }, 'product_accesses', ['grade']))
    assert.deepEqual(cells, [['""'], [undefined], ['"7"'], ['A']])
  })

  it('exits with 2 on an error, and leaves no file', async () => {
    const path = join(folder, 'out.csv')
    const cases: [args: string[], message: RegExp, token?: string][] = [
      [[join(folder, 'out.xlsx')], /npm run export/],
      [[write('there.csv', '')], /there\.csv already exists/],
      [[join(folder, 'out.ndjson'), '--spreadsheet'], /--spreadsheet is for \.csv files\./],
      [[path, '--store', 'other'], /404 not_found/, OPERATOR_TOKEN],
      [[join(folder, 'none', 'out.csv')], /no such file or directory/],
      [[path, '--url', await unusedAddress()], /^Nothing listens at [^\n]+\nNothing was written\.\n$/],
    ]
    for (const [args, message, token = STORE_TOKEN] of cases) {
      const { code, stderr } = await exportFile(args, { token })
      assert.match(stderr, message)
      assert.equal(code, 2)
    }
    assert.deepEqual(readdirSync(folder), ['there.csv'])
  })

  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    it(`leaves nothing of the people behind when it gets ${signal}`, async () => {
      const endless = createServer(({ url = '' }, response) => {
        if (url.endsWith('order=desc&limit=1')) response.end('{"data":[],"next":null}')
        else response.writeHead(200, { 'content-type': 'text/csv' }).write('id,name\r\n1,Ada\r\n')
      }).listen(0, '127.0.0.1')
      await once(endless, 'listening')
      const address = endless.address()
      const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
      const path = join(folder, 'out.csv')
      const child = start('export', [path, '--url', url], { to: service, token: OPERATOR_TOKEN })
      const exit = waitForExit(child)
      const sizes = () => readdirSync(folder).map((name) => statSync(join(folder, name)).size)
      while (!sizes().some((size) => size > 0)) await sleep(20)
      child.kill(signal)
      const { code, stderr } = await exit
      endless.closeAllConnections()
      endless.close()
      assert.deepEqual({ code, stderr, files: readdirSync(folder) }, { code: 130, stderr: '', files: [] })
    })

  /** Equal users differ in their ids and times, which an import cannot set. */
  function withoutIdAndTimes({ id, created_at, updated_at, ...user }: Record<string, unknown>) {
    assert.ok(id && created_at && updated_at)
    return user
  }
})
