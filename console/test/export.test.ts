import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { inspectPage, inspectScreen, newPlace, openConsole, type Place } from './service.ts'

/** A browser without the picker: the file is handed over whole. */
const withoutPicker = (page: Page) => page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'))

/** In place of the picker, which no test can click, a file of the browser's own disk. */
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

async function openExport(place: Place, prepare: (page: Page) => Promise<unknown>, expected: string[] = []) {
  const opened = await openConsole(place.token, `/s/${place.store}/export`, { expected })
  await prepare(opened.page)
  await opened.page.reload()
  await opened.page.getByRole('button', { name: 'Download the users' }).waitFor()
  return opened
}

async function seed({ api }: Place): Promise<void> {
  await api('POST', '/users', { name: '=Ada', last_name: 'Lovelace', email: 'ada@example.com', external_id: 'x1' })
  const user = await api('POST', '/users', { name: 'Ben', last_name: 'Lovelace', email: 'ben@example.com' })
  const product = await api('POST', '/products', { name: 'Algebra', slug: 'algebra', type: 'course' })
  await api('POST', '/product_accesses', { user_id: user.id, product_id: product.id, access_due_date: null })
}

describe('export', () => {
  it('saves the users that fit, made harmless for a spreadsheet or as they are', async () => {
    const place = await newPlace()
    await seed(place)
    const { page, done } = await openExport(place, withoutPicker)
    const download = async () => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download the users' }).click(),
      ])
      assert.match(file.suggestedFilename(), new RegExp(`^${place.store}-users-.*\\.csv$`))
      return readFileSync(await file.path(), 'utf8')
    }
    const all = await download()
    assert.match(all, /'=Ada/)
    assert.match(all, /ben@example.com/)
    await page.getByText(/is complete: [\d.]+ (byte|kB)/).waitFor()
    const card = page.getByRole('region', { name: 'Users' })
    await card.getByLabel('For a spreadsheet').uncheck()
    await card.getByLabel('External id').fill('x1')
    const one = await download()
    assert.match(one, /,=Ada/)
    assert.doesNotMatch(one, /ben@example.com/)
    await done()
  })

  it('writes the accesses to the disk as they come', async () => {
    const place = await newPlace()
    await seed(place)
    const { page, done } = await openExport(place, withPicker)
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Without access' }).click()
    const save = page.getByRole('button', { name: 'Download the accesses' })
    await save.click()
    const status = page.getByRole('status')
    const before = await status.textContent()
    const [[name, none] = []] = Object.entries(await savedFiles(page))
    assert.match(name ?? '', /product-accesses/)
    assert.equal(none?.trim().split('\n').length, 1)
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'With access' }).click()
    await save.click()
    await status.filter({ hasNotText: before ?? '' }).waitFor()
    const [some] = Object.values(await savedFiles(page))
    assert.equal(some?.trim().split('\n').length, 2)
    await done()
  })

  it('says that the connection was cut, and keeps nothing that looks like the whole', async () => {
    const place = await newPlace()
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8', 'x-request-id': 'cut-request' })
      response.write('id,name\r\n1,Ada\r\n')
      setTimeout(() => response.destroy(), 300)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    for (const prepare of [withPicker, withoutPicker]) {
      const { page, done } = await openExport(place, prepare, ['ERR_INCOMPLETE_CHUNKED_ENCODING'])
      let downloads = 0
      page.on('download', () => downloads++)
      await page.route('**/users.csv*', (route) => route.continue({ url: `http://127.0.0.1:${port}/users.csv` }))
      await page.getByRole('button', { name: 'Download the users' }).click()
      const alert = page.getByRole('alert')
      await alert.getByText('The connection was cut before the end.').waitFor()
      await alert.getByText('cut-request').waitFor()
      await inspectPage(page)
      assert.deepEqual(await savedFiles(page), {})
      assert.equal(downloads, 0)
      await page.unroute('**/users.csv*')
      await page.getByRole('button', { name: 'Download the users' }).click()
      await page.getByText(/is complete/).waitFor()
      await done()
    }
    server.close()
  })

  it('may be stopped, and keeps nothing then', async () => {
    const place = await newPlace()
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' })
      response.write('id,name\r\n1,Ada\r\n')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const { page, done } = await openExport(place, withPicker)
    await page.route('**/users.csv*', (route) => route.continue({ url: `http://127.0.0.1:${port}/users.csv` }))
    await page.getByRole('button', { name: 'Download the users' }).click()
    await page.getByText('Downloading: 16 byte').waitFor()
    await inspectPage(page)
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Stopped. No file was kept.').waitFor()
    assert.deepEqual(await savedFiles(page), {})
    await done()
    server.closeAllConnections()
    server.close()
  })

  it('shows what the API says of a filter', async () => {
    const place = await newPlace()
    const { page, done } = await openExport(place, withPicker, ['422'])
    await page.getByLabel('E-mail', { exact: true }).fill('nothing')
    await page.getByRole('button', { name: 'Download the users' }).click()
    await page.getByRole('alert').getByText('Request id').waitFor()
    assert.deepEqual(await savedFiles(page), {})
    await done()
  })

  it('is open to a viewer', async () => {
    const { token, store } = await newPlace('viewer')
    await inspectScreen(token, `/s/${store}/export`, (page) =>
      page.getByRole('button', { name: 'Download the users' }).waitFor(),
    )
  })
})
