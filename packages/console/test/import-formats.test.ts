/** The formats in which people get files out of Excel. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { createFixture, openConsole } from './service.ts'
import { workbookOf } from './workbook.ts'

const HEADER = ['Nombre', 'Apellidos', 'Correo']

describe('a workbook of Excel', () => {
  it('has its faulty rows listed by their numbers in Excel, also after empty rows and cells with a line break', async () => {
    const { token, store } = await createFixture()
    const { page, done } = await openConsole(token, `/s/${store}/import`)
    const sheet = [
      [],
      HEADER,
      ['Ana\nMaría', 'Gil', 'ana@example.com'],
      ['Broken', 'Four', 'four'],
      [],
      ['Eva\r\nLuz\nSol', 'Gil', 'eva@example.com'],
      [],
      [],
      ['Broken', 'Nine', 'nine'],
    ]
    const buffer = Buffer.from(workbookOf({ Alumnos: sheet }))
    await page.getByLabel('Choose a file').setInputFiles({ name: 'people.xlsx', mimeType: '', buffer })
    await page.getByText('Row 3', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('heading', { name: 'Import finished' }).waitFor()
    const rows = page.getByRole('table', { name: 'Failed rows' }).locator('tbody tr')
    assert.deepEqual(await rows.locator('td:first-child').allTextContents(), ['4', '9'])
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV file' }).click(),
    ])
    const file = readFileSync(await download.path(), 'utf8')
    assert.match(file, /\r\nBroken,Four,four,4,.*\r\nBroken,Nine,nine,9,/)
    await done()
  })

  it('has dates and times in the time zone of the store, whatever that of the computer is', async () => {
    const { token, store, api } = await createFixture('admin', { time_zone: 'America/Sao_Paulo' })
    await api('POST', '/products', { name: 'Engines', slug: 'engines', type: 'course' })
    const { page, done } = await openConsole(token, `/s/${store}/import`, { timezone: 'Asia/Tokyo' })
    const dates = ['2027-12-31T18:00:00Z', '2027-12-31T10:20:30Z', '2027-12-31T00:00:00Z']
    const rows = dates.map((date, i) => ['Ana', 'Gil', `ana${i}@example.com`, 'engines', new Date(date)])
    const buffer = Buffer.from(workbookOf({ Alumnos: [[...HEADER, 'product', 'product_due_date'], ...rows] }))
    await page.getByLabel('Choose a file').setInputFiles({ name: 'people.xlsx', mimeType: '', buffer })
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('heading', { name: 'Import finished' }).waitFor()
    await done()
    const { data } = await api('GET', '/product_accesses')
    assert.deepEqual(
      data.map(({ access_due_date }: any) => access_due_date),
      ['2027-12-31T21:00:00.000Z', '2027-12-31T13:20:30.000Z', '2028-01-01T02:59:59.999Z'],
    )
  })

  it('loads the library that reads it only when it is chosen', async () => {
    const { token, store } = await createFixture()
    const { page, done } = await openConsole(token, `/s/${store}/import`)
    const readsWorkbooks = async () => {
      const urls = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
      const scripts = await Promise.all(urls.filter((url) => url.endsWith('.js')).map(async (url) => fetch(url)))
      const texts = await Promise.all(scripts.map((script) => script.text()))
      assert.ok(texts.length > 0)
      // Only the reader of workbooks has this sentence.
      return texts.some((text) => text.includes('a text that the workbook does not have'))
    }
    const input = page.locator('input[type=file]')
    await input.setInputFiles({ name: 'people.csv', mimeType: '', buffer: Buffer.from(HEADER.join(';')) })
    await page.getByRole('button', { name: 'Choose another file' }).click()
    assert.equal(await readsWorkbooks(), false)
    const buffer = Buffer.from(workbookOf({ Alumnos: [HEADER, ['Ana', 'Gil', 'ana@example.com']] }))
    await input.setInputFiles({ name: 'people.xlsx', mimeType: '', buffer })
    await page.getByLabel('Sheet').waitFor()
    assert.equal(await readsWorkbooks(), true)
    await done()
  })
})

describe('a file with dates such as 01/02/2027', () => {
  it('asks for the order of day and month, also for a row far below, and a paused import keeps the answer', async () => {
    const { token, store, api } = await createFixture('admin', { time_zone: 'America/Santiago' })
    await api('POST', '/products', { name: 'Engines', slug: 'engines', type: 'course' })
    const { page, done } = await openConsole(token, `/s/${store}/import`, { timezone: 'Asia/Tokyo' })
    const rows = Array.from({ length: 250 }, (_, i) => `Ana,Gil,ana${i}@example.com,engines,2027-12-31\n`)
    const last = 'Eva,Gil,eva@example.com,engines,03/04/2027\n'
    const buffer = Buffer.from(`name,last_name,email,product,product_due_date\n${rows.join('')}${last}`)
    const choose = () =>
      page.getByLabel('Choose a file').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer })
    await choose()
    await page.getByText('Is 03/04/2027 the day March 4, 2027?').waitFor()
    await page.getByLabel('Dates such as 03/04/2027').selectOption('dmy')
    await page.getByText('Is 03/04/2027').waitFor({ state: 'detached' })

    // The second batch waits until the import is paused, so that the last row is sent by the next one.
    let batches = 0
    await page.route('**/users/batch', (route) => (batches++ < 1 ? route.continue() : undefined))
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText(/100 of 251 rows/).waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('heading', { name: 'Import paused' }).waitFor()
    await page.unroute('**/users/batch')
    await page.reload()
    await page.getByText('It is not finished.').waitFor()
    await choose()
    await page.getByText(/of 251 rows are processed/).waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Import finished' }).waitFor()
    await done()
    const { data } = await api('GET', '/users?email=eva@example.com')
    const { data: accesses } = await api('GET', `/product_accesses?user_id=${data[0].id}`)
    // The clocks go back at midnight, so the day ends when 23:59:59 has come twice.
    assert.equal(accesses[0].access_due_date, '2027-04-04T03:59:59.999Z')
  })
})
