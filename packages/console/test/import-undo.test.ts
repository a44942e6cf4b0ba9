/** Takes imports back by the record that the browser keeps of them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { assertPageIsAccessible, call, createFixture, type Fixture, openConsole } from './service.ts'

const HEADER = 'name,last_name,email,phone,product,product_due_date,custom_fields.score\n'

async function importFile(page: Page, rows: string[], update = false): Promise<void> {
  await runImport(page, rows, update)
  await page.reload()
}

async function runImport(page: Page, rows: string[], update = false): Promise<void> {
  const buffer = Buffer.from(HEADER + rows.map((row) => `${row}\n`).join(''))
  await page.locator('input[type=file]').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer })
  if (update) await page.getByLabel('Update', { exact: true }).check()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByRole('heading', { name: 'Import finished' }).waitFor()
}

async function openDialog(page: Page) {
  await page.getByRole('button', { name: 'Take back the import of people.csv' }).click()
  const dialog = page.getByRole('dialog', { name: 'Take an import back' })
  await dialog.getByText('Nothing was changed yet. This would happen:').waitFor()
  const counts = async () => (await dialog.locator('dl dd').allTextContents()).map(Number)
  return { dialog, counts }
}

async function withAna(fixture: Fixture) {
  const { api } = fixture
  await api('POST', '/products', { name: 'Algebra', slug: 'algebra', type: 'course' })
  await api('PUT', '/custom_fields/score', {})
  // Numbers are read with all their digits, and what has them cannot be cloned.
  const custom_fields = { score: 7 }
  return api('POST', '/users', { name: 'Ana', last_name: 'Gil', email: 'ana@example.com', phone: '600', custom_fields })
}

/** Another tab of the same browser, which finds its records. */
async function openTab(page: Page, token: string): Promise<Page> {
  const tab = await page.context().newPage()
  await tab.addInitScript((kept) => sessionStorage.setItem('registrar.token', kept), token)
  await tab.goto(page.url())
  return tab
}

/** Everything that the browser keeps, as text. */
function recordsOf(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const resultOf = (request: IDBRequest) =>
      new Promise<unknown>((resolve) => request.addEventListener('success', () => resolve(request.result)))
    const request = indexedDB.open('registrar-imports')
    await resultOf(request)
    const names = [...request.result.objectStoreNames]
    const transaction = request.result.transaction(names)
    const all = await Promise.all(names.map((name) => resultOf(transaction.objectStore(name).getAll())))
    request.result.close()
    return JSON.stringify(all)
  })
}

describe('An import in the console', () => {
  it('is taken back after a dry run and the typed number, but for what somebody has touched since', async () => {
    const fixture = await createFixture()
    const { token, store, api } = fixture
    const ana = await withAna(fixture)
    // The browser logs that the erasure of somebody is rejected who was changed.
    const { page, done } = await openConsole(token, `/s/${store}/import`, { expected: ['412'] })
    const people = Array.from({ length: 101 }, (_, i) => `New,Person ${i},new${i}@example.com,,algebra,,1.50`)
    await importFile(page, [...people, 'Anna,Gil,ana@example.com,700,algebra,2027-12-31,8.50'], true)
    assert.match(await recordsOf(page), /new5@example/)
    const [touched] = (await api('GET', '/users?email=new7@example.com')).data
    await api('PATCH', `/users/${touched.id}`, { phone: '1' })
    await api('PATCH', `/users/${ana.id}`, { phone: '800' })

    const { dialog, counts } = await openDialog(page)
    assert.deepEqual(await counts(), [100, 2, 1, 0, 2])
    await dialog.getByText('New Person 7 · Row 9 · Somebody has changed this user since.').waitFor()
    await dialog.getByText('Ana Gil · Row 103 · Phone: it is no longer as the import left it.').waitFor()
    await assertPageIsAccessible(page)
    assert.equal((await api('GET', `/users/${ana.id}`)).name, 'Anna')
    const button = dialog.getByRole('button', { name: 'Take back' })
    assert.equal(await button.isDisabled(), true)
    await dialog.getByLabel('Type 103 to confirm').fill('103')
    await button.click()
    await dialog.getByText('The import was taken back').waitFor()
    assert.deepEqual(await counts(), [100, 2, 1, 0, 2])
    await dialog.getByText('may still have copies').waitFor()

    const left = (await api('GET', '/users')).data.map((user: any) => [user.email, user.name, user.phone])
    assert.deepEqual(left, [
      ['ana@example.com', 'Ana', '800'],
      ['new7@example.com', 'New', '1'],
    ])
    const accesses = (await api('GET', '/product_accesses')).data.map((access: any) => access.status)
    assert.deepEqual(accesses, ['without_access', 'without_access'])
    assert.equal((await api('GET', `/users/${ana.id}`)).custom_fields.score, 7)
    const records = await recordsOf(page)
    assert.match(records, /new7@example/)
    assert.doesNotMatch(records, /new5@example|Person 5"/)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByText('Taken back. What stays: 2').waitFor()
    await done()
  })

  it('is taken back by the office without erasing anybody, which it says', async () => {
    const fixture = await createFixture('office')
    const { token, store, api } = fixture
    await withAna(fixture)
    const { page, done } = await openConsole(token, `/s/${store}/import`)
    const people = Array.from({ length: 12 }, (_, n) => `New,Person ${n},new${n}@example.com,,algebra,,`)
    // Whoever sees the wrong file in the result need not look for the list of imports.
    await runImport(page, people)
    const { dialog, counts } = await openDialog(page)
    await dialog.getByText('Your role may not erase users. Those whom the import created stay').waitFor()
    assert.deepEqual(await counts(), [0, 12, 0, 0, 12])
    // Twelve equal reasons would push the button out of view.
    const reason = await dialog.getByText(/^12 · Your role may not erase users\./).textContent()
    assert.match(reason ?? '', /New Person \d+(, New Person \d+){9} and 2 more$/)
    await assertPageIsAccessible(page)
    await dialog.getByRole('button', { name: 'Take back' }).click()
    await dialog.getByText('The import was taken back').waitFor()
    assert.equal((await api('GET', '/users')).data.length, 13)
    assert.equal((await api('GET', '/product_accesses')).data[0].status, 'without_access')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByText('Taken back. What stays: 12').waitFor()

    // Without its record, an import can no longer be taken back, so nobody deletes it by mistake.
    await page.getByRole('button', { name: 'Delete the record of the import of people.csv' }).click()
    const question = page.getByRole('dialog', { name: 'Delete the record of the import of people.csv' })
    await question.getByText('this browser can no longer take the import back').waitFor()
    assert.match(await recordsOf(page), /new5@example/)
    await question.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('The record was deleted.').waitFor()
    assert.doesNotMatch(await recordsOf(page), /new5@example/)
    await done()
  })

  it('is taken back in another tab if its own was closed before the last response', async () => {
    const fixture = await createFixture()
    const { token, store, api } = fixture
    await withAna(fixture)
    const { page, done } = await openConsole(token, `/s/${store}/import`, { expected: ['ERR_'] })
    const rows = ['New,Person,new@example.com,,algebra,,1.50', 'No,Email,no@example,,,,', 'Ana,Gil,ana@example.com,,,,']
    const buffer = Buffer.from(HEADER + rows.map((row) => `${row}\n`).join(''))
    await page.locator('input[type=file]').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer })
    const sent = Promise.withResolvers<undefined>()
    await page.route('**/users/batch', async (route) => {
      await route.fetch()
      sent.resolve(undefined)
    })
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await sent.promise
    const tab = await openTab(page, token)
    const button = tab.getByRole('button', { name: 'Take back the import of people.csv' })
    await button.click()
    await tab.getByText('another tab').first().waitFor()
    await page.close()
    await tab.reload()
    const { dialog, counts } = await openDialog(tab)
    assert.deepEqual(await counts(), [1, 0, 0, 0, 0])
    await dialog.getByRole('button', { name: 'Take back' }).click()
    await dialog.getByText('The import was taken back').waitFor()
    assert.deepEqual(await counts(), [1, 0, 0, 0, 0])
    assert.deepEqual(
      (await api('GET', '/users')).data.map((user: any) => user.email),
      ['ana@example.com'],
    )
    assert.doesNotMatch(await recordsOf(tab), /new@example/)
    await done()
  })

  it('is taken back by the office and then by an admin, who changes nothing that somebody has changed between', async () => {
    const fixture = await createFixture('office')
    const { token, store, api } = fixture
    const ana = await withAna(fixture)
    const { page, done } = await openConsole(token, `/s/${store}/import`)
    await importFile(page, ['New,Person,new@example.com,,algebra,,', 'Ana,Gil,ana@example.com,700,,,'], true)
    const office = await openDialog(page)
    assert.deepEqual(await office.counts(), [0, 1, 1, 0, 1])
    await office.dialog.getByRole('button', { name: 'Take back' }).click()
    await office.dialog.getByText('The import was taken back').waitFor()
    const { token: admin } = await call('POST', '/admin/operators', { name: 'Ada', role: 'admin' })
    const phone = async () => (await api('GET', `/users/${ana.id}`)).phone
    assert.equal(await phone(), '600')
    await api('PATCH', `/users/${ana.id}`, { phone: '700' })
    const tab = await openTab(page, admin)
    const { dialog, counts } = await openDialog(tab)
    assert.deepEqual(await counts(), [1, 0, 0, 0, 0])
    await dialog.getByRole('button', { name: 'Take back' }).click()
    await dialog.getByText('The import was taken back').waitFor()
    assert.deepEqual([await phone(), (await api('GET', '/users')).data.length], ['700', 1])
    await done()
  })

  it('no longer has somebody who is erased', async () => {
    const fixture = await createFixture()
    const { token, store, api } = fixture
    await withAna(fixture)
    const { page, done } = await openConsole(token, `/s/${store}/import`, { expected: ['404'] })
    await importFile(page, [
      'New,Person,new@example.com,,algebra,,',
      'Other,One,other@example.com,,,,',
      ',X,NEW@example.com,,,,',
    ])
    const [user] = (await api('GET', '/users?email=new@example.com')).data
    assert.match(await recordsOf(page), /NEW@example/)
    await page.goto(page.url().replace(/#.*/, `#/s/${store}/users/${user.id}`))
    await page.getByRole('button', { name: 'Erase', exact: true }).click()
    await page.getByLabel('Type new@example.com to confirm').fill('new@example.com')
    await page.getByRole('button', { name: 'Erase permanently' }).click()
    await page.getByText('This person was erased').waitFor()
    const records = await recordsOf(page)
    assert.match(records, /other@example/)
    assert.doesNotMatch(records, /new@example/i)
    await done()
  })
})
