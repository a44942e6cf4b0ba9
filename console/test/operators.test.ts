import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { call, inspectPage, inspectScreen, newPlace, openConsole, rootToken } from './service.ts'

describe('operators', () => {
  it('adds one, whose token is shown once, and revokes it', async () => {
    const name = `Grace ${crypto.randomUUID().slice(0, 8)}`
    const { page, done } = await openConsole(rootToken(), '/operators')
    await page.getByText('You are signed in as root (root).').waitFor()
    await page.getByRole('button', { name: /^Add (an|the first) operator$/ }).click()
    await page.getByLabel('Name').fill(name)
    await page.getByRole('radio', { name: 'viewer' }).check()
    await inspectPage(page)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('This is shown once').waitFor()
    await inspectPage(page)
    const token = (await page.getByRole('dialog').locator('code, pre').first().textContent()) ?? ''
    const me = await call('GET', '/admin/operator', undefined, token)
    assert.deepEqual({ name: me.name, role: me.role }, { name, role: 'viewer' })
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByText(`operator ${me.id}`, { exact: false }).first().waitFor()

    // Others have been added before: this one may stand on a later page.
    const row = page.getByRole('row').filter({ hasText: name })
    const next = page.getByRole('navigation', { name: 'Operators' }).getByRole('button', { name: 'Next page' })
    await page.getByRole('table', { name: 'Operators' }).waitFor()
    while ((await row.count()) === 0 && (await next.count()) > 0 && (await next.isEnabled())) {
      await next.click()
      await page.locator('table:not([data-stale])').waitFor()
    }
    await page.getByRole('button', { name: `Revoke ${name}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await row.getByText('Revoked').waitFor()
    await page.getByText('Operator revoked').first().waitFor()
    await assert.rejects(call('GET', '/admin/operator', undefined, token), /401/)
    await done()
  })

  it('shows beside the input why one is refused', async () => {
    const { page, done } = await openConsole(rootToken(), '/operators', { expected: ['422'] })
    await page.getByRole('button', { name: /^Add (an|the first) operator$/ }).click()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('Request id').waitFor()
    assert.equal(await page.getByLabel('Name').getAttribute('aria-invalid'), 'true')
    await done()
  })

  it('is for the root to change: others see who there is and what happened, in both appearances and widths', async () => {
    const { token } = await newPlace()
    await inspectScreen(token, '/operators', async (page) => {
      await page.getByText(/Only the root/).waitFor()
      await page.getByText('Operator added').first().waitFor()
      await page.getByRole('table', { name: 'Operators' }).waitFor()
      assert.equal(await page.getByRole('button', { name: /Add|Revoke/ }).count(), 0)
    })
  })

  it('can be changed by everybody, in both appearances and widths', async () => {
    await newPlace()
    await inspectScreen(rootToken(), '/operators', (page) => page.getByText('Operator added').first().waitFor())
  })
})
