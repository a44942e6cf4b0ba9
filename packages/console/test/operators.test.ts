import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { call, assertPageIsAccessible, createFixture, openConsole, returnToTab, rootToken } from './service.ts'

describe('the operators', () => {
  it('adds an operator once the form is valid, shows the token once, and revokes the operator', async () => {
    const name = `Grace ${crypto.randomUUID().slice(0, 8)}`
    const { page, done } = await openConsole(rootToken(), '/operators')
    await page.getByText('You are signed in as root (root).').waitFor()
    await page.getByRole('button', { name: /^Add (an|the first) operator$/ }).click()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('Fill in this field.').waitFor()
    assert.equal(await page.getByLabel('Name').getAttribute('aria-invalid'), 'true')
    await assertPageIsAccessible(page)
    await page.getByLabel('Name').fill(name)
    await page.getByRole('radio', { name: 'viewer' }).check()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('This is shown only once').waitFor()
    await assertPageIsAccessible(page)
    const token = (await page.getByRole('dialog').locator('code, pre').first().textContent()) ?? ''
    const me = await call('GET', '/admin/operator', undefined, token)
    assert.deepEqual({ name: me.name, role: me.role }, { name, role: 'viewer' })
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByText(`An operator was added. · ${name}`).first().waitFor()

    await page.goto(page.url().replace(/#.*/, `#${pathOf(me.id)}`))
    const row = rowOf(page, name)
    await page.getByRole('button', { name: `Revoke ${name}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await row.getByText('Revoked').waitFor()
    await page.getByText(`An operator was revoked. · ${name}`).first().waitFor()
    await assert.rejects(call('GET', '/admin/operator', undefined, token), /401/)
    await done()
  })

  it('changes the email and the stores of an operator, and shows the last use', async () => {
    const { store } = await createFixture()
    const name = `Grace ${crypto.randomUUID().slice(0, 8)}`
    const { id, token } = await call('POST', '/admin/operators', { name, role: 'admin' })
    await call('GET', '/admin/operator', undefined, token)
    const { page, done } = await openConsole(rootToken(), pathOf(id))
    const row = rowOf(page, name)
    await row.getByText(/[A-Z][a-z]{2} \d{1,2}, \d{4}$/).waitFor()
    await page.getByRole('button', { name: `Edit ${name}` }).click()
    const form = page.getByRole('dialog', { name: 'Edit the operator' })
    await form.getByLabel('Email').fill('grace')
    await form.getByRole('radio', { name: 'Only these stores' }).check()
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('Enter an email address, such as ana@example.com.').waitFor()
    await form.getByText('Choose 1 to 100 stores that exist.').waitFor()
    await form.getByLabel('Email').fill(`${store}@example.com`)
    await form.getByRole('combobox', { name: 'Only these stores' }).fill(store.slice('shop-'.length))
    await page.getByRole('option').first().click()
    await page.keyboard.press('Tab')
    await assertPageIsAccessible(page)
    await form.getByRole('button', { name: 'Save' }).click()
    await row.getByText(`${store}@example.com`).waitFor()
    await row.getByText(`Academy ${store.slice('shop-'.length)}`, { exact: true }).waitFor()
    await done()
    const { data } = await call('GET', `/admin/operators?limit=1&after=${Number(id) - 1}`)
    assert.deepEqual([data[0].email, data[0].stores], [`${store}@example.com`, [store]])
  })

  it('sends only what was changed, so that a colleague’s change of the role is kept', async () => {
    const name = `Grace ${crypto.randomUUID().slice(0, 8)}`
    const { id } = await call('POST', '/admin/operators', { name, role: 'admin' })
    const { page, done } = await openConsole(rootToken(), pathOf(id))
    await rowOf(page, name).waitFor()
    await page.clock.install()
    await page.getByRole('button', { name: `Edit ${name}` }).click()
    await page.getByRole('dialog').getByRole('radio', { name: 'admin' }).waitFor()
    await call('PATCH', `/admin/operators/${id}`, { role: 'viewer' })
    await returnToTab(page)
    // The dialog hides the roles of the page behind it.
    await page.locator('tr', { hasText: name }).getByText('viewer').waitFor()
    await page.getByRole('dialog').getByLabel('Name').fill(`${name} Hopper`)
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.locator('tr', { hasText: `${name} Hopper` }).waitFor()
    await done()
    const { data } = await call('GET', `/admin/operators?limit=1&after=${Number(id) - 1}`)
    assert.deepEqual([data[0].name, data[0].role], [`${name} Hopper`, 'viewer'])
  })

  it('keeps the pages of the operators and of their history apart, and both over a reload', async () => {
    const { page, done } = await openConsole(rootToken(), '/stores')
    const timestamp = '2031-03-10T12:00:00.000Z'
    const operator = { name: 'Grace', role: 'viewer', email: null, stores: null, revoked_at: null, last_used_at: null }
    const event = { timestamp, store_id: null, request_id: null, actor: { type: 'system' }, type: 'operator.created' }
    await page.route(/\/admin\/(?:operators|events)(?:\?|$)/, (route) => {
      const isSecondPage = route.request().url().includes('after=')
      const data = Array.from({ length: 50 }, (_, i) => {
        const id = String(isSecondPage ? 50 - i : 100 - i)
        return { ...operator, ...event, id, created_at: timestamp, data: { operator_id: id } }
      })
      return route.fulfill({ json: { data, next: isSecondPage ? null : '51' } })
    })
    await page.goto(page.url().replace('/stores', '/operators'))
    const buttons = (name: string) => page.getByRole('navigation', { name, exact: true })
    const shows = async (operators: number, events: number) => {
      await buttons('Operators').getByText(`Page ${operators}`).waitFor()
      await buttons('History').getByText(`Page ${events}`).waitFor()
    }
    await shows(1, 1)
    await buttons('History').getByRole('button', { name: 'Next page' }).click()
    await shows(1, 2)
    await buttons('Operators').getByRole('button', { name: 'Next page' }).click()
    await shows(2, 2)
    await page.reload()
    await shows(2, 2)
    await buttons('History').getByRole('button', { name: 'Previous page' }).click()
    await shows(2, 1)
    await page.goBack()
    await shows(2, 2)
    await done()
  })
})

/** The tests share one list of operators, so this shows the page that begins with this one. */
function pathOf(id: string): string {
  return `/operators?after=${Number(id) - 1}&page=2`
}

function rowOf(page: Page, name: string): Locator {
  return page.getByRole('row').filter({ hasText: name })
}
