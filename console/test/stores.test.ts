import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  call,
  assertPageIsAccessible,
  assertScreenIsAccessible,
  createFixture,
  openConsole,
  origin,
  returnToTab,
} from './service.ts'

describe('the stores', () => {
  it('creates a store, opens it, and shows why an id that is taken is rejected', async () => {
    const { token, store } = await createFixture()
    const { page, done } = await openConsole(token, '/stores', { expected: ['422'] })
    await page.getByRole('button', { name: 'Create a store' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Name').fill('Academia Sol')
    await form.getByLabel('ID', { exact: true }).fill(store)
    await assertPageIsAccessible(page)
    await form.getByRole('button', { name: 'Create' }).click()
    await form.getByText('There is already a store with this ID.').waitFor()
    assert.equal(await form.getByRole('alert').count(), 0)
    await form.getByLabel('ID', { exact: true }).fill(`${store}-sol`)
    await form.getByLabel('ID', { exact: true }).press('Enter')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    assert.match(page.url(), new RegExp(`/s/${store}-sol`))
    await done()
    assert.equal((await call('GET', `/admin/stores/${store}-sol`)).name, 'Academia Sol')
  })

  it('creates a store with a database of its own in the EU, and shows where it is', async () => {
    const { token, store } = await createFixture()
    const { page, done } = await openConsole(token, '/stores')
    await page.getByRole('button', { name: 'Create a store' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Name').fill('Academia Mar')
    await form.getByLabel('ID', { exact: true }).fill(`${store}-mar`)
    const choose = async (label: string, option: string) => {
      await form.getByRole('combobox', { name: label }).click()
      await page.getByRole('option', { name: option, exact: true }).click()
    }
    assert.equal(await form.getByLabel('Only in the EU').count(), 0, 'only for a database of its own')
    await choose('Where its data is kept', 'Own database')
    await choose('Region', 'Oceania')
    await form.getByLabel('Only in the EU').check()
    // Oceania is not in the EU.
    assert.equal(await form.getByRole('combobox', { name: 'Region' }).inputValue(), 'Near you')
    await form.getByRole('combobox', { name: 'Region' }).click()
    assert.deepEqual(await page.getByRole('option').allTextContents(), ['Near you', 'Western Europe', 'Eastern Europe'])
    await page.getByRole('option', { name: 'Western Europe' }).click()
    await assertPageIsAccessible(page)
    await form.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    const { place, jurisdiction, location } = await call('GET', `/admin/stores/${store}-mar`)
    assert.deepEqual([place, jurisdiction, location], ['own', 'eu', 'weur'])
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    await page.getByText('Own database · Only in the EU · Western Europe').waitFor()
    await done()
  })

  it('shows the stores to a viewer, in both color schemes and widths', async () => {
    const { token } = await createFixture('viewer')
    await assertScreenIsAccessible(token, '/stores', async (page) => {
      await page.getByRole('table', { name: 'Stores' }).waitFor()
      assert.equal(await page.getByRole('button', { name: 'Create a store' }).count(), 0)
    })
  })
})

describe('the settings of a store', () => {
  it('changes the name, the language and the days of notice, and shows the days that the store has', async () => {
    const { token, store } = await createFixture()
    const { page, done } = await openConsole(token, `/s/${store}/settings`)
    const notice = page.getByLabel('Days of notice before an access expires')
    await notice.waitFor()
    assert.equal(await notice.inputValue(), '7')
    await page.getByLabel('Name').fill('Academia Luna')
    await page.getByRole('combobox', { name: 'Default language' }).click()
    await page.getByRole('option', { name: /Portuguese/ }).click()
    await notice.fill('91')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Enter a whole number from 0 to 90.').waitFor()
    await notice.fill('14')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await page.reload()
    await notice.waitFor()
    assert.equal(await notice.inputValue(), '14')
    await done()
    const { name, language } = await call('GET', `/admin/stores/${store}`)
    assert.deepEqual([name, language], ['Academia Luna', 'PT'])
  })

  it('sends only what was changed, so that a colleague’s change is kept, and can save again', async () => {
    const { token, store } = await createFixture()
    const { page, done } = await openConsole(token, `/s/${store}/settings`)
    await page.clock.install()
    await page.getByLabel('Name').waitFor()
    await call('PATCH', `/admin/stores/${store}`, { language: 'PT' })
    const read = page.waitForResponse(`**/admin/stores/${store}`)
    await returnToTab(page)
    await (await read).finished()
    const save = page.getByRole('button', { name: 'Save' })
    await page.getByLabel('Name').fill('Academia Luna')
    await save.click()
    await page.getByRole('combobox', { name: 'Default language' }).and(page.locator('[value^=Portuguese]')).waitFor()
    assert.equal(await save.isDisabled(), true)
    await page.getByLabel('Days of notice before an access expires').fill('14')
    await save.click()
    await page.locator('button[type=submit]:disabled').waitFor()
    await done()
    const { name, language, expiry_notice_days } = await call('GET', `/admin/stores/${store}`)
    assert.deepEqual([name, language, expiry_notice_days], ['Academia Luna', 'PT', 14])
  })

  it('suspends a store and resumes it', async () => {
    const { token, store, api } = await createFixture()
    const { token: secret } = await api('POST', '/tokens', { name: 'Checkout', scopes: ['users:read'] })
    const statusOf = async () => {
      const url = new URL(`/v1/stores/${store}/users`, origin)
      return (await fetch(url, { headers: { authorization: `Bearer ${secret}` } })).status
    }
    const { page, done } = await openConsole(token, `/s/${store}/settings`)
    await page.getByText('Not suspended').waitFor()
    await page.getByRole('button', { name: 'Suspend the store' }).click()
    await assertPageIsAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend', exact: true }).click()
    await page.getByText('Suspended', { exact: true }).waitFor()
    assert.equal(await statusOf(), 403)
    await page.getByRole('button', { name: 'Resume the store' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Resume', exact: true }).click()
    await page.getByText('Not suspended').waitFor()
    assert.equal(await statusOf(), 200)
    await done()
  })

  it('shows the settings to a viewer without offering a change', async () => {
    const { token, store } = await createFixture('viewer')
    await assertScreenIsAccessible(token, `/s/${store}/settings`, async (page) => {
      await page.getByText('7 days').waitFor()
      assert.equal(await page.getByRole('button', { name: /Save|Suspend|Resume/ }).count(), 0)
    })
  })
})
