import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { call, inspectPage, inspectScreen, newPlace, openConsole, origin } from './service.ts'

describe('stores', () => {
  it('are created and opened', async () => {
    const { token, store } = await newPlace()
    const { page, done } = await openConsole(token, '/stores', { expected: ['422'] })
    await page.getByRole('button', { name: 'Create a store' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Name').fill('Academia Sol')
    await form.getByLabel('Id', { exact: true }).fill(store)
    await inspectPage(page)
    await form.getByRole('button', { name: 'Create' }).click()
    await form.getByRole('alert').getByText('Request id').waitFor()
    await form.getByLabel('Id', { exact: true }).fill(`${store}-sol`)
    await form.getByLabel('Id', { exact: true }).press('Enter')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    assert.match(page.url(), new RegExp(`/s/${store}-sol`))
    await done()
    assert.equal((await call('GET', `/admin/stores/${store}-sol`)).name, 'Academia Sol')
  })

  it('are listed a page at a time', async () => {
    const { token } = await newPlace('viewer')
    await inspectScreen(token, '/stores', async (page) => {
      await page.getByRole('table', { name: 'Stores' }).waitFor()
      assert.equal(await page.getByRole('button', { name: 'Create a store' }).count(), 0)
    })
  })
})

describe('settings', () => {
  it('change the name, the language and the notice, which its events tell', async () => {
    const { token, store } = await newPlace()
    const { page, done } = await openConsole(token, `/s/${store}/settings`, { expected: ['422'] })
    const notice = page.getByLabel('Days of notice before an access ends')
    await notice.waitFor()
    assert.equal(await notice.inputValue(), '7')
    await page.getByLabel('Name').fill('Academia Luna')
    await page.getByRole('combobox', { name: 'Language of its users' }).click()
    await page.getByRole('option', { name: /Portuguese/ }).click()
    await notice.fill('91')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('Request id').waitFor()
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

  it('suspend a store and let it go on', async () => {
    const { token, store, api } = await newPlace()
    const { token: secret } = await api('POST', '/tokens', { name: 'Checkout', scopes: ['users:read'] })
    const statusOf = async () => {
      const url = new URL(`/v1/stores/${store}/users`, origin)
      return (await fetch(url, { headers: { authorization: `Bearer ${secret}` } })).status
    }
    const { page, done } = await openConsole(token, `/s/${store}/settings`)
    await page.getByText('Not suspended').waitFor()
    await page.getByRole('button', { name: 'Suspend the store' }).click()
    await inspectPage(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend', exact: true }).click()
    await page.getByText('Suspended', { exact: true }).waitFor()
    assert.equal(await statusOf(), 403)
    await page.getByRole('button', { name: 'Resume the store' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Resume', exact: true }).click()
    await page.getByText('Not suspended').waitFor()
    assert.equal(await statusOf(), 200)
    await done()
  })

  it('are shown to a viewer, who changes nothing', async () => {
    const { token, store } = await newPlace('viewer')
    await inspectScreen(token, `/s/${store}/settings`, async (page) => {
      await page.getByText('7 days').waitFor()
      assert.equal(await page.getByRole('button', { name: /Save|Suspend|Resume/ }).count(), 0)
    })
  })
})
