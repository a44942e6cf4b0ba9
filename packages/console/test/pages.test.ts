import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { call, createFixture, openConsole, rootToken, type Fixture } from './service.ts'

/** A page has 50 rows, so these are two pages. */
const ROWS = 51
/** The accesses of a user have 100 rows on a page. */
const ACCESSES = 101

/** Calls `create` with 0, 1 and so on, several times at once. */
async function repeat(count: number, create: (n: number) => Promise<unknown>): Promise<void> {
  const numbers = Array.from({ length: Math.max(0, count) }, (_, n) => n)
  while (numbers.length > 0) await Promise.all(numbers.splice(0, 10).map(create))
}

/** Fills every list that has pages, and returns the lists by name with their paths. */
async function fillLists({ store, api }: Fixture): Promise<Record<string, string>> {
  await repeat(ACCESSES, (n) => api('POST', '/products', { name: `Course ${n}`, slug: `course-${n}`, type: 'course' }))
  const { id } = await api('POST', '/users', { name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' })
  const items = Array.from({ length: ACCESSES }, (_, n) => ({ user_id: id, slug: `course-${n}` }))
  for (const some of [items.slice(0, 100), items.slice(100)]) {
    await api('POST', '/product_accesses/batch', { items: some })
  }
  await repeat(ROWS, async (n) => {
    await api('POST', '/tokens', { name: `Token ${n}` })
    await api('PUT', `/custom_fields/field-${n}`, {})
  })
  // All tests share one list of operators.
  const { data } = await call('GET', `/admin/operators?limit=${ROWS}`)
  await repeat(ROWS - data.length, (n) => call('POST', '/admin/operators', { name: `Grace ${n}`, role: 'viewer' }))
  return {
    Products: `/s/${store}/products`,
    'Access tokens': `/s/${store}/tokens`,
    'Custom fields': `/s/${store}/custom-fields`,
    Operators: '/operators',
    Accesses: `/s/${store}/users/${id}`,
  }
}

/** Waits until the page of the list is shown, and returns its rows. */
async function rowsOn(page: Page, list: string, number: number): Promise<string[]> {
  await page.getByRole('navigation', { name: list }).getByText(`Page ${number}`).waitFor()
  await page.locator('table:not([data-stale])').waitFor()
  return page.getByRole('table', { name: list }).locator('tbody td:first-child').allInnerTexts()
}

describe('the lists with pages', () => {
  it('keep the page over a reload and back, because it is part of the URL', async () => {
    const lists = Object.entries(await fillLists(await createFixture()))
    const { page, done } = await openConsole(rootToken(), '/stores')
    for (const [name, path] of lists) {
      await page.goto(page.url().replace(/#.*/, `#${path}`))
      const first = await rowsOn(page, name, 1)
      await page.getByRole('navigation', { name }).getByRole('button', { name: 'Next page' }).click()
      const second = await rowsOn(page, name, 2)
      assert.notDeepEqual(second, first, name)
      await page.reload()
      assert.deepEqual(await rowsOn(page, name, 2), second, name)
      await page.goBack()
      assert.deepEqual(await rowsOn(page, name, 1), first, name)
    }
    await done()
  })
})
