import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { countStats, createFixture, openConsole, type Fixture } from './service.ts'

const DAY_MS = 86_400_000

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

/** Creates a user per name with one access each. `due` is in days from now; null means no limit. */
async function seed(fixture: Fixture, wanted: Record<string, { due: number | null; status?: string }>) {
  const { api } = fixture
  const product = await api('POST', '/products', { name: 'Algebra', slug: 'algebra', type: 'course' })
  const accesses: Record<string, any> = {}
  for (const [name, { due, status = 'with_access' }] of Object.entries(wanted)) {
    const email = `${name.toLowerCase()}@example.com`
    const user = await api('POST', '/users', { name, last_name: 'Smith', email })
    accesses[name] = await api('POST', '/product_accesses', {
      user_id: user.id,
      product_id: product.id,
      status,
      access_due_date: due === null ? null : inDays(due),
    })
  }
  return { product, accesses }
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
/** Waits until the list shows these people, in this order. */
async function shows(page: Page, names: string[]): Promise<void> {
  await page.waitForFunction(
    (wanted) =>
      Array.from(document.querySelectorAll('table:not([data-stale]) tbody a'), (link) => link.textContent).join() ===
      wanted,
    names.join(),
  )
}

describe('the list of accesses', () => {
  it('filters accesses by product, status and due date, and keeps the filters in the URL', async () => {
    const fixture = await createFixture()
    const { product } = await seed(fixture, {
      Ada: { due: 3 },
      Ben: { due: 20 },
      Cleo: { due: -2 },
      Dora: { due: 3, status: 'without_access' },
      Emil: { due: null },
    })
    await fixture.api('POST', '/products', { name: 'Botany', slug: 'botany', type: 'course' })
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/accesses?unknown=1`)
    await rowOf(page, 'Emil').getByText('No limit').waitFor()
    const choose = async (label: string, option: string) => {
      await page.getByRole('combobox', { name: label }).click()
      await page.getByRole('option', { name: option, exact: true }).click()
    }
    await choose('Due', 'Within 7 days')
    await rowOf(page, 'Ben').waitFor({ state: 'detached' })
    await rowOf(page, 'Dora').waitFor()
    await choose('State', 'In force')
    await rowOf(page, 'Dora').waitFor({ state: 'detached' })
    await choose('Product', 'Algebra')
    assert.match(page.url(), /due=7(&|$)/)
    assert.match(page.url(), /state=in_force/)
    await page.reload()
    await rowOf(page, 'Ada').waitFor()
    assert.equal(await page.getByRole('row').count(), 2)
    await page.getByRole('combobox', { name: 'Product' }).and(page.locator('[value="Algebra"]')).waitFor()
    assert.equal(await page.getByRole('combobox', { name: 'Due' }).inputValue(), 'Within 7 days')
    await page.getByRole('link', { name: 'Download this list' }).click()
    await page.getByRole('heading', { name: 'Export' }).waitFor()
    assert.equal(await page.getByRole('combobox', { name: 'Product' }).inputValue(), 'Algebra')
    assert.equal(await page.getByRole('combobox', { name: 'State' }).inputValue(), 'In force')
    assert.equal(await page.getByRole('combobox', { name: 'Due' }).inputValue(), 'Within 7 days')
    await page.goBack()
    await rowOf(page, 'Ada').waitFor()
    await choose('Product', 'Botany')
    await page.getByText('Nothing matches these filters.').waitFor()
    await page.goBack()
    await rowOf(page, 'Ada').waitFor()
    assert.equal(await page.getByRole('combobox', { name: 'Product' }).inputValue(), 'Algebra')
    await page.getByRole('button', { name: 'Clear filters' }).last().click()
    await rowOf(page, 'Emil').waitFor()
    await page.getByRole('combobox', { name: 'User' }).fill('cleo')
    await page.getByRole('option', { name: 'Cleo Smith' }).click()
    await shows(page, ['Cleo Smith'])
    await page.reload()
    await shows(page, ['Cleo Smith'])
    await page.getByRole('link', { name: 'Cleo Smith' }).click()
    await page.getByRole('heading', { name: 'Cleo Smith' }).waitFor()
    assert.match(page.url(), /\/users\/\d+/)
    assert.notEqual(product.id, undefined)
    await done()
  })

  it('tells accesses in force, ended and closed apart, and filters by each', async () => {
    const fixture = await createFixture()
    await seed(fixture, {
      Ada: { due: 3 },
      Ben: { due: -2 },
      Cleo: { due: -2, status: 'without_access' },
      Dora: { due: null },
    })
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/accesses`)
    const names = { 'In force': ['Dora', 'Ada'], Ended: ['Ben'], Closed: ['Cleo'] }
    for (const [state, people] of Object.entries(names)) {
      for (const name of people) await rowOf(page, name).getByText(state, { exact: true }).waitFor()
    }
    for (const [state, people] of Object.entries(names)) {
      await page.getByRole('combobox', { name: 'State' }).click()
      await page.getByRole('option', { name: state, exact: true }).click()
      await shows(
        page,
        people.map((name) => `${name} Smith`),
      )
    }
    await done()
  })

  it('shows the newest first or the oldest first, and the totals of the store and of a product', async () => {
    const fixture = await createFixture()
    const { product } = await seed(fixture, { Ada: { due: 3 }, Ben: { due: -2 } })
    const other = await fixture.api('POST', '/products', { name: 'Botany', slug: 'botany', type: 'course' })
    const [{ id: user_id }] = (await fixture.api('GET', '/users?email=ada@example.com')).data
    await fixture.api('POST', '/product_accesses', { user_id, product_id: other.id })
    await countStats(fixture)
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/accesses?product=${product.id}`)
    await page.getByText('2 accesses, 1 in force').waitFor()
    await shows(page, ['Ben Smith', 'Ada Smith'])
    await page.getByText('Oldest first').click()
    await shows(page, ['Ada Smith', 'Ben Smith'])
    await page.reload()
    await shows(page, ['Ada Smith', 'Ben Smith'])
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('3 accesses, 2 in force').waitFor()
    await shows(page, ['Ada Smith', 'Ben Smith', 'Ada Smith'])
    await done()
  })

  it('reads on by itself while matches are rare, and offers no next page where nothing follows', async () => {
    const fixture = await createFixture()
    await seed(fixture, { Ada: { due: 3 }, Ben: { due: 3 } })
    const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/accesses`)
    await rowOf(page, 'Ada').waitFor()
    let requests = 0
    // Such a store has tens of thousands of accesses: the pages before the last one are empty.
    let pages = 3
    await page.route('**/product_accesses?*', async (route) => {
      requests++
      if (requests >= pages) return route.continue()
      return route.fulfill({ json: { data: [], next: '1000000' } })
    })
    await page.getByRole('combobox', { name: 'State' }).click()
    await page.getByRole('option', { name: 'In force' }).click()
    await shows(page, ['Ben Smith', 'Ada Smith'])
    assert.equal(requests, 3)
    assert.equal(await page.getByRole('button', { name: 'Next page' }).count(), 0)
    ;[requests, pages] = [0, 11]
    await page.getByText('Oldest first').click()
    await page.getByText('Nothing matches so far.').waitFor()
    assert.equal(requests, 10)
    await page.getByRole('button', { name: 'Search further' }).click()
    await page.waitForURL(/after=.*1000000/)
    await done()
  })

  it('writes the progress as the operator’s language does', async () => {
    const fixture = await createFixture()
    const { accesses } = await seed(fixture, { Ada: { due: 3 } })
    await fixture.api('PATCH', `/product_accesses/${accesses['Ada'].id}`, { progress: 40 })
    for (const [language, text] of Object.entries({ en: '40%', es: '40\u00a0%' })) {
      const { page, done } = await openConsole(fixture.token, `/s/${fixture.store}/accesses`, { language })
      await rowOf(page, 'Ada').waitFor()
      assert.equal(await rowOf(page, 'Ada').getByRole('cell').last().locator('div').innerText(), text)
      await done()
    }
  })
})
