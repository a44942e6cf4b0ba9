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
    await page.getByText('Line 3', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('heading', { name: 'Import finished' }).waitFor()
    const rows = page.getByRole('table', { name: 'Failed lines' }).locator('tbody tr')
    assert.deepEqual(await rows.locator('td:first-child').allTextContents(), ['4', '9'])
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download these lines' }).click(),
    ])
    const file = readFileSync(await download.path(), 'utf8')
    assert.match(file, /\r\nBroken,Four,four,4,.*\r\nBroken,Nine,nine,9,/)
    await done()
  })
})
