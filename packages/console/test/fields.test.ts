import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { assertPageIsAccessible, createFixture, openConsole } from './service.ts'

async function shows(page: Page, names: string[]): Promise<void> {
  for (const name of names) await page.getByRole('link', { name: `${name} Gil` }).waitFor()
  // The rows of the previous filters stay until the response has arrived.
  await page.locator('table[role=table] tbody tr').nth(names.length).waitFor({ state: 'detached' })
}

describe('custom fields and days as filters', () => {
  it('find a tax number from the search, and a class whose accesses end before a day or never', async () => {
    const { api, store, token } = await createFixture('admin', { time_zone: 'Europe/Lisbon' })
    await api('PUT', '/custom_fields/nif', { label: 'NIF' })
    await api('PUT', '/custom_fields/team', { label: 'Turma' })
    const product = await api('POST', '/products', { name: 'Algebra', slug: 'algebra', type: 'course' })
    const people = {
      Ada: '2031-01-30T23:59:59.999Z',
      Ben: '2031-01-31T00:00:00.000Z',
      Cleo: null,
      Dora: '2030-01-01T00:00:00Z',
    }
    for (const [i, [name, access_due_date]] of Object.entries(people).entries()) {
      const custom_fields = { nif: `50123456${i}`, team: name === 'Dora' ? '8B' : '7A' }
      const user = { name, last_name: 'Gil', email: `${name}@example.com`, custom_fields }
      const { id: user_id } = await api('POST', '/users', user)
      await api('POST', '/product_accesses', { user_id, product_id: product.id, access_due_date })
    }
    const { page, done } = await openConsole(token, `/s/${store}/users`, { timezone: 'Asia/Tokyo' })
    await page.getByRole('searchbox').fill('501234561')
    await page.getByRole('button', { name: 'NIF is 501234561' }).click()
    await shows(page, ['Ben'])
    await page.reload()
    await shows(page, ['Ben'])

    await page.getByRole('link', { name: 'Product accesses' }).click()
    await shows(page, ['Ada', 'Ben', 'Cleo', 'Dora'])
    await page.getByRole('combobox', { name: 'Custom field' }).click()
    await page.getByRole('option', { name: 'Turma' }).click()
    await page.getByRole('textbox', { name: 'Is exactly' }).fill('7A')
    await shows(page, ['Ada', 'Ben', 'Cleo'])
    await page.getByRole('combobox', { name: 'Due' }).click()
    await page.getByRole('option', { name: 'Before a day' }).click()
    await page.getByRole('textbox', { name: 'Ends before' }).fill('2031-01-31')
    await page.getByRole('textbox', { name: 'Ends before' }).press('Tab')
    await shows(page, ['Ada'])
    assert.match(page.url(), /due_before=2031-01-31T00%3A00%3A00.000Z/)
    await assertPageIsAccessible(page)
    await page.getByRole('combobox', { name: 'Due' }).click()
    await page.getByRole('option', { name: 'No limit' }).click()
    await shows(page, ['Cleo'])
    // The service cannot select these, and would change all.
    assert.equal(await page.getByRole('button', { name: 'Change all matches…' }).isDisabled(), true)
    await done()
  })
})
