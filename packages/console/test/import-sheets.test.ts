/** Workbooks are read in a worker, beside the page. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { workbookXml, type ZipEntry } from '../../import/test/workbook.ts'
import { createFixture, openConsole } from './service.ts'

/** The second person is hidden. */
function workbook(extra: Record<string, ZipEntry> = {}) {
  const cells = (...texts: string[]) => texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')
  const rows = [
    `<row>${cells('Nombre', 'Apellidos', 'Correo')}</row>`,
    `<row>${cells('Ana', 'Gil', 'ana@example.com')}</row>`,
    `<row hidden="1">${cells('Luis', 'Sol', 'luis@example.com')}</row>`,
  ]
  return { name: 'people.xlsx', mimeType: '', buffer: workbookXml({ People: rows.join('') }, { extra }) }
}

async function openImport() {
  const { token, store, api } = await createFixture()
  const { page, done } = await openConsole(token, `/s/${store}/import`)
  const names = async () => (await api('GET', '/users')).data.map(({ name }: any) => name)
  return { page, done, names, choose: page.getByLabel('Choose a file') }
}

describe('a workbook', () => {
  it('has its hidden rows left out, unless they are asked for', async () => {
    const { page, done, names, choose } = await openImport()
    await choose.setInputFiles(workbook())
    await page.getByText('1 hidden row is left out.').waitFor()
    await page.getByText('Row 2', { exact: true }).waitFor()
    assert.equal(await page.getByText('Row 3', { exact: true }).count(), 0)
    await page.getByLabel('Read hidden rows, too').click()
    await page.getByText('Row 3', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('heading', { name: 'Import finished' }).waitFor()
    assert.deepEqual((await names()).toSorted(), ['Ana', 'Luis'])
    await done()
  })

  it('that promises too much is refused before it is unpacked, unless it may be large', async () => {
    const { page, done, names, choose } = await openImport()
    const length = 1_000_000
    await choose.setInputFiles(
      workbook({ 'xl/x': { content: deflateRawSync(' '.repeat(length)), isPacked: true, promise: length } }),
    )
    await page.getByText('Unpacked, the workbook would take 2 MB.').waitFor()
    await page.getByRole('button', { name: 'Read it all the same' }).click()
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('heading', { name: 'Import finished' }).waitFor()
    assert.deepEqual(await names(), ['Ana'])
    await done()
  })

  it('is no longer read once that is stopped, and another one can be chosen', async () => {
    const { page, done, choose } = await openImport()
    let isHeld = true
    await page.route('**/*sheet-worker*', (route) => (isHeld ? undefined : route.continue()))
    await choose.setInputFiles(workbook())
    await page.getByText('Reading the file', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await choose.waitFor({ state: 'attached' })
    assert.equal(await page.getByRole('alert').count(), 0)
    isHeld = false
    await choose.setInputFiles(workbook())
    await page.getByText('Row 2', { exact: true }).waitFor()
    await done()
  })
})
