import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { describe, it } from 'node:test'
import { readXlsx } from 'hucre/xlsx'
import type { Page } from 'playwright-core'
import { assertPageIsAccessible, createFixture, openConsole, type Fixture } from './service.ts'

/** Removes the file picker, as in browsers that do not have it; the file is then a normal download. */
const withoutPicker = (page: Page) => page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'))

/** Replaces the file picker, which a test cannot click, with a file on the browser's own disk. */
const withPicker = (page: Page) =>
  page.addInitScript(() => {
    Reflect.set(window, 'showSaveFilePicker', async ({ suggestedName }: { suggestedName: string }) => {
      const folder = await navigator.storage.getDirectory()
      return folder.getFileHandle(suggestedName, { create: true })
    })
  })

const savedFiles = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(async () => {
    const folder: any = await navigator.storage.getDirectory()
    const found: Record<string, string> = {}
    for await (const [name, file] of folder.entries()) found[name] = await (await file.getFile()).text()
    return found
  })

async function openExport(fixture: Fixture, prepare: (page: Page) => Promise<unknown>, expected: string[] = []) {
  const opened = await openConsole(fixture.token, `/s/${fixture.store}/export`, { expected })
  await prepare(opened.page)
  await opened.page.reload()
  await opened.page.getByRole('button', { name: 'Download users' }).waitFor()
  // The names of the files begin with the store's.
  await opened.page.getByRole('combobox', { name: 'Store', exact: true }).getByText('Academy').waitFor()
  for (const csv of await opened.page.getByRole('radio', { name: 'CSV' }).all()) await csv.check()
  return opened
}

async function seed({ api }: Fixture): Promise<void> {
  await api('POST', '/users', { name: '=Ada', last_name: 'Lovelace', email: 'ada@example.com', external_id: 'x1' })
  const user = await api('POST', '/users', { name: 'Ben', last_name: 'Lovelace', email: 'ben@example.com' })
  const product = await api('POST', '/products', { name: 'Algebra', slug: 'algebra', type: 'course' })
  await api('POST', '/product_accesses', { user_id: user.id, product_id: product.id, access_due_date: null })
}

describe('the export', () => {
  it('downloads everyone with a value in a custom field, such as a class, from the list that shows them', async () => {
    const fixture = await createFixture()
    await fixture.api('PUT', '/custom_fields/class', { label: 'Class' })
    const items = ['7A', '7B', '7A'].map((name, n) => ({
      name: `Person ${n}`,
      last_name: 'Smith',
      email: `person${n}@example.com`,
      custom_fields: { class: name },
    }))
    await fixture.api('POST', '/users/batch', { items })
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/users?field=class&value=7A`)
    await withoutPicker(page)
    await page.reload()
    await page.getByRole('link', { name: 'Download this list' }).click()
    const card = page.getByRole('region', { name: 'Users' })
    assert.equal(await card.getByLabel('Is exactly').inputValue(), '7A')
    await card.getByRole('radio', { name: 'CSV' }).check()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download users' }).click(),
    ])
    assert.deepEqual(readFileSync(await file.path(), 'utf8').match(/person\d/g), ['person0', 'person2'])
    await card.getByLabel('Search').fill('smith')
    // The service does not take both.
    await card.getByLabel('Is exactly').waitFor({ state: 'detached' })
    await assertPageIsAccessible(page)
    await done()
  })

  it('downloads the users that match the filters as CSV, exactly as they are stored', async () => {
    const fixture = await createFixture()
    await seed(fixture)
    const { page, done } = await openExport(fixture, withoutPicker)
    const download = async () => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download users' }).click(),
      ])
      assert.match(file.suggestedFilename(), /^Academy \w+ - Users - [\d-]+\.csv$/)
      return readFileSync(await file.path(), 'utf8')
    }
    const all = await download()
    assert.match(all, /,=Ada/)
    assert.match(all, /ben@example.com/)
    await page.getByText(/is complete: [\d.]+ (byte|kB)/).waitFor()
    const card = page.getByRole('region', { name: 'Users' })
    await card.getByLabel('External ID').fill('x1')
    const one = await download()
    assert.match(one, /,=Ada/)
    assert.doesNotMatch(one, /ben@example.com/)
    await done()
  })

  it('writes the accesses to the disk while they arrive', async () => {
    const fixture = await createFixture()
    await seed(fixture)
    const { page, done } = await openExport(fixture, withPicker)
    await page.getByRole('combobox', { name: 'State' }).click()
    await page.getByRole('option', { name: 'Closed' }).click()
    const save = page.getByRole('button', { name: 'Download accesses' })
    await save.click()
    const status = page.getByRole('status')
    const before = await status.textContent()
    const [[name, none] = []] = Object.entries(await savedFiles(page))
    assert.match(name ?? '', /Product accesses/)
    assert.equal(none?.trim().split('\n').length, 1)
    await page.getByRole('combobox', { name: 'State' }).click()
    await page.getByRole('option', { name: 'In force' }).click()
    await save.click()
    await status.filter({ hasNotText: before ?? '' }).waitFor()
    const [some] = Object.values(await savedFiles(page))
    assert.equal(some?.trim().split('\n').length, 2)
    await done()
  })

  it('writes the people of a course by their names as a workbook in Spanish, with the days of the store', async () => {
    const fixture = await createFixture('admin', { time_zone: 'Europe/Madrid' })
    const { api, token, store } = fixture
    await api('PUT', '/custom_fields/team', { label: 'Grupo' })
    const { id: product_id } = await api('POST', '/products', { name: 'Inglés: B1', slug: 'b1', type: 'course' })
    for (const [name, last_name, email] of [
      ['Aránzazu', 'Sempere', 'ara'],
      ['Zoe', 'Álvarez', 'zoe'],
      ['Ana', 'Sempere', 'ana'],
    ]) {
      const person = { name, last_name, phone: '+34600123456', custom_fields: { team: '=B' } }
      const { id: user_id } = await api('POST', '/users', { ...person, email: `${email}@example.com` })
      await api('POST', '/product_accesses', { user_id, product_id, access_due_date: '2027-06-30T21:59:59Z' })
    }
    const { page, done } = await openConsole(token, `/s/${store}/export?product=${product_id}`, {
      language: 'es-ES',
      timezone: 'Asia/Tokyo',
    })
    await withoutPicker(page)
    await page.reload()
    await page.getByRole('combobox', { name: 'Producto' }).and(page.locator('[value="Inglés: B1"]')).waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Descargar accesos' }).click(),
    ])
    assert.match(file.suggestedFilename(), /^Academy \w+ - Accesos a productos - Inglés B1 - [\d-]+\.xlsx$/)
    const [sheet] = (await readXlsx(readFileSync(await file.path()))).sheets
    const [head, ...rows] = sheet?.rows ?? []
    const common = ['Correo electrónico', 'Teléfono', 'Producto', 'Estado', 'Vencimiento', 'Progreso', 'Grupo']
    assert.deepEqual(head, ['Apellidos', 'Nombre', ...common])
    const due = new Date('2027-06-30')
    assert.deepEqual(rows[0]?.slice(2), ['zoe@example.com', '+34600123456', 'Inglés: B1', 'Vigente', due, 0, '=B'])
    assert.deepEqual(
      rows.map((row) => row.slice(0, 2)),
      [
        ['Álvarez', 'Zoe'],
        ['Sempere', 'Ana'],
        ['Sempere', 'Aránzazu'],
      ],
    )
    await done()
  })

  it('goes back to the previous filter of the accesses', async () => {
    const { token, store } = await createFixture()
    const { page, done } = await openConsole(token, `/s/${store}/export`)
    const state = page.getByRole('combobox', { name: 'State' })
    for (const name of ['Closed', 'In force']) {
      await state.click()
      await page.getByRole('option', { name }).click()
      await page.waitForURL(name === 'Closed' ? /state=closed$/ : /state=in_force$/)
    }
    await page.goBack()
    await page.waitForURL(/state=closed$/)
    await state.and(page.locator('[value="Closed"]')).waitFor()
    await done()
  })

  it('keeps the filters of both files over a reload, because they are part of the URL', async () => {
    const fixture = await createFixture()
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/export`)
    const filters = { Search: 'ben', Email: 'ben@example.com', 'External ID': 'x 1' }
    for (const [name, text] of Object.entries(filters)) await page.getByRole('textbox', { name }).fill(text)
    await page.getByRole('combobox', { name: 'State' }).click()
    await page.getByRole('option', { name: 'Closed' }).click()
    await page.waitForURL(/\?q=ben&email=ben%40example.com&external_id=x\+1&state=closed$/)
    await page.reload()
    for (const [name, text] of Object.entries(filters)) {
      assert.equal(await page.getByRole('textbox', { name }).inputValue(), text)
    }
    await page.getByRole('combobox', { name: 'State' }).and(page.locator('[value="Closed"]')).waitFor()
    await done()
  })

  it('reports a lost connection and discards the incomplete file', async () => {
    const fixture = await createFixture()
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8', 'x-request-id': 'cut-request' })
      response.write('id,name\r\n1,Ada\r\n')
      setTimeout(() => response.destroy(), 300)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    for (const prepare of [withPicker, withoutPicker]) {
      const { page, done } = await openExport(fixture, prepare, ['ERR_INCOMPLETE_CHUNKED_ENCODING'])
      let downloads = 0
      page.on('download', () => downloads++)
      await page.route('**/users.csv*', (route) => route.continue({ url: `http://127.0.0.1:${port}/users.csv` }))
      await page.getByRole('button', { name: 'Download users' }).click()
      const alert = page.getByRole('alert')
      await alert.getByText('The connection was lost before the end of the file').waitFor()
      await alert.getByText('cut-request').waitFor()
      // The browser's own text would be in the language of the browser, whatever language the console has.
      assert.doesNotMatch(await alert.innerText(), /network error/i)
      await assertPageIsAccessible(page)
      assert.deepEqual(await savedFiles(page), {})
      assert.equal(downloads, 0)
      await page.unroute('**/users.csv*')
      await page.getByRole('button', { name: 'Download users' }).click()
      await page.getByText(/is complete/).waitFor()
      await done()
    }
    server.close()
  })

  it('discards a file that lacks the newest record, although its connection was not cut', async () => {
    const fixture = await createFixture()
    await seed(fixture)
    const { page, done } = await openExport(fixture, withPicker)
    const cut = { contentType: 'text/csv; charset=utf-8', body: 'id,name\r\n1,Ada\r\n' }
    for (const [title, file] of [
      ['Users', '**/users.csv'],
      ['Product accesses', '**/product_accesses.csv'],
    ] as const) {
      const card = page.getByRole('region', { name: title })
      await page.route(file, (route) => route.fulfill(cut))
      await card.getByRole('button').click()
      await card.getByText('The connection was lost before the end of the file').waitFor()
      assert.deepEqual(await savedFiles(page), {})
      await page.unroute(file)
    }
    await page.getByRole('button', { name: 'Download accesses' }).click()
    await page.getByText(/is complete/).waitFor()
    await done()
  })

  it('discards the file if the operator stops the download', async () => {
    const fixture = await createFixture()
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' })
      response.write('id,name\r\n1,Ada\r\n')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const { page, done } = await openExport(fixture, withPicker)
    await page.route('**/users.csv*', (route) => route.continue({ url: `http://127.0.0.1:${port}/users.csv` }))
    await page.getByRole('button', { name: 'Download users' }).click()
    await page.getByText('Downloading: 16 byte').waitFor()
    await assertPageIsAccessible(page)
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Stopped. No file was saved.').waitFor()
    assert.deepEqual(await savedFiles(page), {})
    await done()
    server.closeAllConnections()
    server.close()
  })

  it('says next to the inputs which filters are invalid, and requests nothing before they are corrected', async () => {
    const fixture = await createFixture()
    await seed(fixture)
    const { page, done } = await openExport(fixture, withPicker)
    let requests = 0
    page.on('request', (request) => (requests += request.url().includes('/users.csv') ? 1 : 0))
    const email = page.getByRole('textbox', { name: 'Email', exact: true })
    const save = page.getByRole('button', { name: 'Download users' })
    await email.fill('nothing')
    await page.getByRole('textbox', { name: 'Search' }).fill('one two three four five six')
    await save.click()
    await page.getByText('Enter an email address, such as ana@example.com.').waitFor()
    await page.getByText('Search for at most 5 words and 100 characters.').waitFor()
    await page.getByRole('textbox', { name: 'Search' }).and(page.locator(':focus')).waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
    await assertPageIsAccessible(page)
    assert.deepEqual(await savedFiles(page), {})
    assert.equal(requests, 0)
    await email.fill('ben@example.com')
    await page.getByRole('textbox', { name: 'Search' }).fill('')
    await save.click()
    await page.getByText(/is complete/).waitFor()
    assert.equal(requests, 1)
    await done()
  })
})
